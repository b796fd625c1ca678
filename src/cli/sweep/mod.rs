//! `asperity sweep`: a grid of runs that survives anything, and `asperity sweep merge` for its parts.

mod figures;
mod files;
mod regimes;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::out;
use super::progress::Progress;
use super::stop::Stop;
use crate::engine::realtime::Quality;
use crate::error::{Error, Problem, Problems};
use crate::io::folder;
use crate::io::library::{is_file_name, preset_or_file};
use crate::render::Engine;
use crate::scene::{Draft, Entry};
use crate::sweep::{Identity, Journal, Plan, Shard, merge, read_spec, run as run_points, write_journal};

/// The bench whose levels the papers plot.
const USUAL_PRESET: &str = "dang2013";
/// Printed by `--example`; a test runs the sweep that it describes.
const EXAMPLE: &str = include_str!("example.toml");

const EXAMPLES: &str = "\
Examples:
  asperity sweep dang2013 --ra 3,5,10 --v 0.02:0.7:7log --seeds 4 -o grid
  asperity sweep dang2013 --zeta 0.002:0.1:6log --engine realtime -o damping
  asperity sweep --example > spec.toml && asperity sweep spec.toml -o grid
  asperity sweep dang2013 --ra 3,5,10 --shard 1/4 --resume -o part1

DIR gets results.csv, .json and .npz and a picture for each of Ra, V and ζ that varies. Killed, it goes on with --resume.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXAMPLES)]
pub struct SweepArgs {
    #[command(subcommand)]
    command: Option<SweepCommand>,
    /// Preset name, scene file, or scene file with a [sweep] table
    #[arg(value_name = "PRESET or SPEC.toml", default_value = USUAL_PRESET)]
    scene: String,
    /// Folder for journal, tables and pictures
    #[arg(short, long, value_name = "DIR", required_unless_present = "example")]
    output: Option<PathBuf>,
    /// Print a spec to start from, every key explained
    #[arg(long, exclusive = true)]
    example: bool,
    /// Roughness Ra, µm; a LIST is 3,5,10 or 0.02:0.7:7log (from:to:count, log or lin)
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    ra: Option<String>,
    /// Sliding speed, m/s
    #[arg(long = "v", value_name = "LIST", allow_hyphen_values = true)]
    v: Option<String>,
    /// Damping ratio of resonator and slider
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    zeta: Option<String>,
    /// Correlation length, µm
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    lc: Option<String>,
    /// Autocorrelation: gaussian, exponential, self-affine, periodic, teeth
    #[arg(long, value_name = "LIST")]
    acf: Option<String>,
    /// Short-wavelength cut-off λs, µm; 0 is none
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    cutoff: Option<String>,
    /// pass, endless, reciprocate
    #[arg(long, value_name = "LIST")]
    motion: Option<String>,
    /// Vary any scene key, as often as wanted; A+B=1/2,3/4 varies two keys together
    #[arg(long = "set", value_name = "KEY=LIST")]
    set: Vec<String>,
    /// Surfaces per point; their seeds count on from the scene's [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seeds: Option<String>,
    /// First surface seed
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Length of each run; a pass may end earlier [default: 1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    seconds: Option<String>,
    /// Start that is left out of the level [default: 0.1]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    skip: Option<String>,
    /// Engine [default: reference]
    #[arg(long, value_parser = Engine::NAMES)]
    engine: Option<String>,
    /// Inner rate of the real-time engine, as in `render` [default: live]
    #[arg(long, value_parser = Quality::NAMES)]
    quality: Option<String>,
    /// Runs at a time [default: all cores]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    threads: Option<String>,
    /// Go on with the sweep in DIR, or begin it if there is none
    #[arg(long)]
    resume: bool,
    /// Run every N-th point, beginning with the I-th; join the parts with `sweep merge`
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Law and rows as JSON on stdout
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum SweepCommand {
    /// Join the parts that --shard made into one sweep
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
struct MergeArgs {
    /// Folders of all parts
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Folder for the whole
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Law and rows as JSON on stdout
    #[arg(long)]
    json: bool,
}

pub fn run(args: SweepArgs) -> Result<(), Error> {
    match (&args.command, &args.output) {
        (Some(SweepCommand::Merge(args)), _) => join(args),
        (None, _) if args.example => out::data(|sink| sink.write_all(EXAMPLE.as_bytes())),
        (None, Some(folder)) => sweep(&args, folder),
        (None, None) => Err(Problem::new("-o", "missing", "needs a folder", "give -o DIR").into()),
    }
}

fn sweep(args: &SweepArgs, folder: &Path) -> Result<(), Error> {
    let (plan, shard, threads) = args.plan()?;
    let _folder = folder::prepare(folder)?;
    let identity = Identity::of(&plan);
    let (journal, contents) = Journal::open(folder, &identity, shard, args.resume)?;
    let mut rows = contents.rows;
    if contents.damaged > 0 {
        out::say(&format!(
            "{} torn line(s) dropped from the journal; their points run again",
            contents.damaged
        ));
    }
    if !rows.is_empty() {
        out::say(&format!("{} finished point(s) found", rows.len()));
    }
    let stop = Stop::listen()?;
    let progress = Progress::new("sweeping");
    let complete = run_points(&plan, shard, threads, journal, &mut rows, &|share| {
        progress.at(share);
        !stop.requested()
    });
    drop(progress);
    if !matches!(complete, Ok(true)) {
        out::say(&format!(
            "{} finished point(s) are kept in {}; repeat the command with --resume to go on",
            rows.len(),
            folder.display()
        ));
    }
    if !complete? {
        stop.check()?;
    }
    files::write(folder, &identity, &rows, shard, args.json)
}

fn join(args: &MergeArgs) -> Result<(), Error> {
    let (identity, rows) = merge(&args.parts)?;
    if args.output.join(crate::sweep::JOURNAL_FILE).exists() {
        let limit = "a sweep is already there";
        return Err(Problem::new("-o", args.output.display(), limit, "name another folder").into());
    }
    let _folder = folder::prepare(&args.output)?;
    write_journal(&args.output, &identity, &rows)?;
    files::write(&args.output, &identity, &rows, Shard::WHOLE, args.json)
}

impl SweepArgs {
    /// Everything that can be refused, refused at once.
    fn plan(&self) -> Result<(Plan, Shard, usize), Error> {
        let mut problems = Problems::default();
        let shard = self.shard.as_deref().map_or(Ok(Shard::WHOLE), Shard::parse);
        let shard = problems.gather(shard)?.unwrap_or(Shard::WHOLE);
        let threads = problems.gather(self.threads())?.unwrap_or(1);
        let flags = self.flags(&mut problems);
        let planned = self.base().and_then(|(draft, mut entries)| {
            entries.extend(flags);
            // Trying every point is work too, and keeps to the threads that were asked for.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool =
                pool.map_err(|error| Error::Other(format!("{threads} threads cannot start: {error}")))?;
            pool.install(|| Plan::new(draft, &entries))
        });
        let plan = problems.gather(planned)?;
        problems.or_gathered(plan.map(|plan| (plan, shard, threads)))
    }

    /// A file may say itself what is varied.
    fn base(&self) -> Result<(Draft, Vec<Entry>), Error> {
        if is_file_name(&self.scene) {
            read_spec(Path::new(&self.scene))
        } else {
            Ok((preset_or_file(&self.scene)?, Vec::new()))
        }
    }

    fn threads(&self) -> Result<usize, Problem> {
        const MOST: usize = 1024;
        let Some(text) = &self.threads else {
            return Ok(std::thread::available_parallelism().map_or(1, usize::from));
        };
        text.trim().parse().ok().filter(|threads| (1..=MOST).contains(threads)).ok_or_else(|| {
            let limit = format!("must be a whole number from 1 to {MOST}");
            Problem::new("--threads", text, limit, "leave it out to use all cores")
        })
    }

    /// The flags as entries, so that they mean the same as in a `[sweep]` table.
    fn flags(&self, problems: &mut Problems) -> Vec<Entry> {
        let words = [
            ("ra", &self.ra),
            ("v", &self.v),
            ("zeta", &self.zeta),
            ("lc", &self.lc),
            ("acf", &self.acf),
            ("cutoff", &self.cutoff),
            ("motion", &self.motion),
            ("seeds", &self.seeds),
            ("seed", &self.seed),
            ("seconds", &self.seconds),
            ("skip", &self.skip),
            ("engine", &self.engine),
            ("quality", &self.quality),
        ];
        let mut entries: Vec<Entry> = words
            .into_iter()
            .filter_map(|(name, value)| {
                let text = value.clone()?;
                Some(Entry { name: name.to_owned(), text, place: format!("--{name}") })
            })
            .collect();
        for assignment in &self.set {
            match assignment.split_once('=') {
                Some((key, list)) => entries.push(Entry {
                    name: format!("set.{}", key.trim()),
                    text: list.to_owned(),
                    place: "--set".to_owned(),
                }),
                None => problems.push(Problem::new(
                    "--set",
                    assignment,
                    "must be KEY=LIST",
                    "write for example --set resonator.modes=20,40,80",
                )),
            }
        }
        entries
    }
}
