//! The resonator's modes: how fast each swings at this moment as a row of bars, and the shape of the one that is
//! pointed at. A picture's deflection u(x) is split by the orthonormal shapes, q_k = ∫uψ_k dx (Dang 2013, eq. 10),
//! over a beam of unit length, so that ω_k|q_k| is the mode's share of the mean velocity.

use super::theme;
use crate::beam::{Beam, Ends, ModalBasis};
use crate::engine::realtime::ContactView;
use crate::units::VELOCITY_REFERENCE_M_S;
use egui::emath::GuiRounding;
use egui::{Align2, Id, Mesh, Pos2, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use std::f32::consts::TAU;

/// Height of the bars.
const RANGE_DB: f32 = 60.0;
/// How far a bar falls from picture to picture: a swing passes through zero twice a period.
const FALL_DB: f32 = 0.8;
const SILENT_DB: f32 = -200.0;

#[derive(Debug)]
pub struct Modes {
    ends: Ends,
    /// ψ_k at the points of a picture, mode by mode.
    shapes: Vec<Vec<f32>>,
    /// Velocity of each mode, dB re 1 nm/s; rises at once, falls slowly.
    levels_db: Vec<f32>,
    top_db: f32,
}

impl Default for Modes {
    fn default() -> Self {
        Self { ends: Ends::Pinned, shapes: Vec::new(), levels_db: Vec::new(), top_db: SILENT_DB }
    }
}

impl Modes {
    /// Takes a picture in.
    pub fn take(&mut self, contact: &ContactView, ends: Ends) {
        let count = contact.natural_count.min(contact.natural_hz.len());
        self.prepare(count, ends, contact.deflection_m.len());
        for (k, level) in self.levels_db.iter_mut().enumerate() {
            let omega = TAU * contact.natural_hz[k];
            let speed = omega * part(&contact.deflection_m, &self.shapes[k]).abs();
            let new = 20.0 * (speed / VELOCITY_REFERENCE_M_S as f32).clamp(1e-10, 1e15).log10();
            *level = new.max(*level - FALL_DB);
        }
        let highest = self.levels_db.iter().copied().fold(SILENT_DB, f32::max);
        self.top_db =
            if highest > self.top_db { highest } else { self.top_db + 0.02 * (highest - self.top_db) };
    }

    /// Shapes for so many modes of a beam that is held like this.
    fn prepare(&mut self, count: usize, ends: Ends, points: usize) {
        if self.ends != ends || self.shapes.len() < count {
            let beam = Beam { length_m: 1.0, thickness_m: 1.0, young_pa: 1.0, density_kg_m3: 1.0, ends };
            let basis = ModalBasis::new(beam, count);
            let place = |point: usize| point as f64 / (points - 1) as f64;
            let row = |k: usize| (0..points).map(|point| basis.shape(k, place(point)) as f32).collect();
            self.shapes = (0..count).map(row).collect();
            self.ends = ends;
        }
        self.levels_db.resize(count, SILENT_DB);
    }

    pub fn strongest(&self) -> Option<usize> {
        (0..self.levels_db.len()).max_by(|one, other| self.levels_db[*one].total_cmp(&self.levels_db[*other]))
    }

    /// Draws the bars; returns the mode that is pointed at.
    pub fn bars(&self, ui: &mut Ui, rect: Rect, contact: &ContactView) -> Option<usize> {
        let response = ui.interact(rect, Id::unique("asperity modes"), Sense::hover());
        let (graph, words) = rect.split_top_bottom_at_y(rect.bottom() - 18.0);
        let count = self.levels_db.len();
        let pointed = pointed_at(&response, graph, count);
        // The name of a high mode is a little wider than the bars of a small window.
        let painter = ui.painter_at(rect.expand2(vec2(8.0, 0.0)));
        painter.hline(graph.x_range(), graph.bottom(), theme::line(theme::EDGE));
        let wide = graph.width() / count.max(1) as f32;
        // All bars in one shape, each edge on a pixel.
        let mut bars = Mesh::default();
        bars.reserve_triangles(2 * count);
        bars.reserve_vertices(4 * count);
        for (k, level) in self.levels_db.iter().enumerate() {
            let share = (1.0 + (level - self.top_db) / RANGE_DB).clamp(0.0, 1.0);
            let corner =
                pos2(graph.left() + wide * k as f32, graph.bottom() - share * (graph.height() - 2.0));
            let bar = Rect::from_min_max(corner, pos2(corner.x + (wide - 1.0).max(1.0), graph.bottom()));
            let colour = if pointed == Some(k) { theme::AMBER } else { theme::CYAN };
            bars.add_colored_rect(bar.round_to_pixels(painter.pixels_per_point()), colour);
        }
        painter.add(bars);
        let strongest = self.strongest()?;
        let name = |k: usize| format!("mode {}: {:.0} Hz", k + 1, contact.natural_hz[k]);
        let text = name(pointed.unwrap_or(strongest));
        painter.text(words.center(), Align2::CENTER_CENTER, &text, theme::text(11.5), theme::QUIET);
        let spoken = format!("Strongest {}, {:.0} dB re 1 nm/s", name(strongest), self.levels_db[strongest]);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &spoken));
        response.on_hover_text(
            "A mode is a shape in which the body can swing, at one frequency. The bars say how fast each \
             swings, lowest first, over 60 dB; point at one to see its shape.",
        );
        pointed
    }

    /// The shape of a mode over the beam's place, as high as the place lets it be.
    pub fn shape(&self, k: usize, beam: Rect) -> Vec<Pos2> {
        let Some(shape) = self.shapes.get(k) else { return Vec::new() };
        let most = shape.iter().fold(1e-6, |most: f32, value| most.max(value.abs()));
        let along = beam.width() / (shape.len() - 1) as f32;
        let up = 0.4 * beam.height() / most;
        let point = |(n, value): (usize, &f32)| beam.left_center() + vec2(along * n as f32, -up * value);
        shape.iter().enumerate().map(point).collect()
    }
}

fn pointed_at(response: &Response, graph: Rect, count: usize) -> Option<usize> {
    let at = response.hover_pos()?;
    let share = (at.x - graph.left()) / graph.width().max(1.0);
    (count > 0).then(|| ((share * count as f32) as usize).min(count - 1))
}

/// ∫uψ dx over unit length by the trapezoidal rule: exact for the shapes of pinned beams.
fn part(deflection_m: &[f32], shape: &[f32]) -> f32 {
    let last = deflection_m.len() - 1;
    let inner: f32 = deflection_m.iter().zip(shape).map(|(u, psi)| u * psi).sum();
    let ends = 0.5 * (deflection_m[0] * shape[0] + deflection_m[last] * shape[last]);
    (inner - ends) / last as f32
}

/// The stroke of a mode's shape.
pub fn shape_stroke() -> Stroke {
    Stroke::new(1.5, theme::faint(theme::AMBER, 0.8))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A beam that swings in two modes at once, so far in metres.
    fn swinging(ends: Ends, amplitudes_m: [(usize, f64); 2]) -> ContactView {
        let beam = Beam { length_m: 1.0, thickness_m: 1.0, young_pa: 1.0, density_kg_m3: 1.0, ends };
        let basis = ModalBasis::new(beam, 12);
        let mut contact = ContactView { natural_count: 12, ..ContactView::default() };
        for (k, hz) in contact.natural_hz.iter_mut().take(12).enumerate() {
            *hz = 100.0 * (k + 1) as f32;
        }
        let last = contact.deflection_m.len() - 1;
        for (point, deflection) in contact.deflection_m.iter_mut().enumerate() {
            let x = point as f64 / last as f64;
            *deflection = amplitudes_m.iter().map(|(k, up)| up * basis.shape(*k, x)).sum::<f64>() as f32;
        }
        contact
    }

    #[test]
    fn val_a_deflection_is_split_into_the_modes_it_is_made_of() {
        for ends in [Ends::Pinned, Ends::Free] {
            let mut modes = Modes::default();
            modes.take(&swinging(ends, [(2, 1e-6), (7, 1e-7)]), ends);
            // 2π·300 Hz · 1 µm and 2π·800 Hz · 0.1 µm, dB re 1 nm/s.
            for (k, level_db) in [(2, 125.5), (7, 114.02)] {
                assert!((modes.levels_db[k] - level_db).abs() < 0.1, "{ends:?} {k}: {}", modes.levels_db[k]);
            }
            let others = (0..12).filter(|k| ![2, 7].contains(k));
            let loudest = others.map(|k| modes.levels_db[k]).fold(SILENT_DB, f32::max);
            assert!(loudest < 100.0, "{ends:?}: {loudest}");
            assert_eq!(modes.strongest(), Some(2));
        }
    }

    #[test]
    fn other_ends_and_fewer_modes_are_taken_up() {
        let mut modes = Modes::default();
        modes.take(&swinging(Ends::Pinned, [(2, 1e-6), (7, 1e-7)]), Ends::Pinned);
        let pinned = modes.shape(2, Rect::from_min_size(Pos2::ZERO, vec2(100.0, 40.0)));
        modes.take(&ContactView { natural_count: 3, ..ContactView::default() }, Ends::Free);
        let free = modes.shape(2, Rect::from_min_size(Pos2::ZERO, vec2(100.0, 40.0)));
        assert_eq!(modes.levels_db.len(), 3);
        assert!((pinned[0].y - 20.0).abs() < 1e-3 && (free[0].y - 20.0).abs() > 10.0);
        assert!(modes.shape(3, Rect::ZERO).is_empty());
    }
}
