//! What blocks of sound cost in CPU time, and how much of it is the machine's own. A thread's CPU clock also runs
//! while the system serves an interrupt on that thread's core, or while a hypervisor has stopped a virtual core
//! without telling it, and then it may show more time than has passed at all. So every block has a loop of plain
//! arithmetic beside it, about as long, which touches no memory: what happens to both is not ours. What is ours comes
//! again when the same sound is played again.

use std::hint::black_box;

use cpu_time::ThreadTime;

use super::player::tests::{RATE_HZ, player};

const BLOCK: usize = 128;
const PERIOD_S: f64 = BLOCK as f64 / RATE_HZ;
/// Turns of the arithmetic: some 0.2 ms.
const TURNS: u32 = 100_000;

/// One stretch of work: CPU time as a share of a block's period, page faults, switches to other threads.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    share: f64,
    faults: u64,
    switches: u64,
}

fn measured(work: impl FnOnce()) -> Stretch {
    let ([faults, switches], start) = (troubles(), ThreadTime::now());
    work();
    let share = start.elapsed().as_secs_f64() / PERIOD_S;
    let now = troubles();
    Stretch { share, faults: now[0] - faults, switches: now[1] - switches }
}

/// Page faults and switches of this thread so far, where the system tells.
fn troubles() -> [u64; 2] {
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(0u64);
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    // The name before it may hold anything; after it stand the fields from the third on.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
    [
        number(fields.get(7).copied()) + number(fields.get(9).copied()),
        switches.map(|line| number(line.split_whitespace().last())).sum(),
    ]
}

/// Share of this machine's time that the hypervisor gave to others since it was started, in hundredths of a second,
/// with all of its time.
fn stolen() -> [f64; 2] {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let first = stat.lines().next().unwrap_or_default().split_whitespace().skip(1);
    let ticks: Vec<f64> = first.filter_map(|text| text.parse().ok()).collect();
    [ticks.get(7).copied().unwrap_or(0.0), ticks.iter().take(8).sum()]
}

/// Every block of so many minutes of the drone, and the arithmetic beside each.
fn blocks(minutes: f64) -> [Vec<Stretch>; 2] {
    let (mut player, ..) = player(true);
    let mut out = vec![0.0f32; 2 * BLOCK];
    let count = (60.0 * minutes / PERIOD_S) as usize;
    (0..count)
        .map(|_| (measured(|| player.fill(&mut out, 2)), measured(arithmetic)))
        .collect::<(Vec<_>, Vec<_>)>()
        .into()
}

fn arithmetic() {
    let mut sum = black_box(1.0f64);
    for _ in 0..TURNS {
        sum = sum * 0.999_999 + 1e-6;
    }
    black_box(sum);
}

fn worst(stretches: &[Stretch]) -> f64 {
    stretches.iter().map(|stretch| stretch.share).fold(0.0, f64::max)
}

fn tell(what: &str, stretches: &[Stretch]) {
    let mut sorted = stretches.to_vec();
    sorted.sort_by(|one, other| other.share.total_cmp(&one.share));
    let above = |share: f64| stretches.iter().filter(|stretch| stretch.share > share).count();
    println!(
        "{what}: median {:.3} of a period, worst {:.3}; {} above 0.25, {} above 0.5; the worst ten:",
        sorted[sorted.len() / 2].share,
        sorted[0].share,
        above(0.25),
        above(0.5)
    );
    for Stretch { share, faults, switches } in &sorted[..10] {
        println!("  {share:.3} of a period, {faults} page faults, {switches} switches");
    }
}

/// `cargo test --profile checked --lib ten_minutes_of_blocks -- --ignored --nocapture`
#[test]
#[ignore = "minutes, and times"]
fn ten_minutes_of_blocks_take_less_than_half_their_time() {
    let before = stolen();
    let [[first, control], [second, _]] = [blocks(10.0), blocks(10.0)];
    let after = stolen();
    for (what, stretches) in
        [("blocks, first time", &first), ("blocks, second time", &second), ("arithmetic", &control)]
    {
        tell(what, stretches);
    }
    let both = first.iter().zip(&second).map(|(one, other)| one.share.min(other.share)).fold(0.0, f64::max);
    println!(
        "{} blocks of {BLOCK} samples; of each block's cheaper time the worst: {both:.3} of a period; the hypervisor \
         took {:.1} % of the machine's time",
        first.len(),
        100.0 * (after[0] - before[0]) / (after[1] - before[1]).max(1.0)
    );
    assert!(both < 0.5, "{:.3} and {:.3}", worst(&first), worst(&second));
}
