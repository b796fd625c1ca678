//! A list of steps, each announced, timed and remembered, so that the last line says how it went.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub struct Steps {
    done: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    name: String,
    took: Duration,
    failure: Option<String>,
}

impl Steps {
    /// Runs one step. A failed step does not stop the next: one run shows all that is wrong.
    pub fn run(&mut self, name: &str, work: impl FnOnce() -> Result<(), String>) {
        eprintln!("\n=== {name}");
        let start = Instant::now();
        let failure = work().err();
        let took = start.elapsed();
        let verdict = if failure.is_some() { "FAILED" } else { "ok" };
        eprintln!("=== {name}: {verdict}, {}", seconds(took));
        if let Some(text) = &failure {
            eprintln!("    {text}");
        }
        self.done.push(Step { name: name.to_owned(), took, failure });
    }

    /// Prints one line per step and the sum; an error if any step failed.
    pub fn close(self) -> Result<(), String> {
        eprintln!();
        for step in &self.done {
            let verdict = if step.failure.is_some() { "FAILED" } else { "ok    " };
            eprintln!("{verdict} {:>9}  {}", seconds(step.took), step.name);
        }
        println!("{}", self.summary());
        let failed: Vec<&str> =
            self.done.iter().filter(|step| step.failure.is_some()).map(|step| step.name.as_str()).collect();
        if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
    }

    fn summary(&self) -> String {
        let failed = self.done.iter().filter(|step| step.failure.is_some()).count();
        let took: Duration = self.done.iter().map(|step| step.took).sum();
        format!("{} steps passed, {failed} failed in {}", self.done.len() - failed, seconds(took))
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

/// Environment variables of a command beside those it inherits.
pub type Variables<'a> = [(&'a str, &'a str)];

/// Runs a command with its output shown; an error names the command and how it ended.
pub fn command(program: &str, words: &[&str]) -> Result<(), String> {
    command_with(&[], program, words)
}

/// The same with some environment variables set.
pub fn command_with(variables: &Variables, program: &str, words: &[&str]) -> Result<(), String> {
    let line = line(variables, program, words);
    eprintln!("$ {line}");
    let mut command = Command::new(program);
    let status = command.args(words).envs(variables.iter().copied()).status();
    let status = status.map_err(|error| format!("{line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}")) }
}

/// As one would type it.
fn line(variables: &Variables, program: &str, words: &[&str]) -> String {
    let set: String = variables.iter().map(|(name, value)| format!("{name}={value} ")).collect();
    format!("{set}{program} {}", words.join(" "))
}

/// Runs a command for what it prints.
pub fn output_of(program: &str, words: &[&str]) -> Result<String, String> {
    output_with(&[], program, words)
}

/// The same with some environment variables set.
pub fn output_with(variables: &Variables, program: &str, words: &[&str]) -> Result<String, String> {
    let line = line(variables, program, words);
    let output = Command::new(program)
        .args(words)
        .envs(variables.iter().copied())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{line}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{line}: {}", output.status))
    }
}

/// Whether a command exists and succeeds; what it prints is of no interest.
pub fn succeeds(program: &str, words: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_is_remembered_and_the_next_still_runs() {
        let mut steps = Steps::default();
        let mut reached = false;
        steps.run("one", || Ok(()));
        steps.run("two", || Err("no".into()));
        steps.run("three", || {
            reached = true;
            Ok(())
        });
        assert!(reached);
        assert!(steps.summary().starts_with("2 steps passed, 1 failed in "), "{}", steps.summary());
        assert_eq!(steps.close().unwrap_err(), "failed: two");
    }

    #[test]
    fn commands_report_how_they_ended() {
        assert!(command("cargo", &["--version"]).is_ok());
        assert!(output_of("cargo", &["--version"]).unwrap().starts_with("cargo "));
        let failure = command_with(&[("A", "1")], "no-such-program-here", &["b"]).unwrap_err();
        assert!(failure.starts_with("A=1 no-such-program-here b: "), "{failure}");
        assert!(!succeeds("cargo", &["no-such-subcommand"]) && !succeeds("no-such-program-here", &[]));
    }
}
