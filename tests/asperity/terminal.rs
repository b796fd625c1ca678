//! The frame that all commands share: exit codes, stdout, stderr.

use std::process::{Command, Output, Stdio};

pub fn asperity(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asperity")).args(words).output().unwrap()
}

#[test]
fn help_is_data_and_a_mistake_is_talk() {
    let help = asperity(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&help.stdout).contains("Usage: asperity"));
    assert!(help.stderr.is_empty());

    let mistake = asperity(&["--no-such-flag"]);
    assert_eq!(mistake.status.code(), Some(2));
    assert!(mistake.stdout.is_empty());
    assert!(String::from_utf8_lossy(&mistake.stderr).contains("--no-such-flag"));
}

#[test]
fn a_reader_that_leaves_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_asperity"))
        .arg("--help")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_asperity")).arg("--help").stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(74));
}
