//! One slider on one resonator, chunk by chunk.
//!
//! A chunk is a fixed number of inner steps counted from reset. At its start the controls take one tick
//! (`control`), then every step reads: free deflection → contact → kick → pick-ups; at its end the books
//! are written and the guard looks (`books`).
//!
//! Displacements are kept about a rest position, the resonator's static sag under the slider's nominal
//! load, and the slider's height about first touch. What f32 has to resolve is then micrometres, not
//! a tenth of a millimetre.

use super::books::Books;
use super::broad::Lie;
use super::control::{Controls, Tick};
use super::lanes::{ROW, Row, get, put, rows_for, sums_of_eight};
use super::meet::{Encounter, Meeting, Under};
use super::nodes::MAX_NODES;
use super::pass::{MAX_PICKUPS, ModalState, advance};
use super::stage::Stage;
use super::strip::Strip;
use super::surfaces::Surfaces;
use super::texture::Blend;
use crate::contact::Interpolation;
use crate::scene::{Scene, Start};
use pulp::Simd;

/// Most inner steps of a chunk.
pub const CHUNK: usize = 64;
/// Steps between two looks at where a travelling slider stands.
const SEAT_STEPS: usize = 8;
/// Nodes held ready beyond what a chunk is known to need.
const SPARE_NODES: i64 = 256;
/// Nodes that the strip can hold beyond the slider: one chunk at 50 m/s on a 5 µm grid, and more.
const STRIP_NODES: usize = 8192;

/// Steps whose readings are summed together.
const AT_ONCE: usize = 8;

/// What a chunk of all pick-ups looks like.
pub type Sound = [[f32; CHUNK]; MAX_PICKUPS];

/// Surfaces, and those being faded in with their angle.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    pub from: &'a Surfaces,
    pub to: Option<(&'a Surfaces, f32)>,
}

impl<'a> Ground<'a> {
    pub fn bottom(&self) -> Blend<'a> {
        Blend { from: &self.from.bottom, to: self.to.map(|(other, angle)| (&other.bottom, angle)) }
    }

    pub fn top(&self) -> Blend<'a> {
        Blend { from: &self.from.top, to: self.to.map(|(other, angle)| (&other.top, angle)) }
    }
}

#[derive(Debug, Clone)]
pub struct Voice {
    pub controls: Controls,
    first: Controls,
    pub books: Books,
    pub(super) state: ModalState,
    pub(super) meeting: Meeting,
    /// Rest amplitudes, and what holds them: forces per mode at nominal load.
    pub(super) rest_q: Vec<Row>,
    rest_force: Vec<f64>,
    phi: Vec<Row>,
    strip: Strip,
    /// Blocks of the slider in use.
    blocks: usize,
    now: [f32; MAX_NODES],
    ahead: [f32; MAX_NODES],
    rest: [f32; MAX_NODES],
    /// Subtracted from every deflection: first touch.
    level: f32,
    swell: f32,
    /// Nodes per step of the last chunk.
    last_travel: f64,
    start: Start,
    separation_m: Option<f64>,
    gravity_force: f64,
}

impl Voice {
    /// A voice with room for a texture as fine as the controls allow. Not yet settled.
    pub fn new(scene: &Scene, stage: &Stage, surfaces: &Surfaces, tick_s: f64) -> Self {
        let controls = Controls::new(scene, surfaces, tick_s);
        let most_nodes = (stage.slider_m() / controls.shortest_step_m()).ceil() as usize + 1;
        let most_blocks = most_nodes.div_ceil(ROW);
        let (rows, nodes) = (stage.table.rows(), stage.nodes.len());
        Self {
            controls,
            first: controls,
            books: Books::default(),
            state: ModalState::new(rows),
            meeting: Meeting::new(nodes, most_blocks),
            rest_q: vec![Row::ZERO; rows],
            rest_force: vec![0.0; stage.table.modes.len()],
            phi: vec![Row::ZERO; rows * nodes],
            strip: Strip::new(rows_for(most_nodes) * ROW, STRIP_NODES),
            blocks: 0,
            now: [0.0; MAX_NODES],
            ahead: [0.0; MAX_NODES],
            rest: [0.0; MAX_NODES],
            level: 0.0,
            swell: 0.0,
            last_travel: 0.0,
            start: scene.run.start,
            separation_m: scene.run.separation_m,
            gravity_force: if scene.run.resonator_gravity {
                scene.resonator.beam.mass_per_area() * scene.run.gravity_m_s2
            } else {
                0.0
            },
        }
    }

    /// Rest amplitudes for the bodies as they are.
    pub fn find_rest(&mut self, stage: &Stage) {
        let (length, slider) = (stage.length_m(), stage.slider_m());
        let seat = self.controls.seat_m(length, slider);
        let load = self.controls.nominal_load_n_m;
        for k in 0..stage.table.resonator {
            let Some(mode) = stage.table.modes.get(k) else { continue };
            let bearing = load * stage.shapes[0].mean(k, seat, seat + slider, length);
            let own = self.gravity_force * length * stage.shapes[0].mean(k, 0.0, length, length);
            if let Some(force) = self.rest_force.get_mut(k) {
                *force = bearing;
            }
            let stiffness = mode.modal_mass * mode.warped * mode.warped;
            let gives = stiffness > 0.0 && !mode.is_still();
            put(&mut self.rest_q, k, if gives { (-(bearing + own) / stiffness) as f32 } else { 0.0 });
        }
    }

    /// What the steady forces add to every step: the load on the slider, and on the resonator what holds
    /// the rest position. A lifted slider takes both away.
    pub fn find_steady(&mut self, stage: &Stage) {
        let slider = stage.slider_m();
        let bears = if self.controls.is_lifted() { 0.0 } else { 1.0 };
        for (k, mode) in stage.table.modes.iter().enumerate() {
            let force = if k < stage.table.resonator {
                self.rest_force.get(k).copied().unwrap_or(0.0)
            } else {
                self.controls.load_n_m()
                    * stage.shapes[1].mean(k - stage.table.resonator, 0.0, slider, slider)
            };
            put(&mut self.state.steady, k, (bears * mode.c * force) as f32);
            put(&mut self.state.pull, k, (bears * force) as f32);
        }
    }

    /// Nodes and blocks of the slider at the present node distance.
    pub fn lay(&mut self, stage: &Stage, ground: &Ground) {
        let step_m = self.controls.step_m();
        let nodes = (stage.slider_m() / step_m + 1e-9).floor() as usize + 1;
        let most = self.meeting.top.len();
        self.blocks = nodes.div_ceil(ROW).min(most);
        let top = ground.top();
        for (b, row) in self.meeting.top.iter_mut().enumerate().take(self.blocks) {
            top.read_open((b * ROW) as i64, &mut row.0);
            // Nodes beyond the slider's end never touch, however small Ra is.
            let inside = nodes.saturating_sub(b * ROW).min(ROW);
            row.0[inside..].fill(-1e30);
        }
        let share = ROW as f64 * step_m / stage.slider_m();
        let blocks = self.blocks;
        self.meeting.broad.set_top(self.meeting.top.get(..blocks).unwrap_or(&[]));
        self.meeting.broad.lay(&stage.nodes, blocks, share);
        self.meeting.forget();
    }

    /// Texture under the slider changed other than by travelling.
    pub fn retexture(&mut self, stage: &Stage, ground: &Ground) {
        self.strip.clear();
        self.lay(stage, ground);
    }

    /// Puts the slider down: everything at rest, the highest asperities just touching.
    #[inline(always)]
    pub fn settle<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, ground: &Ground) {
        self.find_rest(stage);
        self.find_steady(stage);
        self.meeting.let_go();
        for rows in [&mut self.state.q, &mut self.state.w, &mut self.state.heat] {
            rows.fill(Row::ZERO);
        }
        if self.start == Start::Rest {
            for (q, rest) in self.state.q.iter_mut().zip(&self.rest_q) {
                q.0 = rest.0.map(|rest| -rest);
            }
        }
        self.begin::<S, K>(simd, stage);
        self.level = 0.0;
        self.take_seat::<S, K>(simd, stage, self.controls.seat_m(stage.length_m(), stage.slider_m()));
        self.touch_down::<S, K>(simd, stage, ground);
    }

    /// Lowers a slider at rest until it touches the resonator as that is now.
    #[inline(always)]
    pub fn touch_down<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, ground: &Ground) {
        self.reach(ground, 0.0);
        self.level = 0.0;
        self.measure_rest::<S, K>(simd);
        let deflection = self.deflection::<S, K>(simd, false);
        self.level = match self.separation_m {
            Some(separation) => separation as f32,
            None => self.highest_meeting(stage, &deflection),
        };
        self.measure_rest::<S, K>(simd);
        self.look_again::<S, K>(simd);
    }

    /// d of a step that begins in the present state.
    #[inline(always)]
    pub(super) fn begin<S: Simd, const K: usize>(&mut self, _simd: S, stage: &Stage) {
        for k in 0..stage.table.modes.len() {
            let (q, w) = (get(&self.state.q, k), get(&self.state.w, k));
            let (e, l) = (get(&stage.table.e, k), get(&stage.table.l, k));
            let d = w - e * (w + 2.0 * q) + l * q + get(&self.state.steady, k);
            put(&mut self.state.d, k, d);
        }
    }

    /// Φ, C and the rest deflection for a slider at `seat_m`.
    #[inline(always)]
    pub(super) fn take_seat<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, seat_m: f64) {
        stage.fill_shapes::<S, K>(simd, seat_m, &mut self.phi);
        stage.fill_compliance::<S, K>(simd, &self.phi, &mut self.meeting.compliance);
        self.measure_rest::<S, K>(simd);
    }

    #[inline(always)]
    fn measure_rest<S: Simd, const K: usize>(&mut self, simd: S) {
        for j in 0..K {
            let mut sum = simd.splat_f32s(0.0);
            for (phi, q) in self.phi.as_chunks::<K>().0.iter().zip(&self.rest_q) {
                for (&phi, &q) in phi[j].wide::<S>().iter().zip(q.wide::<S>()) {
                    sum = simd.mul_add_e_f32s(phi, q, sum);
                }
            }
            self.rest[j] = simd.reduce_sum_f32s(sum) - self.level;
        }
    }

    /// Deflection at the nodes, now or as it would be one contact-free step ahead.
    #[inline(always)]
    pub(super) fn deflection<S: Simd, const K: usize>(&self, simd: S, ahead: bool) -> [f32; K] {
        std::array::from_fn(|j| {
            let mut sum = simd.splat_f32s(0.0);
            for ((phi, q), d) in self.phi.as_chunks::<K>().0.iter().zip(&self.state.q).zip(&self.state.d) {
                for (part, &phi) in phi[j].wide::<S>().iter().enumerate() {
                    let mut place = q.wide::<S>()[part];
                    if ahead {
                        place = simd.add_f32s(place, d.wide::<S>()[part]);
                    }
                    sum = simd.mul_add_e_f32s(phi, place, sum);
                }
            }
            self.rest[j] + simd.reduce_sum_f32s(sum)
        })
    }

    /// After the state, Φ or the rest have changed between two steps.
    #[inline(always)]
    pub(super) fn look_again<S: Simd, const K: usize>(&mut self, simd: S) {
        let now = self.deflection::<S, K>(simd, false);
        let ahead = self.deflection::<S, K>(simd, true);
        self.now[..K].copy_from_slice(&now);
        self.ahead[..K].copy_from_slice(&ahead);
    }

    /// Mean rest deflection under the slider.
    pub(super) fn mean_rest(&self, nodes: usize) -> f32 {
        self.rest.iter().take(nodes).sum::<f32>() / nodes.max(1) as f32
    }

    /// Shifts the level so that the mean rest deflection is `wanted`: the slider follows the sag.
    pub(super) fn hold_mean_rest(&mut self, nodes: usize, wanted: f32) {
        let shift = self.mean_rest(nodes) - wanted;
        self.level += shift;
        for rest in self.rest.iter_mut().take(nodes) {
            *rest -= shift;
        }
    }

    /// Largest sum of both profiles and the deflection.
    fn highest_meeting(&self, stage: &Stage, deflection: &[f32]) -> f32 {
        let offset = self.controls.offset();
        let node = offset.floor();
        let cubic = Interpolation::cubic(offset - node).weights.map(|w| w as f32);
        let gains = self.controls.gains();
        let share = ROW as f64 * self.controls.step_m() / stage.slider_m();
        let mut highest = f32::MIN;
        for (b, row) in self.meeting.top.iter().enumerate().take(self.blocks) {
            let mut x = 0.0;
            stage.nodes.weights(((b as f64 + 0.5) * share).min(1.0), |j, weight| x += weight * deflection[j]);
            let window = self.strip.heights_from(node as i64 - 1 + (b * ROW) as i64);
            for (stencil, own) in window.windows(4).zip(&row.0) {
                let below: f32 = stencil.iter().zip(cubic).map(|(h, w)| h * w).sum();
                highest = highest.max(gains[0] * below + gains[1] * own + x);
            }
        }
        highest
    }

    /// Strip ready for a chunk that travels `nodes`.
    fn reach(&mut self, ground: &Ground, nodes: f64) {
        let from = self.controls.offset();
        let (low, high) = (from.min(from + nodes).floor() as i64, from.max(from + nodes).ceil() as i64);
        let span = (self.blocks * ROW) as i64;
        self.strip.reach(&ground.bottom(), low - SPARE_NODES, high + span + SPARE_NODES);
    }

    /// One chunk of `steps` steps, the controls already ticked; adds what the pick-ups read to `sound`.
    #[inline(always)]
    pub fn run<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        stage: &Stage,
        ground: &Ground,
        tick: &Tick,
        steps: usize,
        sound: &mut Sound,
    ) {
        self.reach(ground, tick.travel * steps as f64);
        let bottom = ground.bottom();
        let extents = [bottom.extent(), ground.top().extent()];
        let mut force = [0.0f32; K];
        let mut now: [f32; K] = std::array::from_fn(|j| self.now[j]);
        let mut ahead: [f32; K] = std::array::from_fn(|j| self.ahead[j]);
        let mut rest: [f32; K] = std::array::from_fn(|j| self.rest[j]);
        let mut gains = tick.gains;
        let mut offset = self.controls.offset();
        // Pick-ups are summed over their lanes eight steps at a time.
        let mut heard = [[simd.splat_f32s(0.0); AT_ONCE]; MAX_PICKUPS];
        let steps = steps.min(CHUNK);
        if tick.swelling || tick.travel != self.last_travel {
            self.meeting.wake();
            self.last_travel = tick.travel;
        }
        for i in 0..steps {
            if tick.seat_step_m != 0.0 && i % SEAT_STEPS == 0 {
                // The middle of the stretch that this Φ serves.
                let middle = i as f64 + 0.5 * SEAT_STEPS as f64;
                self.take_seat::<S, K>(simd, stage, tick.seat_m + tick.seat_step_m * middle);
                rest = std::array::from_fn(|j| self.rest[j]);
                now = self.deflection(simd, false);
                ahead = self.deflection(simd, true);
            }
            let mut push = None;
            if !tick.lifted && !self.meeting.stays_calm(simd, &ahead) {
                let middle = offset + 0.5 * tick.travel;
                let node = middle.floor();
                let lie = Lie {
                    node: node as i64,
                    travel: tick.travel as f32,
                    gains,
                    reach: tick.law.reach(),
                    swell: self.swell,
                };
                let xi = (middle - node) as f32;
                let (law, strip, swelling) = (&tick.law, &self.strip, tick.swelling);
                let under = Under { law, strip, lie, xi, swelling };
                let (now, ahead, force) = (&now, &mut ahead, &mut force);
                let meeting = &mut self.meeting;
                // A call of its own: the loop over calm steps keeps its registers.
                let outcome = simd.vectorize(Encounter { meeting, under, now, ahead, force });
                self.books.add(&outcome);
                if outcome.touched {
                    push = Some(&*force);
                }
            }
            now = ahead;
            advance::<S, K>(simd, &stage.table, &mut self.state, &self.phi, push, &mut ahead);
            for (r, rest) in ahead.iter_mut().zip(&rest) {
                *r += rest;
            }
            for (heard, taps) in heard.iter_mut().zip(&stage.taps) {
                heard[i % AT_ONCE] = taps.lanes(simd, &self.state);
            }
            if stage.taps_move {
                let share = simd.splat_f32s((i + 1) as f32 / steps as f32);
                for (heard, next) in heard.iter_mut().zip(&stage.next_taps) {
                    let here = heard[i % AT_ONCE];
                    let change = simd.sub_f32s(next.lanes(simd, &self.state), here);
                    heard[i % AT_ONCE] = simd.mul_add_e_f32s(share, change, here);
                }
            }
            if i % AT_ONCE == AT_ONCE - 1 || i + 1 == steps {
                let first = i - i % AT_ONCE;
                for (sound, heard) in sound.iter_mut().zip(&heard).take(stage.taps.len()) {
                    let sums = sums_of_eight(simd, *heard);
                    for (slot, sum) in sound[first..=i].iter_mut().zip(sums) {
                        *slot = sum;
                    }
                }
            }
            offset += tick.travel;
            if tick.swelling {
                for ((gain, step), extent) in gains.iter_mut().zip(tick.gain_steps).zip(extents) {
                    *gain += step;
                    self.swell += step.abs() * extent;
                }
            }
        }
        self.controls.arrive(offset);
        self.now[..K].copy_from_slice(&now);
        self.ahead[..K].copy_from_slice(&ahead);
    }

    /// Heights of the slider's blocks over Ra, and how many are in use.
    pub(super) fn slider_blocks(&self) -> (&[Row], usize) {
        (&self.meeting.top, self.blocks)
    }

    /// The strip's heights over Ra from a node on.
    pub(super) fn strip_from(&self, node: i64) -> &[f32] {
        self.strip.heights_from(node)
    }

    /// Blocks that touched in the last step, and their forces.
    pub(super) fn forces(&self) -> impl Iterator<Item = (u32, f32)> {
        self.meeting.forces()
    }

    /// Deflection between the bodies at the middle of a block.
    pub(super) fn relative_deflection(&self, stage: &Stage, blocks: usize) -> impl Fn(usize) -> f32 {
        let share = ROW as f64 * self.controls.step_m() / stage.slider_m();
        let (nodes, now) = (stage.nodes.clone(), self.now);
        move |block| {
            let mut sum = 0.0;
            let place = ((block.min(blocks) as f64 + 0.5) * share).min(1.0);
            nodes.weights(place, |j, weight| sum += weight * now[j]);
            sum
        }
    }

    /// As new: what `settle` does not set, controls included.
    pub fn clear(&mut self) {
        self.controls = self.first;
        self.forget();
    }

    /// As new with the controls as they are set, `offset_m` along the texture.
    pub fn start(&mut self, offset_m: f64) {
        self.controls.start(offset_m);
        let restarts = self.books.restarts;
        self.forget();
        self.books.restarts = restarts;
    }

    /// Nothing moves and nothing touches.
    pub fn hush(&mut self) {
        self.controls.set_lifted(true);
        self.meeting.let_go();
        for rows in [&mut self.state.q, &mut self.state.w, &mut self.state.d] {
            rows.fill(Row::ZERO);
        }
    }

    fn forget(&mut self) {
        self.books = Books::default();
        self.strip.clear();
        self.meeting.reset();
        self.swell = 0.0;
        self.last_travel = 0.0;
    }
}
