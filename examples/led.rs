use asperity::engine::reference::*;
use asperity::scene::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut draft = find_preset(&args[1]).unwrap();
    let seconds: f64 = args[2].parse().unwrap();
    for a in &args[3..] {
        let (k, v) = a.split_once('=').unwrap();
        draft.set(k, v).unwrap();
    }
    let scene = draft.build().unwrap();
    let mut sim = Simulation::new(&scene, Walk::Pruned, scene.run.step_s, 0.0, ShockDetail::Count).unwrap();
    let steps = (seconds / scene.run.step_s) as u64;
    for n in 0..steps {
        sim.step().unwrap();
        if n % (steps / 10) == 0 {
            let f = sim.figures();
            println!("{:.4} {:?} res {:.3e}", sim.left_time(), f.ledger, f.ledger.residual());
        }
    }
}
