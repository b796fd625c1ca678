//! The way out: what the pick-ups read of all voices together, lowered to the host's rate.
//!
//! Every voice can be panned, and the pick-ups are panned again by whoever listens. So each pick-up has two
//! channels: the sum of all voices, and their lean, half of what left gets more than right. Without a panned voice
//! the lean is not computed at all.

use super::decimate::Decimator;
use super::pass::MAX_PICKUPS;
use super::pickups::{HighPass, Place, kernel};
use super::voice::{CHUNK, Sound};
use crate::pickup::sides;
use crate::record::Quantity;
use pulp::Simd;
use std::f64::consts::FRAC_1_SQRT_2;

/// One chunk of all voices.
pub struct Mix {
    pub sum: Sound,
    pub lean: Sound,
    /// Some voice leans.
    pub leans: bool,
}

impl Mix {
    pub fn silence() -> Self {
        Self { sum: [[0.0; CHUNK]; MAX_PICKUPS], lean: [[0.0; CHUNK]; MAX_PICKUPS], leans: false }
    }
}

/// What a voice at `pan` (-1 left, 1 right) adds to sum and lean: constant power, nothing changed in the middle.
pub fn shares(pan: f64) -> [f32; 2] {
    if pan == 0.0 {
        return [1.0, 0.0];
    }
    let [left, right] = sides(pan).map(|side| side * FRAC_1_SQRT_2);
    [(left + right) as f32, (left - right) as f32]
}

/// One channel of one pick-up.
struct Outlet {
    quantity: Quantity,
    decimator: Decimator,
    high_pass: Option<HighPass>,
    ready: [f32; CHUNK],
}

impl Outlet {
    fn new(quantity: Quantity, host_rate_hz: f64, factor: usize, chunk: usize) -> Self {
        Self {
            quantity,
            decimator: Decimator::new(kernel(quantity), host_rate_hz, factor, chunk),
            high_pass: (quantity == Quantity::Displacement).then(|| HighPass::new(host_rate_hz)),
            ready: [0.0; CHUNK],
        }
    }

    fn reset(&mut self) {
        self.decimator.reset();
        self.ready = [0.0; CHUNK];
        if let Some(filter) = &mut self.high_pass {
            filter.reset();
        }
    }

    /// Nothing is left to come out.
    fn is_silent(&self) -> bool {
        self.decimator.is_silent() && self.high_pass.as_ref().is_none_or(HighPass::is_silent)
    }

    #[inline(always)]
    fn lower<S: Simd>(&mut self, simd: S, sound: &[f32]) {
        let Self { decimator, high_pass, ready, .. } = self;
        let mut count = 0;
        decimator.run(simd, sound, |index, sample| {
            ready[index] = sample;
            count = index + 1;
        });
        if let Some(filter) = high_pass {
            for sample in &mut ready[..count] {
                *sample = filter.run(*sample);
            }
        }
    }
}

/// All pick-ups, and how much of the present chunk the host has taken.
pub struct Outlets {
    sums: Vec<Outlet>,
    leans: Vec<Outlet>,
    leaning: bool,
    factor: usize,
    /// Host samples ready and taken of the present chunk.
    ready: usize,
    taken: usize,
}

impl Outlets {
    pub fn new(places: &[Place], host_rate_hz: f64, factor: usize, chunk: usize) -> Self {
        let all =
            || places.iter().map(|place| Outlet::new(place.quantity, host_rate_hz, factor, chunk)).collect();
        Self { sums: all(), leans: all(), leaning: false, factor, ready: 0, taken: 0 }
    }

    pub fn reset(&mut self) {
        self.sums.iter_mut().chain(&mut self.leans).for_each(Outlet::reset);
        self.leaning = false;
        (self.ready, self.taken) = (0, 0);
    }

    pub fn len(&self) -> usize {
        self.sums.len()
    }

    pub fn quantity(&self, pickup: usize) -> Option<Quantity> {
        self.sums.get(pickup).map(|outlet| outlet.quantity)
    }

    /// For tests of the guard.
    pub(super) fn poison(&mut self, value: f32) {
        for outlet in &mut self.sums {
            outlet.decimator.poison(value);
            if let Some(filter) = &mut outlet.high_pass {
                filter.run(value);
            }
        }
    }

    /// In host samples.
    pub fn latency(&self) -> usize {
        let delay = self.sums.iter().map(|outlet| outlet.decimator.delay()).max().unwrap_or(0);
        delay.div_ceil(self.factor)
    }

    pub fn is_silent(&self) -> bool {
        !self.leaning && self.sums.iter().all(Outlet::is_silent)
    }

    /// Samples that can be taken now.
    pub fn waiting(&self) -> usize {
        self.ready - self.taken
    }

    /// Writes the next `count` samples to `at` of every output; those without a pick-up get silence.
    pub fn take(&mut self, sums: &mut [&mut [f32]], leans: &mut [&mut [f32]], at: usize, count: usize) {
        let from = self.taken;
        self.taken += count;
        let write = |outlet: Option<&Outlet>, output: &mut [f32]| match outlet {
            Some(outlet) => output[at..at + count].copy_from_slice(&outlet.ready[from..from + count]),
            None => output[at..at + count].fill(0.0),
        };
        for (n, output) in sums.iter_mut().enumerate() {
            write(self.sums.get(n), output);
        }
        for (n, output) in leans.iter_mut().enumerate() {
            write(self.leans.get(n).filter(|_| self.leaning), output);
        }
    }
}

/// Inner samples to host samples.
pub struct Lower<'a> {
    pub outlets: &'a mut Outlets,
    pub mix: &'a Mix,
    pub steps: usize,
}

impl pulp::WithSimd for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { outlets, mix, steps } = self;
        for (outlet, sound) in outlets.sums.iter_mut().zip(&mix.sum) {
            outlet.lower(simd, &sound[..steps]);
        }
        outlets.leaning = mix.leans || outlets.leaning && !outlets.leans.iter().all(Outlet::is_silent);
        if outlets.leaning {
            for (outlet, sound) in outlets.leans.iter_mut().zip(&mix.lean) {
                outlet.lower(simd, &sound[..steps]);
            }
        }
        outlets.ready = steps / outlets.factor;
        outlets.taken = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pans_keep_the_power_and_leave_the_middle_alone() {
        assert_eq!(shares(0.0), [1.0, 0.0]);
        for pan in [-1.0, -0.3, 1e-9, 0.5, 1.0] {
            let [sum, lean] = shares(pan).map(f64::from);
            let (left, right) = (sum + lean, sum - lean);
            assert!((left * left + right * right - 2.0).abs() < 1e-6, "{pan}");
            assert!((right - left) * pan > 0.0, "{pan}");
        }
    }
}
