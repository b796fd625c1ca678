//! The commands of a developer's machine.
//!
//! `cargo xtask start` sets the machine up, builds, and makes a first sound; `cargo xtask test` sets it up
//! and passes every check, `--full` with the long tests as well; `cargo xtask slurm-check` runs a sweep on a
//! real cluster scheduler, brought up for it on this machine. `bundle` makes the plugins, `install` puts them
//! where hosts look, `dist` packs them for other machines, `fuzz` feeds changed files to everything that reads
//! files, `readers-check` opens ours in other programs, `host-check` plays the plugin in a host of others,
//! `screenshots` takes pictures of the window.
#![forbid(unsafe_code)]

mod built;
mod bundle;
mod display;
mod dist;
mod fuzz;
mod hosts;
mod install;
mod packages;
mod python;
mod readers;
#[cfg(unix)]
mod slurm;
mod start;
mod steps;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask start         set up, build, render a first sound
       cargo xtask test [--full] set up and pass every check (--full: the long tests too)
       cargo xtask bundle asperity --release
                                 CLAP and VST3 in target/bundled
       cargo xtask install       bundle, and put it where your hosts look
       cargo xtask dist [--try]  archives for Linux and Windows in target/archives (--try: installs Wine to try the
                                 second one)
       cargo xtask fuzz [TARGET] [--runs N]
                                 changed files for every reader, ten million each (nightly compiler)
       cargo xtask readers-check NumPy, libsndfile and a YAML parser open what we write (5 GB of room)
       cargo xtask host-check    pedalboard, a host of others, plays the release bundle
       cargo xtask screenshots   pictures of the window in tests/screenshots, on a virtual display
       cargo xtask slurm-check   a sweep as a job array on a one-node Slurm (Debian; root)";

fn main() -> ExitCode {
    // Every path below is relative to the workspace, wherever the command was given.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if let Err(error) = std::env::set_current_dir(&root) {
        eprintln!("{}: {error}", root.display());
        return ExitCode::FAILURE;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["start"] => start::run(),
        ["test"] => test::run(false),
        ["test", "--full"] => test::run(true),
        ["bundle", ref words @ ..] => bundle::run(words),
        ["install"] => install::run(),
        ["dist"] => dist::run(false),
        ["dist", "--try"] => dist::run(true),
        ["fuzz", ref words @ ..] => fuzz::run(words),
        ["readers-check"] => readers::run(),
        ["host-check"] => hosts::run(),
        ["screenshots"] => display::screenshots(),
        #[cfg(unix)]
        ["slurm-check"] => slurm::run(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}
