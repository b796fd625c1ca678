//! What a frame of the whole window costs.

use cpu_time::ThreadTime;
use egui::{Rect, vec2};

use super::Bench;
use crate::editor::full_name;
use crate::instrument::parameters::Param;

/// Printed by `cargo test --profile checked --lib cost_of_a_frame -- --ignored --nocapture`.
#[test]
#[ignore = "a time, which says something on a quiet machine only"]
fn cost_of_a_frame_of_the_app() {
    let mut bench = Bench::new();
    bench.click(&full_name(Param::Drone));
    let window = bench.harness.state_mut();
    for (width, height) in [(640.0, 400.0), (1080.0, 792.0), (1920.0, 1080.0)] {
        let ctx = egui::Context::default();
        let mut times: Vec<f64> = (0..240)
            .map(|frame| {
                // The silent clock plays meanwhile.
                std::thread::sleep(std::time::Duration::from_millis(10));
                let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(width, height)));
                let time = Some(f64::from(frame) / 60.0);
                let input = egui::RawInput { screen_rect, time, ..Default::default() };
                let start = ThreadTime::now();
                let mut output = ctx.run_ui(input, |ui| window.draw(ui));
                let meshes = ctx.tessellate(output.shapes, output.pixels_per_point);
                let spent = start.elapsed().as_secs_f64() * 1e3;
                // Nobody paints here.
                output.textures_delta.clear();
                assert!(!meshes.is_empty());
                spent
            })
            .skip(40)
            .collect();
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        println!("{width} × {height}: {median:.2} ms of CPU to build and tessellate a frame of the app");
        assert!(median <= 1.6, "{width} × {height}: {median:.2} ms");
    }
}
