use asperity::engine::reference::*;
use asperity::scene::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seconds: f64 = args[1].parse().unwrap();
    let mut draft = find_preset("dang2013").unwrap();
    let mut walk = Walk::Pruned;
    for a in &args[2..] {
        if a == "literal" {
            walk = Walk::Literal;
            continue;
        }
        let (k, v) = a.split_once('=').unwrap();
        draft.set(k, v).unwrap();
    }
    let scene = draft.build().unwrap();
    println!("bound {:?}", step_bound(&scene, &scene.profiles().unwrap()));
    let t0 = Instant::now();
    let mut sim = Simulation::new(&scene, walk, scene.run.step_s, 0.1, ShockDetail::Count).unwrap();
    println!("setup {:?}", t0.elapsed());
    let end = seconds.min(scene.end_s());
    let steps = (end / scene.run.step_s) as u64;
    let t0 = Instant::now();
    let mut ncand = 0usize;
    let mut hash = 0u64;
    for _ in 0..steps {
        sim.step().unwrap();
        ncand += sim.touches().len();
        for u in sim.displacement() {
            hash = hash.rotate_left(5) ^ u.to_bits();
        }
    }
    let el = t0.elapsed().as_secs_f64();
    let f = sim.figures();
    println!(
        "Lv {:.2} dB  contact {:.3} shocks {} maxF {:.1} touches/step {:.2}  residual {:.2e}",
        f.lv_db(),
        f.contact_fraction,
        f.shocks,
        f.max_force_n_m,
        ncand as f64 / steps as f64,
        f.ledger.residual()
    );
    println!("{:?} hash {hash:x}", f.ledger);
    println!("{:.3} s CPU, {:.3} us/step, steps {}", el, el / steps as f64 * 1e6, steps);
}
