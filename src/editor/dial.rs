//! A knob's picture. There are dozens and most stand still, so each is worked out when it changes and kept as
//! triangles until it does again: lines with soft edges are what a frame spends most of its time on.

use super::theme;
use crate::instrument::parameters::Param;
use egui::epaint::{TessellationOptions, Tessellator};
use egui::{Color32, Mesh, Painter, Pos2, Shape, Stroke, Vec2};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Where the way of a knob begins, and how long it is, as parts of a turn.
const FIRST: f32 = 0.375;
const WAY: f32 = 0.75;
/// How far a chord may leave its circle, points.
const FLAT: f32 = 0.1;

/// Everything that a knob's picture depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dial {
    pub centre: Pos2,
    pub radius: f32,
    /// Of the way around it.
    pub width: f32,
    /// Where it stands, and where the lit part of the way begins.
    pub share: f32,
    pub zero: f32,
    /// Colour of the hand, and the cap's edge.
    pub hand: Color32,
    pub edge: Stroke,
}

/// The pictures of all knobs as they were drawn last.
#[derive(Default)]
pub struct Dials(Vec<Option<Drawn>>);

struct Drawn {
    dial: Dial,
    pixels_per_point: f32,
    picture: Arc<Mesh>,
}

impl Dials {
    pub fn draw(&mut self, painter: &Painter, param: Param, dial: Dial) {
        painter.add(Shape::Mesh(self.picture(param, dial, painter.pixels_per_point())));
    }

    fn picture(&mut self, param: Param, dial: Dial, pixels_per_point: f32) -> Arc<Mesh> {
        if self.0.len() <= param.index() {
            self.0.resize_with(param.index() + 1, || None);
        }
        let place = &mut self.0[param.index()];
        match place {
            Some(drawn) if drawn.dial == dial && drawn.pixels_per_point == pixels_per_point => {
                drawn.picture.clone()
            }
            _ => {
                let picture = Arc::new(dial.triangles(pixels_per_point));
                *place = Some(Drawn { dial, pixels_per_point, picture: picture.clone() });
                picture
            }
        }
    }
}

impl Dial {
    fn triangles(&self, pixels_per_point: f32) -> Mesh {
        // Without discs from the letters' texture, which may change while the picture is kept.
        let mut tessellator =
            Tessellator::new(pixels_per_point, TessellationOptions::default(), [1, 1], Vec::new());
        let mut mesh = Mesh::default();
        for shape in self.shapes() {
            tessellator.tessellate_shape(shape, &mut mesh);
        }
        mesh
    }

    fn shapes(&self) -> [Shape; 4] {
        let cap = self.radius - 1.5 * self.width;
        let fill = theme::CARD.lerp_to_gamma(theme::TRACK, 0.45);
        let hand = [self.on_circle(0.45 * cap, self.share), self.on_circle(0.95 * cap, self.share)];
        [
            self.arc(0.0, 1.0, theme::TRACK),
            self.arc(self.zero, self.share, theme::AMBER),
            egui::epaint::CircleShape { center: self.centre, radius: cap, fill, stroke: self.edge }.into(),
            Shape::line_segment(hand, Stroke::new(self.width.max(2.0) * 0.8, self.hand)),
        ]
    }

    fn on_circle(&self, radius: f32, share: f32) -> Pos2 {
        self.centre + radius * Vec2::angled(TAU * (FIRST + WAY * share))
    }

    fn arc(&self, from: f32, to: f32, colour: Color32) -> Shape {
        let chord = 2.0 * (2.0 * FLAT / self.radius.max(1.0)).sqrt();
        let count = ((to - from).abs() * TAU * WAY / chord).ceil().max(1.0) as usize;
        let point = |n| self.on_circle(self.radius, from + (to - from) * n as f32 / count as f32);
        Shape::line((0..=count).map(point).collect(), Stroke::new(self.width, colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIAL: Dial = Dial {
        centre: Pos2::new(50.0, 40.0),
        radius: 14.0,
        width: 3.0,
        share: 0.5,
        zero: 0.0,
        hand: theme::AMBER,
        edge: Stroke { width: 1.0, color: theme::EDGE },
    };

    #[test]
    fn a_picture_is_kept_until_anything_in_it_changes() {
        let mut dials = Dials::default();
        let mut last = dials.picture(Param::V, DIAL, 1.0);
        assert!(Arc::ptr_eq(&last, &dials.picture(Param::V, DIAL, 1.0)), "nothing has changed");
        let turned = Dial { share: 0.6, ..DIAL };
        let moved = Dial { centre: Pos2::new(50.0, 30.0), ..turned };
        let pointed_at = Dial { hand: Color32::WHITE, ..moved };
        let chosen = Dial { edge: Stroke::new(2.0, theme::CYAN), ..pointed_at };
        for (dial, scale) in [(turned, 1.0), (moved, 1.0), (pointed_at, 1.0), (chosen, 1.0), (chosen, 2.0)] {
            let next = dials.picture(Param::V, dial, scale);
            assert!(*next != *last, "{dial:?} at {scale}");
            last = next;
        }
        assert!(Arc::ptr_eq(&last, &dials.picture(Param::V, chosen, 2.0)));
        dials.picture(Param::Ra, DIAL, 2.0);
        assert!(Arc::ptr_eq(&last, &dials.picture(Param::V, chosen, 2.0)), "each knob has its own");
    }

    #[test]
    fn the_picture_stays_within_its_circle() {
        let mesh = DIAL.triangles(1.0);
        let reach = DIAL.radius + 0.5 * DIAL.width + 1.0;
        assert!(mesh.is_valid() && mesh.vertices.len() > 100);
        assert!(mesh.vertices.iter().all(|vertex| vertex.pos.distance(DIAL.centre) < reach));
    }
}
