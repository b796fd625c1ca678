//! The terminal: arguments in, one command run, an exit code out. Data goes to stdout, talk to stderr.
//!
//! A command is a file here with its `…Args` (clap) and `run(args) -> Result<(), Error>`; it joins by a line
//! in [`Command`] and one in [`Command::run`]. Exit codes come from [`Error::exit_code`] alone.

mod analyze;
mod bench;
mod kappa;
mod modes;
pub mod out;
#[cfg(feature = "app")]
mod play;
mod presets;
pub mod progress;
mod render;
mod scene_args;
mod shocks;
mod squeal;
mod stimuli;
pub mod stop;
pub mod surface;
mod sweep;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// Hear two rough surfaces rub, from first principles.
#[derive(Debug, Parser)]
#[command(name = "asperity", version, propagate_version = true, args_conflicts_with_subcommands = true)]
#[cfg_attr(not(feature = "app"), command(arg_required_else_help = true))]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Without a command the instrument is played.
    #[cfg(feature = "app")]
    #[command(flatten)]
    play: play::PlayArgs,
}

impl Arguments {
    fn run(self) -> Result<(), Error> {
        match self.command {
            Some(command) => command.run(),
            #[cfg(feature = "app")]
            None => play::run(self.play),
            #[cfg(not(feature = "app"))]
            None => Ok(()),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the instrument on a sound device, with MIDI, mouse and keys
    #[cfg(feature = "app")]
    Play(play::PlayArgs),
    /// Render a scene to a WAV with its level
    Render(render::RenderArgs),
    /// Levels, bands, spectrum and loudness of WAV files
    Analyze(analyze::AnalyzeArgs),
    /// A grid of runs over any scene keys: levels, their laws, figures
    Sweep(sweep::SweepArgs),
    /// Every shock of a run: force, duration, energy, and the contact over time
    Shocks(shocks::ShocksArgs),
    /// Advice on the penalty coefficient: both algorithms of the paper compared
    Kappa(kappa::KappaArgs),
    /// Natural frequencies and shapes, and where the beam theory ends
    Modes(modes::ModesArgs),
    /// The library of scenes
    #[command(subcommand)]
    Presets(presets::PresetsCommand),
    /// Linear stability of steady sliding: complex modes, growth rates, laws of contact compared
    Squeal(squeal::SquealArgs),
    /// A set of WAVs for a listening test, with manifest and test configuration
    Stimuli(stimuli::StimuliArgs),
    /// Make and measure roughness profiles
    Surface(surface::SurfaceArgs),
    /// Speed as ratios measured in one run
    Bench(bench::BenchArgs),
    /// The papers' cases, ours beside theirs
    Validate(validate::ValidateArgs),
}

impl Command {
    fn run(self) -> Result<(), Error> {
        match self {
            #[cfg(feature = "app")]
            Self::Play(args) => play::run(args),
            Self::Render(args) => render::run(args),
            Self::Analyze(args) => analyze::run(args),
            Self::Sweep(args) => sweep::run(args),
            Self::Shocks(args) => shocks::run(args),
            Self::Kappa(args) => kappa::run(args),
            Self::Modes(args) => modes::run(args),
            Self::Presets(command) => presets::run(command),
            Self::Squeal(args) => squeal::run(args),
            Self::Stimuli(args) => stimuli::run(args),
            Self::Surface(args) => surface::run(args),
            Self::Bench(args) => bench::run(args),
            Self::Validate(args) => validate::run(args),
        }
    }
}

/// The whole program.
pub fn run() -> ExitCode {
    stop::outlive_file_limits();
    match Arguments::try_parse() {
        Ok(arguments) => finish(arguments.run()),
        Err(usage) => {
            // Help is data and goes to stdout with code 0, a wrong argument to stderr with 2.
            if usage.use_stderr() {
                let _ = usage.print();
                return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(1));
            }
            finish(usage.print().map_err(out::failed))
        }
    }
}

fn finish(outcome: Result<(), Error>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, Error::ClosedPipe) {
                out::say(&format!("asperity: {error}"));
            }
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::scene::DEFAULT_PRESET;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_the_scene_that_is_taken_without_one() {
        for (command, preset) in
            [("render", DEFAULT_PRESET), ("modes", DEFAULT_PRESET), ("shocks", "dang2013")]
        {
            let mut arguments = Arguments::command();
            let help = arguments.find_subcommand_mut(command).unwrap().render_help().to_string();
            assert!(help.contains(preset) && help.contains("Examples:"), "{help}");
        }
    }

    #[test]
    fn a_wrong_word_is_bad_input() {
        for words in [&["asperity", "no-such-command"][..], &["asperity", "--no-such-flag"]] {
            assert_eq!(Arguments::try_parse_from(words).unwrap_err().exit_code(), 2);
        }
        assert_eq!(Arguments::try_parse_from(["asperity", "--version"]).unwrap_err().exit_code(), 0);
    }
}
