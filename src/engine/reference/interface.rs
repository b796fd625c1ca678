//! The two profiles against each other: master segments, gaps, forces and reactions (Dang 2013, §2.4),
//! node to segment, in two passes with the roles exchanged.
//!
//! Both grids have the step χ, so one local coordinate ξ serves all nodes of a pass. When the slider
//! travels, profile 1 belongs to the resonator and profile 2 to the slider: two boards. In endless
//! motion the texture runs under a slider that stays in place; what meets at the slider's nodes is then
//! the sum of both deflections there: one board of the slider's nodes for all modes.

use super::board::Board;
use super::broad_phase::BroadPhase;
use super::touch::{Pairing, Touch, pairings};
use crate::contact::{ContactLaw, Interpolation};
use crate::scene::Motion;
use crate::scheme::ForceField;
use crate::surface::Profile;

/// Which nodes are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Every node of both profiles, every step.
    Literal,
    /// Only nodes that may touch.
    Pruned,
}

pub struct Interface {
    pub heights: [Vec<f64>; 2],
    /// Profile 1 is a loop.
    pub looped: bool,
    pub step_m: f64,
    /// δ.
    pub separation_m: f64,
    pub boards: Vec<Board>,
    pub touches: Vec<Touch>,
    law: Option<ContactLaw>,
    walk: Walk,
    broad: BroadPhase,
    pairings: [Pairing; 2],
    course: Course,
}

/// Δ.
pub enum Course {
    /// Known for all times.
    Imposed(Motion),
    /// Where the slider is now, whatever the time.
    Free(f64),
}

impl Interface {
    pub fn new(
        profiles: (Profile, Profile),
        boards: Vec<Board>,
        law: Option<ContactLaw>,
        walk: Walk,
        broad: BroadPhase,
        course: Course,
    ) -> Self {
        let step_m = profiles.0.step_m;
        let looped = profiles.0.periodic;
        Self {
            heights: [profiles.0.heights_m, profiles.1.heights_m],
            looped,
            step_m,
            separation_m: 0.0,
            boards,
            touches: Vec::with_capacity(64),
            law,
            walk,
            broad,
            pairings: pairings(0.0),
            course,
        }
    }

    pub fn law(&self) -> Option<&ContactLaw> {
        self.law.as_ref()
    }

    /// Moves a slider that is free along x.
    pub fn move_to(&mut self, offset_m: f64) {
        self.course = Course::Free(offset_m);
    }

    /// Eqs. 28 and 29 at time `time_s` for both passes.
    pub(super) fn place(&mut self, time_s: f64) -> f64 {
        let offset = match self.course {
            Course::Imposed(motion) => motion.offset(time_s),
            Course::Free(offset_m) => offset_m,
        } / self.step_m;
        self.pairings = pairings(offset);
        offset
    }

    /// Index into a profile's heights.
    #[inline]
    pub fn wrap(&self, profile: usize, node: i64) -> usize {
        if self.looped && profile == 0 {
            node.rem_euclid(self.heights[0].len() as i64) as usize
        } else {
            node as usize
        }
    }

    /// Slave nodes of a pass that lie over the other profile.
    pub(super) fn zone(&self, pass: usize) -> std::ops::Range<i64> {
        let last_segment = self.heights[1 - pass].len() as i64 - 2;
        let shift = self.pairings[pass].shift;
        match pass {
            0 if self.looped => -shift..last_segment - shift + 1,
            0 => (-shift).max(0)..(last_segment - shift + 1).min(self.heights[0].len() as i64),
            _ if self.looped => 0..self.heights[1].len() as i64,
            _ => (-shift).max(0)..(last_segment - shift + 1).min(self.heights[1].len() as i64),
        }
    }

    /// Interpolation on master segment `master`: straight at the two ends of an open profile (eq. 32).
    #[inline]
    pub fn rule(&self, pass: usize, master: i64) -> &Interpolation {
        let profile = 1 - pass;
        let open_end = master == 0 || master + 2 == self.heights[profile].len() as i64;
        if open_end && !(self.looped && profile == 0) {
            &self.pairings[pass].linear
        } else {
            &self.pairings[pass].cubic
        }
    }

    /// A node that comes under the edge of an open profile counts from nothing to whole over the first
    /// segment, and back over the last. Without that a node under a tilted slider's edge would appear
    /// with its full force at once, and energy with it. Ideal contact has no force to fade.
    fn edge(&self, pass: usize, master: i64) -> (f64, f64) {
        let profile = 1 - pass;
        if self.law.is_none() || (self.looped && profile == 0) {
            return (1.0, 0.0);
        }
        let xi = self.pairings[pass].linear.weights[2];
        // Pass 1 moves back along the slider as Δ grows, pass 2 forward along the resonator.
        let along = if pass == 0 { -1.0 } else { 1.0 } / self.step_m;
        if master == 0 {
            (xi, along)
        } else if master + 2 == self.heights[profile].len() as i64 {
            (1.0 - xi, -along)
        } else {
            (1.0, 0.0)
        }
    }

    /// Boards and nodes where profile `pass` deflects; `None` where another term already holds it.
    #[inline]
    pub fn seat(&self, profile: usize, as_slave: bool) -> Option<usize> {
        match (self.looped, profile, as_slave) {
            (false, _, _) => Some(profile),
            // The slider's nodes carry the deflection of both bodies.
            (true, 1, _) => Some(0),
            (true, _, _) => None,
        }
    }

    /// Eq. 30: gap at a slave node, and its change with Δ. `None` outside the contact zone.
    pub(super) fn gap(&mut self, pass: usize, slave: i64, amplitudes: &[f64]) -> Option<(f64, f64, i64)> {
        if !self.zone(pass).contains(&slave) {
            return None;
        }
        let master = slave + self.pairings[pass].shift;
        let rule = *self.rule(pass, master);
        let mut own = self.heights[pass][self.wrap(pass, slave)];
        if let Some(board) = self.seat(pass, true) {
            own += self.boards[board].deflection(slave as usize, amplitudes);
        }
        let profile = 1 - pass;
        let seat = self.seat(profile, false);
        let (mut other, mut slope) = (0.0, 0.0);
        for r in 0..4 {
            if rule.weights[r] == 0.0 && rule.slopes[r] == 0.0 {
                continue;
            }
            let node = master - 1 + r as i64;
            let mut value = self.heights[profile][self.wrap(profile, node)];
            if let Some(board) = seat {
                value += self.boards[board].deflection(node as usize, amplitudes);
            }
            other += rule.weights[r] * value;
            slope += rule.slopes[r] * value;
        }
        let gap = self.separation_m - own - other;
        // Pass 1 looks up the master at x - Δ, pass 2 at x + Δ.
        let opening = if pass == 0 { slope } else { -slope } / self.step_m;
        Some((gap, opening, master))
    }

    /// Finds all touches at a time and for given amplitudes, in the paper's order. A gap below the law's
    /// reach touches; for ideal contact a negative one.
    pub fn detect(&mut self, time_s: f64, amplitudes: &[f64]) {
        let offset = self.place(time_s);
        let reach = self.law.map_or(0.0, |law| law.reach());
        self.touches.clear();
        for board in &mut self.boards {
            board.begin();
        }
        match self.walk {
            Walk::Literal => self.visit_all(amplitudes, reach),
            Walk::Pruned => self.visit_candidates(time_s, offset, amplitudes, reach),
        }
    }

    fn visit_all(&mut self, amplitudes: &[f64], reach: f64) {
        for board in &mut self.boards {
            board.deflect_all(amplitudes);
        }
        for pass in 0..2 {
            for slave in self.zone(pass) {
                self.visit(pass, slave, amplitudes, reach);
            }
        }
    }

    fn visit_candidates(&mut self, time_s: f64, offset: f64, amplitudes: &[f64], reach: f64) {
        let mut broad = std::mem::take(&mut self.broad);
        broad.advance(offset, amplitudes);
        if broad.is_stale(offset) {
            broad.scan(self, time_s, offset, amplitudes, reach);
        }
        for pass in 0..2 {
            for index in 0..broad.candidates[pass].len() {
                let candidate = broad.candidates[pass][index];
                if broad.may_touch(&candidate) {
                    let gap = self.visit(pass, candidate.slave, amplitudes, reach);
                    broad.note(pass, index, gap.map_or(0.0, |gap| gap - reach));
                }
            }
        }
        self.broad = broad;
    }

    /// One slave node: its gap, and a touch if it is in contact.
    pub(super) fn visit(&mut self, pass: usize, slave: i64, amplitudes: &[f64], reach: f64) -> Option<f64> {
        let (gap, opening, master) = self.gap(pass, slave, amplitudes)?;
        if gap < reach {
            let pressure = self.law.map_or(0.0, |law| law.pressure(gap));
            let (edge, edge_slope) = self.edge(pass, master);
            self.touches.push(Touch { pass, slave, master, gap, pressure, opening, edge, edge_slope });
        }
        Some(gap)
    }

    /// Share of a step that a slave node stands for, apart from [`Touch::edge`].
    pub fn slave_share(&self, touch: &Touch) -> f64 {
        match self.seat(touch.pass, true) {
            Some(board) => self.boards[board].share(touch.slave as usize),
            None => 1.0,
        }
    }

    /// Puts a touch's pressure on its slave node and the reactions on the master's (eq. 34). A node at
    /// the end of a body stands for half a step; the reaction is what really acts, so that action and
    /// reaction balance there too.
    pub(super) fn load(&mut self, touch: &Touch) {
        let share = self.slave_share(touch);
        let force = -touch.pressure * touch.edge;
        if let Some(board) = self.seat(touch.pass, true) {
            self.boards[board].add_force(touch.slave as usize, force);
        }
        if let Some(board) = self.seat(1 - touch.pass, false) {
            let rule = *self.rule(touch.pass, touch.master);
            for r in 0..4 {
                if rule.weights[r] != 0.0 {
                    let node = (touch.master - 1 + r as i64) as usize;
                    let board = &mut self.boards[board];
                    board.add_force(node, rule.weights[r] * force * (share / board.share(node)));
                }
            }
        }
    }

    /// Modal forces of the touches found last (eqs. 34 and 35).
    pub fn project(&mut self, out: &mut [f64]) {
        let touches = std::mem::take(&mut self.touches);
        for touch in &touches {
            self.load(touch);
        }
        self.touches = touches;
        for board in &mut self.boards {
            match self.walk {
                Walk::Literal => board.project_all(out),
                Walk::Pruned => board.project(out),
            }
        }
    }
}

impl ForceField for Interface {
    fn modal_forces(&mut self, time_s: f64, displacement: &[f64], out: &mut [f64]) {
        self.detect(time_s, displacement);
        self.project(out);
    }
}
