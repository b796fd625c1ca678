use super::super::broad::Place;
use super::super::lanes::rows_for;
use super::super::nodes::Nodes;
use super::super::texture::tests::loop_of;
use super::super::texture::{Blend, Surface};
use super::*;
use pulp::Scalar;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const K: usize = 8;
const BLOCKS: usize = 60;
const RA_M: f32 = 5e-6;

/// Highest node of a block over the strip, computed without any bound.
fn reaches(surface: &Surface, own: &Row, block: usize, at: Place) -> f32 {
    let weights = Interpolation::cubic(f64::from(at.xi)).weights;
    let height = |i: usize| {
        let first = at.node - 1 + (block * ROW + i) as i64;
        let strip = (0..4).map(|tap| weights[tap] as f32 * surface.strip_node(first + tap as i64));
        RA_M * (strip.sum::<f32>() + own.0[i])
    };
    (0..ROW).map(height).fold(f32::MIN, f32::max)
}

/// A slider that bounces, rocks, bends and turns round: every block that reaches the other body is near in the list.
#[test]
fn no_block_that_touches_is_missed() {
    let surface = loop_of(0.05);
    let nodes = Nodes::new(K);
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut broad = Broad::new(K, BLOCKS);
    let top: Vec<Row> = (0..BLOCKS)
        .map(|b| Row(std::array::from_fn(|i| surface.strip_node((b * ROW + i) as i64 + 4321))))
        .collect();
    broad.set_top(&top);
    broad.lay(&nodes, BLOCKS, 1.0 / BLOCKS as f64);
    let mut strip = Strip::new(rows_for(BLOCKS * ROW) * ROW, 4096);
    let (mut offset, mut travel) = (2000.3f64, 0.2f64);
    let (mut now, mut ahead) = ([-3e-5f32; K], [-3e-5f32; K]);
    let (mut touching, mut open) = (0, 0);
    for step in 0..4000 {
        if step % 500 == 499 {
            travel = random.random_range(-1.5..1.5);
        }
        let blend = Blend { from: &surface, to: None };
        strip.reach(&blend, offset as i64 - 300, offset as i64 + (BLOCKS * ROW) as i64 + 300);
        let middle = offset + 0.5 * travel;
        let place = Place { node: middle.floor() as i64, xi: (middle - middle.floor()) as f32 };
        let (gains, travelled) = ([RA_M; 2], travel as f32);
        let lie = Lie { places: [place; 2], moves: false, travel: travelled, gains, reach: 0.0, swell: 0.0 };
        let near = broad.comes_near(Scalar, &strip, lie, &now, &ahead);
        for (block, own) in top.iter().enumerate() {
            let weights = broad.block_weights::<K>(block).unwrap();
            let at = |r: &[f32; K]| weights.iter().zip(r).map(|(w, r)| w * r).sum::<f32>();
            // Rounding aside.
            if reaches(&surface, own, block, place) + at(&now).max(at(&ahead)) < 1e-10 {
                continue;
            }
            touching += 1;
            let entry = broad.list.iter().position(|listed| *listed as usize == block);
            let entry = entry.unwrap_or_else(|| panic!("step {step}: block {block} is not in the list"));
            let closest = broad.entries()[entry / ROW].closest.0[entry % ROW];
            assert!(near && closest > broad.limit(&lie), "step {step}: block {block}, {closest}");
            // As a look would: what is seen bounds the block from here on.
            broad.see(entry, reaches(&surface, own, block, place), broad.way(&lie));
        }
        open += u32::from(!near);
        let phase = step as f32 * 0.02;
        let level = -2.6e-5 + 1.2e-5 * phase.sin();
        now = ahead;
        ahead = std::array::from_fn(|j| {
            let rock = 4e-6 * (2.3 * phase).sin() * (j as f32 / 3.5 - 1.0);
            level + rock + 5e-7 * (7.1 * phase + j as f32).sin() + random.random_range(-5e-8..5e-8f32)
        });
        offset += travel;
    }
    assert!(touching > 200 && open > 200, "both happen: {touching} blocks touched, {open} steps were open");
}
