//! Which nodes may touch: a bound that never lies, so that skipping the others changes no bit.
//!
//! A scan keeps every slave node whose gap could close while Δ stays within `reach_nodes` and the
//! deflections within `reach_m` of where they are. Between scans each candidate carries the gap of its
//! last visit and is left alone until the two could have moved that far together:
//! gap ≥ last gap - (path of the deflections) - (steepest slope of the master) · (path of Δ).
//! The deflection's path is Σ_k max|ψ_k|·|ΔU_k|, its slope Σ_k max|ψ_k'|·|U_k|; interpolation (eq. 31)
//! can raise either by at most [`GAIN`].

use super::extremes::{segment_extremes, window_max};
use super::interface::Interface;
use crate::beam::{ModalBasis, ShapeBounds};

/// Largest growth of a bound through the cubic interpolation: Σ|N_r| ≤ 1.25, Σ|N_r'| on differences
/// ≤ 1.5.
const GAIN: f64 = 1.5;
/// Deflection is computed at every so many nodes and taken as straight between; the curvature bounds
/// the error.
const COARSE: i64 = 64;
/// Scans come about this often.
const WINDOW_S: f64 = 20e-6;

#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub slave: i64,
    /// Gap at the last visit, or 0 when it must be visited.
    gap: f64,
    /// Paths at that visit.
    path: f64,
    travel: f64,
    /// Steepest slope of the master within reach, height per node.
    steep: f64,
}

#[derive(Default)]
pub struct BroadPhase {
    pub candidates: [Vec<Candidate>; 2],
    bounds: Vec<ShapeBounds>,
    step_m: f64,
    reach_nodes: f64,
    /// Per profile: highest point and steepest slope of the segments within reach of each segment.
    peaks: [Vec<f64>; 2],
    steeps: [Vec<f64>; 2],
    /// Per profile: highest node and highest peak within half a cell of each place.
    cell_heights: [Vec<f64>; 2],
    cell_peaks: [Vec<f64>; 2],
    last_amplitudes: Vec<f64>,
    last_offset: f64,
    path: f64,
    travel: f64,
    slope: f64,
    scan: Option<Scan>,
    last_scan: (f64, f64),
}

/// What the last scan was good for.
struct Scan {
    offset: f64,
    path: f64,
    reach_m: f64,
}

impl BroadPhase {
    /// `bases` in the order of the amplitudes; `peak_speed` is the largest |Δ̇|.
    pub fn new(
        bases: [&ModalBasis; 2],
        heights: [&[f64]; 2],
        looped: bool,
        step_m: f64,
        peak_speed: f64,
    ) -> Self {
        let bounds = bases.iter().flat_map(|basis| (0..basis.len()).map(|k| basis.bounds(k))).collect();
        let reach_nodes = (peak_speed * WINDOW_S / step_m).ceil().max(1.0);
        let mut phase = Self { bounds, step_m, reach_nodes, ..Self::default() };
        for (profile, heights) in heights.into_iter().enumerate() {
            let loops = looped && profile == 0;
            let (peaks, steeps) = segment_extremes(heights, loops);
            // One more on either side: rounding Δ down, and the segment a node is about to enter.
            let window = reach_nodes as usize + 1;
            phase.peaks[profile] = window_max(&peaks, window, loops);
            phase.steeps[profile] = window_max(&steeps, window, loops);
            let half_cell = COARSE as usize / 2 + 1;
            phase.cell_heights[profile] = window_max(heights, half_cell, loops);
            phase.cell_peaks[profile] = window_max(&phase.peaks[profile], half_cell, loops);
        }
        phase
    }

    /// Books the way that everything has gone since the last call.
    pub fn advance(&mut self, offset: f64, amplitudes: &[f64]) {
        if self.last_amplitudes.len() != amplitudes.len() {
            self.last_amplitudes = amplitudes.to_vec();
            self.last_offset = offset;
        }
        let (mut moved, mut slope) = (0.0, 0.0);
        for ((bound, now), last) in self.bounds.iter().zip(amplitudes).zip(&mut self.last_amplitudes) {
            moved += bound.value * (now - *last).abs();
            slope += bound.slope * now.abs();
            *last = *now;
        }
        let travelled = (offset - self.last_offset).abs();
        self.last_offset = offset;
        self.slope = slope;
        self.path += GAIN * (moved + slope * travelled * self.step_m);
        self.travel += travelled;
    }

    pub fn is_stale(&self, offset: f64) -> bool {
        self.scan.as_ref().is_none_or(|scan| {
            self.path - scan.path > scan.reach_m || (offset - scan.offset).abs() > self.reach_nodes
        })
    }

    #[inline]
    pub fn may_touch(&self, candidate: &Candidate) -> bool {
        (self.path - candidate.path) + candidate.steep * (self.travel - candidate.travel) >= candidate.gap
    }

    pub fn note(&mut self, pass: usize, index: usize, gap: f64) {
        let candidate = &mut self.candidates[pass][index];
        // A hair less than was measured, for rounding in the paths.
        candidate.gap = gap * (1.0 - 1e-9) - 1e-18;
        candidate.path = self.path;
        candidate.travel = self.travel;
    }

    /// Finds all candidates anew.
    pub fn scan(
        &mut self,
        interface: &mut Interface,
        time_s: f64,
        offset: f64,
        amplitudes: &[f64],
        law_reach: f64,
    ) {
        let (last_time, last_path) = self.last_scan;
        let pace = if time_s > last_time { (self.path - last_path) / (time_s - last_time) } else { 0.0 };
        let reach_m = (1.2 * pace * WINDOW_S).clamp(1e-9, 1e-6);
        self.last_scan = (time_s, self.path);
        let curvature: f64 = self.bounds.iter().zip(amplitudes).map(|(b, u)| b.curvature * u.abs()).sum();
        let coarse_m = COARSE as f64 * self.step_m;
        let margin = reach_m
            + GAIN * self.slope * (self.reach_nodes + 3.0) * self.step_m
            + curvature * (coarse_m * coarse_m / 8.0 + 4.0 * self.step_m * self.step_m)
            + 1e-12;
        self.scan = Some(Scan { offset, path: self.path, reach_m });
        let whole = offset.floor() as i64;
        let query = Query {
            threshold: interface.separation_m - law_reach - margin,
            whole,
            coarse: coarse_deflection(interface, whole, amplitudes),
            extra: self.reach_nodes as i64 + 1,
        };
        let mut found = std::mem::take(&mut self.candidates);
        for (pass, list) in found.iter_mut().enumerate() {
            list.clear();
            self.scan_pass(interface, pass, &query, list);
        }
        self.candidates = found;
    }

    /// Cell by cell along the slider: first the highest that the cell could hold, then its nodes.
    fn scan_pass(&self, interface: &Interface, pass: usize, query: &Query, list: &mut Vec<Candidate>) {
        let master = 1 - pass;
        let slider_nodes = interface.heights[1].len() as i64;
        // Bottom nodes may still come under the slider from either end.
        let extra = if pass == 0 { query.extra } else { 0 };
        let (slave_shift, master_shift) = if pass == 0 { (query.whole, 0) } else { (0, query.whole) };
        let place = |profile: usize, node: i64, length: usize| {
            let length = length as i64;
            let wrapped = if interface.looped && profile == 0 {
                node.rem_euclid(length)
            } else {
                node.clamp(0, length - 1)
            };
            wrapped as usize
        };
        let mut start = -(extra / COARSE + 1) * COARSE;
        while start < slider_nodes + extra {
            let centre = start + COARSE / 2;
            let height =
                self.cell_heights[pass][place(pass, centre + slave_shift, interface.heights[pass].len())];
            let peak =
                self.cell_peaks[master][place(master, centre + master_shift, self.peaks[master].len())];
            let deflection = query.coarse.highest(start, start + COARSE);
            let end = (start + COARSE).min(slider_nodes + extra);
            let first = start.max(-extra);
            start += COARSE;
            if height + peak + deflection <= query.threshold {
                continue;
            }
            for node in first..end {
                let slave = node + slave_shift;
                let open = !(interface.looped && pass == 0);
                if open && (slave < 0 || slave >= interface.heights[pass].len() as i64) {
                    continue;
                }
                let segment = place(master, node + master_shift, self.peaks[master].len());
                let height = interface.heights[pass][interface.wrap(pass, slave)];
                if height + self.peaks[master][segment] + query.coarse.at(node) > query.threshold {
                    let steep = self.steeps[master][segment];
                    list.push(Candidate { slave, gap: 0.0, path: self.path, travel: self.travel, steep });
                }
            }
        }
    }
}

/// What one scan asks of every node.
struct Query {
    threshold: f64,
    /// Δ/χ rounded down.
    whole: i64,
    coarse: CoarseDeflection,
    /// Nodes beyond the slider's ends that may come under it.
    extra: i64,
}

/// Sum of both deflections along the slider, straight between coarse nodes. Those lie at whole multiples
/// of the coarse step on the resonator, so that their mode shapes are computed once.
struct CoarseDeflection {
    values: Vec<f64>,
    phase: i64,
    last_node: i64,
}

impl CoarseDeflection {
    fn node(&self, index: i64) -> i64 {
        (index * COARSE - self.phase).clamp(0, self.last_node)
    }

    fn at(&self, node: i64) -> f64 {
        let node = node.clamp(0, self.last_node);
        let cell = ((node + self.phase) / COARSE).min(self.values.len() as i64 - 2);
        let (start, end) = (self.node(cell), self.node(cell + 1));
        let (left, right) = (self.values[cell as usize], self.values[cell as usize + 1]);
        if end > start { left + (node - start) as f64 / (end - start) as f64 * (right - left) } else { left }
    }

    /// No less than the value anywhere between two nodes at most a coarse step apart.
    fn highest(&self, from: i64, to: i64) -> f64 {
        let middle = self.node((to.clamp(0, self.last_node) + self.phase) / COARSE);
        self.at(from).max(self.at(to)).max(self.at(middle))
    }
}

fn coarse_deflection(interface: &mut Interface, whole: i64, amplitudes: &[f64]) -> CoarseDeflection {
    let last_node = interface.heights[1].len() as i64 - 1;
    let phase = if interface.looped { 0 } else { whole.rem_euclid(COARSE) };
    let points = (last_node + phase) / COARSE + 2;
    let mut coarse = CoarseDeflection { values: Vec::with_capacity(points as usize), phase, last_node };
    for index in 0..points {
        let node = coarse.node(index);
        let value = if interface.looped {
            interface.boards[0].peek(node as usize, amplitudes)
        } else {
            let below = (node + whole).clamp(0, interface.boards[0].nodes() as i64 - 1);
            interface.boards[0].peek(below as usize, amplitudes)
                + interface.boards[1].peek(node as usize, amplitudes)
        };
        coarse.values.push(value);
    }
    coarse
}
