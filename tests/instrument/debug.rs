use crate::*;
use asperity::engine::realtime::{Engine, Settings};
use asperity::scene::find_preset;
#[test]
fn crawl() {
    let scene = find_preset("steel-crawl").unwrap().build().unwrap();
    let run = |start: bool, voices: usize| {
        let mut engine = Engine::new(&scene, Settings { voices, ..Settings::default() }).unwrap();
        for v in 0..voices {
            if v + 1 < voices || start {
                engine.rest(v);
            }
        }
        if start {
            engine.start(voices - 1, scene.motion.start_m);
        }
        let (mut a, mut b) = (vec![0.0f32; 4800], vec![0.0f32; 4800]);
        engine.process(&mut [&mut a, &mut b]);
        (a, engine.restarts())
    };
    let base = run(false, 1);
    for (s, v) in [(true, 1), (false, 2), (true, 2), (true, 21)] {
        let other = run(s, v);
        println!(
            "start {s} voices {v}: first {:?} restarts {} {}",
            base.0.iter().zip(&other.0).position(|(x, y)| x != y),
            base.1,
            other.1
        );
    }
    let mut e = Engine::new(&scene, Settings::default()).unwrap();
    let (mut a, mut b) = (vec![0.0f32; 4800], vec![0.0f32; 4800]);
    e.body(0).unwrap().set_damping(0.05);
    e.process(&mut [&mut a, &mut b]);
    e.controls(0).unwrap().set_lifted(true);
    for _ in 0..10 {
        e.process(&mut [&mut a, &mut b]);
        println!("stored {:e} asleep {}", e.ledger(0).stored, e.is_asleep(0));
    }
}
#[test]
fn state_text() {
    let patch = asperity::instrument::Patch::preset("steel-on-steel").unwrap();
    let mut values = *patch.values();
    for (p, v) in [(Param::Ra, 7.5), (Param::V, 0.25), (Param::Mode, 1.0), (Param::Attack, 0.125)] {
        values.set(p, v);
    }
    std::fs::write("/tmp/h-inst/state-1.toml", asperity::instrument::State { patch, values }.to_text())
        .unwrap();
}
