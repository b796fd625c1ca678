//! Python programs of others, in virtual environments below `target`.

use std::path::Path;

use crate::packages;
use crate::steps::command;

/// The interpreter of an environment that has these libraries.
pub fn with(name: &str, libraries: &[&str]) -> Result<String, String> {
    packages::set_up_python()?;
    let folder = format!("target/{name}/python");
    let python = format!("{folder}/bin/python3");
    if !Path::new(&python).is_file() {
        command("python3", &["-m", "venv", &folder])?;
    }
    command(&python, &[&["-m", "pip", "install", "--quiet"], libraries].concat())?;
    Ok(python)
}
