//! What can be asked of the interface beside a step: where it just touches, every point of it, and how one
//! touch acts on the modes.

use super::interface::Interface;
use super::touch::Touch;

impl Interface {
    /// Largest value of h₁ + u₁ + h₂ + u₂ over the contact zone: the separation at which it just touches.
    pub fn highest_meeting(&mut self, time_s: f64, amplitudes: &[f64]) -> f64 {
        self.place(time_s);
        for board in &mut self.boards {
            board.begin();
        }
        let mut highest = f64::MIN;
        for pass in 0..2 {
            for slave in self.zone(pass) {
                if let Some((gap, _, _)) = self.gap(pass, slave, amplitudes) {
                    highest = highest.max(self.separation_m - gap);
                }
            }
        }
        highest
    }

    /// Every slave node under or over the other profile as if it touched, its gap with it.
    pub fn all_points(&mut self, time_s: f64, amplitudes: &[f64]) -> Vec<Touch> {
        self.place(time_s);
        for board in &mut self.boards {
            board.begin();
        }
        self.touches.clear();
        for pass in 0..2 {
            for slave in self.zone(pass) {
                self.visit(pass, slave, amplitudes, f64::INFINITY);
            }
        }
        std::mem::take(&mut self.touches)
    }

    /// The weights with which a unit of a touch's force acts on each mode, per metre of force:
    /// ∂F_k/∂(χ·share·f).
    pub fn modal_weights(&mut self, touch: &Touch, out: &mut [f64]) {
        for board in &mut self.boards {
            board.begin();
        }
        let unit = Touch { pressure: -1.0, ..*touch };
        self.load(&unit);
        for board in &mut self.boards {
            board.project(out);
        }
        let scale = 1.0 / (self.step_m * self.slave_share(touch));
        for value in out {
            *value *= scale;
        }
    }

    /// Adds the modal forces of a pull T along the surface at a touch (eq. 34 for tangential forces): the
    /// reaction is shared among the master's nodes as that of the normal force is.
    pub fn add_pull(&mut self, touch: &Touch, pull: f64, opening: f64, out: &mut [f64]) {
        if let Some(board) = self.seat(touch.pass, true) {
            self.boards[board].add_pull(touch.slave as usize, pull, opening, out);
        }
        if let Some(board) = self.seat(1 - touch.pass, false) {
            let rule = *self.rule(touch.pass, touch.master);
            for r in 0..4 {
                if rule.weights[r] != 0.0 {
                    let node = (touch.master - 1 + r as i64) as usize;
                    self.boards[board].add_pull(node, rule.weights[r] * pull, opening, out);
                }
            }
        }
    }

    /// Length that a touch stands for: a step χ, less of it at the end of a body or under the other's edge.
    pub fn touch_length_m(&self, touch: &Touch) -> f64 {
        self.step_m * self.slave_share(touch) * touch.edge
    }
}
