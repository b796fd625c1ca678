//! `cargo xtask slurm-check`: one sweep as a job array on a real Slurm, one of its jobs killed half-way and
//! requeued; the merged table must be the local one, byte for byte.

mod cluster;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::built;
use crate::packages::install_for_slurm;
use crate::steps::{command, succeeds};
use cluster::Cluster;

/// Eight points per part, half a second each: time enough to kill one in its middle.
const SWEEP: &str =
    "sweep dang2013 --ra 3,10 --v 0.05:0.4:4log --seeds 4 --seconds 0.3 --set run.step_s=1e-6";
const PARTS: usize = 4;
/// The part that is killed.
const VICTIM: usize = 2;
const PATIENCE: Duration = Duration::from_secs(300);

pub fn run() -> Result<(), String> {
    install_for_slurm()?;
    command("cargo", &["build", "--profile", "checked", "--package", "asperity"])?;
    let program =
        fs::canonicalize(built::program("checked")?).map_err(|error| format!("the program: {error}"))?;
    let scratch = std::env::temp_dir().join(format!("asperity-slurm-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let outcome = check(&program, &scratch);
    match &outcome {
        // A scratch folder left behind harms nobody.
        Ok(()) => drop(fs::remove_dir_all(&scratch)),
        Err(_) => eprintln!("logs are left in {}", scratch.display()),
    }
    outcome
}

fn check(program: &Path, scratch: &Path) -> Result<(), String> {
    let local = scratch.join("local");
    let words: Vec<&str> = SWEEP.split(' ').chain(["-o", text(&local)?]).collect();
    command(text(program)?, &words)?;

    let cluster = Cluster::start(scratch)?;
    let script = write_script(program, scratch)?;
    let submitted = cluster.ask("sbatch", &["--parsable", text(&script)?])?;
    let job = submitted.trim();
    eprintln!("job array {job} of {PARTS}");
    let victim = format!("{job}_{VICTIM}");
    wait_for("a finished point in the part to be killed", || Ok(points(scratch, VICTIM) >= 2))?;
    cluster.ask("scancel", &["--signal=KILL", "--full", &victim])?;
    wait_for("the killed job to end", || {
        Ok(!cluster
            .ask("squeue", &["--noheader", "--states=RUNNING,COMPLETING", "--jobs", &victim])?
            .contains(job))
    })?;
    let kept = points(scratch, VICTIM);
    let of = 32 / PARTS;
    if kept >= of {
        return Err(format!("part {VICTIM} was finished before it could be killed; repeat the check"));
    }
    eprintln!("part {VICTIM} killed with {kept} of its {of} points");
    cluster.ask("scontrol", &["requeue", &victim])?;
    wait_for("all parts", || Ok(cluster.ask("squeue", &["--noheader", "--jobs", job])?.trim().is_empty()))?;

    let log = fs::read_to_string(scratch.join(format!("part{VICTIM}.log"))).unwrap_or_default();
    if !log.contains(&format!("{kept} finished point(s) found")) {
        return Err(format!("the requeued part did not go on from its journal:\n{log}"));
    }
    let merged = scratch.join("merged");
    let parts: Vec<PathBuf> = (1..=PARTS).map(|part| scratch.join(format!("part{part}"))).collect();
    let mut words = vec!["sweep", "merge", "-o", text(&merged)?];
    for part in &parts {
        words.push(text(part)?);
    }
    command(text(program)?, &words)?;
    let table =
        |folder: &Path| fs::read(folder.join("results.csv")).map_err(|error| format!("results.csv: {error}"));
    let (ours, theirs) = (table(&local)?, table(&merged)?);
    if ours != theirs {
        return Err("the merged table differs from the local one".to_owned());
    }
    let version = cluster.ask("sinfo", &["--version"])?;
    println!(
        "{}: job array of {PARTS} parts, part {VICTIM} killed after {kept} of {of} points and requeued; merged \
         results.csv is the local one, {} bytes",
        version.trim(),
        ours.len()
    );
    Ok(())
}

/// One line does the work; `--resume` makes the first start and every requeue the same command.
fn write_script(program: &Path, scratch: &Path) -> Result<PathBuf, String> {
    let script = format!(
        "#!/bin/sh\n\
         #SBATCH --array=1-{PARTS} --cpus-per-task=1 --requeue --open-mode=append\n\
         #SBATCH --chdir={0} --output={0}/part%a.log\n\
         exec {1} {SWEEP} -o part$SLURM_ARRAY_TASK_ID \\\n  \
         --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT --threads 1 --resume\n",
        text(scratch)?,
        text(program)?,
    );
    let path = scratch.join("sweep.sh");
    fs::write(&path, script).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Finished points of a part: the lines of its journal after the first.
fn points(scratch: &Path, part: usize) -> usize {
    let journal = scratch.join(format!("part{part}")).join("journal.txt");
    fs::read_to_string(journal).map_or(0, |text| text.lines().count().saturating_sub(1))
}

fn wait_for(what: &str, mut done: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    let clock = Instant::now();
    while !done()? {
        if clock.elapsed() > PATIENCE {
            return Err(format!("waited {} s in vain for {what}", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("{}: not a name that a script can hold", path.display()))
}

/// Whether a program answers at all.
fn is_there(program: &str) -> bool {
    succeeds("sh", &["-c", &format!("command -v {program}")])
}

/// Everything that the check calls.
pub fn programs_are_there() -> bool {
    ["slurmctld", "slurmd", "sbatch", "munged"].into_iter().all(is_there)
}
