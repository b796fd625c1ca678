//! One chunk of one voice.
//!
//! A chunk is a fixed number of inner steps counted from reset. The controls have taken their tick; every step
//! reads: free deflection → contact → kick → pick-ups.

use super::broad::{Lie, Place};
use super::control::Tick;
use super::lanes::{ROW, sums_of_eight};
use super::meet::{Encounter, Under};
use super::pass::{MAX_PICKUPS, ModalState, Taps, advance};
use super::rub::{Grip, Rub};
use super::stage::Stage;
use super::tow::Free;
use super::voice::{CHUNK, Ground, Sound, Voice};
use pulp::Simd;

/// Steps between two looks at where a travelling slider stands.
const SEAT_STEPS: usize = 8;
/// Nodes held ready beyond what a chunk is known to need.
const SPARE_NODES: i64 = 256;
/// Nodes from the start of the texture that a slider can count to.
pub(super) const FARTHEST: f64 = 1e15;
/// Nodes in a step beyond which heights are read in its middle only.
const FASTEST_NODES: f64 = 16.0;
/// Steps whose readings are summed together.
const AT_ONCE: usize = 8;

/// What changes from step to step.
struct Course<const K: usize> {
    now: [f32; K],
    ahead: [f32; K],
    rest: [f32; K],
    force: [f32; K],
    gains: [f32; 2],
    /// Slider over the texture, and its way in this step, in nodes.
    offset: f64,
    travel: f64,
    /// What moves the slider along x besides friction, and friction.
    pulled: Option<(Free, f64)>,
}

/// What all steps of a chunk have in common.
struct Terms {
    /// Distance between nodes.
    step_m: f64,
    /// The slider goes its own way along x.
    floats: bool,
    /// Heights move within a step.
    moves: bool,
    reach: f32,
    /// One over the distance between nodes where slopes count.
    per_metre: Option<f32>,
}

impl Terms {
    fn new(voice: &Voice, tick: &Tick) -> Self {
        let step_m = voice.controls.step_m();
        let floats = voice.rub.as_ref().is_some_and(|rub| !rub.tow.is_rigid());
        // A slider that goes its own way pays for what moving the heights takes, before the step is solved: for it
        // they stand still within a step.
        let moves = tick.law.is_abrupt() && !floats && tick.travel.abs() <= FASTEST_NODES;
        let per_metre = voice.rub.is_some().then(|| (1.0 / step_m) as f32);
        Self { step_m, floats, moves, reach: tick.law.reach(), per_metre }
    }
}

/// Pick-ups of some steps, not yet summed over their lanes.
struct Ear<S: Simd> {
    heard: [[S::f32s; AT_ONCE]; MAX_PICKUPS],
}

impl<S: Simd> Ear<S> {
    /// The pick-ups, each with the place for its reading of step `i`.
    #[inline(always)]
    fn open<'a>(
        &'a mut self,
        stage: &'a Stage,
        i: usize,
    ) -> impl Iterator<Item = (&'a Taps, &'a mut S::f32s)> {
        stage.taps.iter().zip(&mut self.heard).map(move |(taps, heard)| (taps, &mut heard[i % AT_ONCE]))
    }

    /// Pick-ups on their way: step `i` of `steps` is heard between the old place and the next.
    #[inline(always)]
    fn follow(&mut self, simd: S, stage: &Stage, state: &ModalState, i: usize, steps: usize) {
        let share = simd.splat_f32s((i + 1) as f32 / steps as f32);
        for (heard, next) in self.heard.iter_mut().zip(&stage.next_taps) {
            let heard = &mut heard[i % AT_ONCE];
            let change = simd.sub_f32s(next.lanes(simd, state), *heard);
            *heard = simd.mul_add_e_f32s(share, change, *heard);
        }
    }

    /// Writes the steps since the last time, `i` the last of them.
    #[inline(always)]
    fn write(&self, simd: S, pickups: usize, i: usize, sound: &mut Sound) {
        let first = i - i % AT_ONCE;
        for (sound, heard) in sound.iter_mut().zip(&self.heard).take(pickups) {
            let sums = sums_of_eight(simd, *heard);
            for (slot, sum) in sound[first..=i].iter_mut().zip(sums) {
                *slot = sum;
            }
        }
    }
}

/// The node at or before a place; places that no slider gets to, or that are no number, end somewhere.
#[inline(always)]
pub(super) fn node_at(place: f64) -> i64 {
    place.floor().clamp(-FARTHEST, FARTHEST) as i64
}

impl Voice {
    /// Strip ready for a chunk in which the drive travels `nodes` and the slider perhaps as many as `own`.
    pub(super) fn reach(&mut self, ground: &Ground, nodes: f64, own: f64) {
        let from = self.controls.offset();
        let (back, on) = (nodes.min(own).min(0.0), nodes.max(own).max(0.0));
        let (low, high) = (node_at(from + back), node_at((from + on).ceil()));
        let span = (self.blocks * ROW) as i64;
        self.strip.reach(&ground.bottom(), low - SPARE_NODES, high + span + SPARE_NODES);
    }

    /// `steps` steps; writes what the pick-ups read to `sound`.
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
        let steps = steps.min(CHUNK);
        if let (Some(rub), Some(grasp)) = (&mut self.rub, &tick.grasp) {
            rub.take(grasp);
        }
        let terms = Terms::new(self, tick);
        let step_m = terms.step_m;
        let own = self.rub.as_ref().map_or(0.0, |rub| rub.tow.speed * stage.step_s / step_m);
        self.reach(ground, tick.travel * steps as f64, own * steps as f64);
        let extents = [ground.bottom().extent(), ground.top().extent()];
        let mut course = Course::<K> {
            now: std::array::from_fn(|j| self.now[j]),
            ahead: std::array::from_fn(|j| self.ahead[j]),
            rest: std::array::from_fn(|j| self.rest[j]),
            force: [0.0; K],
            gains: tick.gains,
            offset: self.controls.offset(),
            travel: tick.travel,
            pulled: None,
        };
        let mut ear = Ear { heard: [[simd.splat_f32s(0.0); AT_ONCE]; MAX_PICKUPS] };
        for i in 0..steps {
            if tick.seat_step_m != 0.0 && i % SEAT_STEPS == 0 {
                // The middle of the stretch that this Φ serves.
                let middle = i as f64 + 0.5 * SEAT_STEPS as f64;
                self.take_seat::<S, K>(simd, stage, tick.seat_m + tick.seat_step_m * middle);
                course.rest = std::array::from_fn(|j| self.rest[j]);
                course.now = self.deflection(simd, false);
                course.ahead = self.deflection(simd, true);
            }
            self.pull(stage, tick, &terms, &mut course);
            let touched = !tick.lifted && self.encounter(simd, stage, tick, &terms, &mut course);
            let push = touched.then_some(&course.force);
            course.now = course.ahead;
            let heard = ear.open(stage, i);
            advance::<S, K>(simd, &stage.table, &mut self.state, &self.phi, push, &mut course.ahead, heard);
            for (r, rest) in course.ahead.iter_mut().zip(&course.rest) {
                *r += rest;
            }
            if stage.taps_move {
                ear.follow(simd, stage, &self.state, i, steps);
            }
            if i % AT_ONCE == AT_ONCE - 1 || i + 1 == steps {
                ear.write(simd, stage.taps.len(), i, sound);
            }
            let way_m = match (&mut self.rub, course.pulled) {
                (Some(rub), Some((free, friction))) => rub.advance(&free, friction),
                _ => 0.0,
            };
            // A rigid drive goes its way to the last digit, whatever rubs.
            course.offset += if terms.floats { way_m / step_m } else { course.travel };
            if tick.swelling {
                for ((gain, step), extent) in course.gains.iter_mut().zip(tick.gain_steps).zip(extents) {
                    *gain += step;
                    self.swell += step.abs() * extent;
                }
            }
        }
        if tick.lifted {
            // Time goes on for a body that rings free.
            self.meeting.work.steps += steps as u64;
        }
        self.controls.arrive(course.offset);
        self.now[..K].copy_from_slice(&course.now);
        self.ahead[..K].copy_from_slice(&course.ahead);
    }

    /// Where the slider would go in this step without friction.
    #[inline(always)]
    fn pull<const K: usize>(&self, stage: &Stage, tick: &Tick, terms: &Terms, course: &mut Course<K>) {
        if let Some(rub) = &self.rub {
            let step_m = terms.step_m;
            if terms.floats {
                course.travel = rub.tow.speed * stage.step_s / step_m;
            }
            course.pulled = Some((rub.predict(tick.travel * step_m / stage.step_s), 0.0));
        }
    }

    /// Looks for contact and solves it; whether any force acts.
    #[inline(always)]
    fn encounter<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        stage: &Stage,
        tick: &Tick,
        terms: &Terms,
        course: &mut Course<K>,
    ) -> bool {
        let place = |at: f64| Place { node: node_at(at), xi: (at - at.floor()) as f32 };
        let places = if terms.moves {
            [place(course.offset), place(course.offset + course.travel)]
        } else {
            [place(course.offset + 0.5 * course.travel); 2]
        };
        let lie = Lie {
            places,
            moves: terms.moves,
            travel: course.travel as f32,
            gains: course.gains,
            reach: terms.reach,
            swell: self.swell,
        };
        // By value: what most steps only look at stays in registers.
        if self.meeting.passes_by(simd, &self.strip, lie, &course.now, &course.ahead) {
            return false;
        }
        let under = Under { law: &tick.law, strip: &self.strip, lie, per_metre: terms.per_metre };
        let pays = self.rub.as_ref().is_some_and(Rub::pays);
        let mut grip = match (&mut self.rub, course.pulled) {
            (Some(rub), Some((free, _))) => {
                let (state, table, phi) = (&mut self.state, &stage.table, &self.phi[..]);
                Some(Grip { rub, free, travel_m: course.travel * terms.step_m, state, table, phi })
            }
            _ => None,
        };
        let Course { now, ahead, force, .. } = course;
        let meeting = &mut self.meeting;
        // A call of its own: the loop over steps that nothing touches in keeps its registers.
        let outcome =
            simd.vectorize(Encounter { meeting, under: &under, now, ahead, force, grip: &mut grip });
        self.books.add(&outcome, pays);
        if let Some(free) = outcome.free {
            course.pulled = Some((free, outcome.friction));
        }
        outcome.touched
    }
}
