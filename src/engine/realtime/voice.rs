//! One slider on one resonator: what it is made of, how it begins and how it is left alone. `landing` puts it
//! down, `seat` reads the deflection under it, `run` plays it chunk by chunk.
//!
//! Displacements are kept about a rest position, the resonator's static sag under the slider's nominal
//! load, and the slider's height about first touch. What f32 has to resolve is then micrometres, not
//! a tenth of a millimetre.

use super::books::Books;
use super::control::Controls;
use super::lanes::{ROW, Row, rows_for};
use super::meet::Meeting;
use super::modes::Answer;
use super::nodes::MAX_NODES;
use super::pass::{MAX_PICKUPS, ModalState};
use super::rub::Rub;
use super::run::{FARTHEST, node_at};
use super::stage::Stage;
use super::strip::Strip;
use super::surfaces::Surfaces;
use super::texture::Blend;
use crate::contact::Interpolation;
use crate::scene::{Scene, Start};

/// Most inner steps of a chunk.
pub const CHUNK: usize = 64;
/// Nodes that the strip can hold beyond the slider: one chunk at 50 m/s on a 5 µm grid, and more.
const STRIP_NODES: usize = 8192;

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
    pub(super) first: Controls,
    pub books: Books,
    pub(super) state: ModalState,
    pub(super) meeting: Meeting,
    /// Rest amplitudes, and what holds them: forces per mode at nominal load.
    pub(super) rest_q: Vec<Row>,
    pub(super) rest_force: Vec<f64>,
    pub(super) phi: Vec<Row>,
    pub(super) strip: Strip,
    /// Blocks of the slider in use, and its nodes that take part.
    pub(super) blocks: usize,
    pub(super) admitted: usize,
    pub(super) now: [f32; MAX_NODES],
    pub(super) ahead: [f32; MAX_NODES],
    pub(super) rest: [f32; MAX_NODES],
    /// Subtracted from every deflection: first touch.
    pub(super) level: f32,
    pub(super) swell: f32,
    /// Friction and the slider's own way along x, where the scene has them.
    pub(super) rub: Option<Rub>,
    pub(super) start: Start,
    pub(super) separation_m: Option<f64>,
    pub(super) gravity_force: f64,
}

impl Voice {
    /// A voice with room for a texture as fine as the controls allow. Not yet settled.
    pub fn new(scene: &Scene, stage: &Stage, surfaces: &Surfaces, tick_s: f64) -> Self {
        let controls = Controls::new(scene, surfaces, tick_s);
        let most_nodes = (stage.slider_m() / controls.shortest_step_m()).ceil() as usize + 1;
        let most_blocks = most_nodes.div_ceil(ROW);
        let (rows, nodes) = (stage.table.rows.len(), stage.nodes.len());
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
            admitted: 0,
            now: [0.0; MAX_NODES],
            ahead: [0.0; MAX_NODES],
            rest: [0.0; MAX_NODES],
            level: 0.0,
            swell: 0.0,
            rub: Rub::new(scene, rows, nodes, stage.step_s),
            start: scene.run.start,
            separation_m: scene.run.separation_m,
            gravity_force: if scene.run.resonator_gravity {
                scene.resonator.beam.mass_per_area() * scene.run.gravity_m_s2
            } else {
                0.0
            },
        }
    }

    /// Nodes and blocks of the slider at the present node distance.
    pub fn lay(&mut self, stage: &Stage, ground: &Ground) {
        self.admitted = usize::MAX;
        self.lay_admitted(stage, ground);
    }

    /// The texture stretches. Nodes that come in under the slider's end wait until they come in open: a node that
    /// is deep in the other body from one step to the next would kick.
    pub fn stretch(&mut self, stage: &Stage, ground: &Ground) {
        let waiting = self.admitted..self.slider_nodes(stage);
        let open = waiting.take_while(|node| self.is_open(stage, ground, *node)).count();
        self.admitted += open;
        self.lay_admitted(stage, ground);
    }

    /// Some nodes under the slider still wait.
    pub fn holds_back(&self, stage: &Stage) -> bool {
        self.admitted < self.slider_nodes(stage)
    }

    fn slider_nodes(&self, stage: &Stage) -> usize {
        (stage.slider_m() / self.controls.step_m() + 1e-9).floor() as usize + 1
    }

    /// Whether a node of the slider would not touch now; where the strip is not ready, nobody knows.
    fn is_open(&self, stage: &Stage, ground: &Ground, node: usize) -> bool {
        let offset = self.controls.offset();
        let strip = self.strip.heights_from(node_at(offset) - 1 + node as i64);
        let Some(stencil) = strip.first_chunk::<4>() else { return false };
        let weights = Interpolation::cubic(offset - offset.floor()).weights;
        let below: f32 = stencil.iter().zip(weights).map(|(height, weight)| height * weight as f32).sum();
        let mut own = [0.0];
        ground.top().read_open(node as i64, &mut own);
        let gains = self.controls.gains();
        let mut height = gains[0] * below + gains[1] * own[0];
        let place = (node as f64 * self.controls.step_m() / stage.slider_m()).min(1.0);
        stage.nodes.weights(place, |j, weight| height += weight * self.now[j]);
        height <= -self.controls.node_law().reach()
    }

    fn lay_admitted(&mut self, stage: &Stage, ground: &Ground) {
        let step_m = self.controls.step_m();
        let nodes = self.slider_nodes(stage);
        self.admitted = self.admitted.min(nodes);
        let most = self.meeting.top.len();
        self.blocks = nodes.div_ceil(ROW).min(most);
        let top = ground.top();
        for (b, row) in self.meeting.top.iter_mut().enumerate().take(self.blocks) {
            top.read_open((b * ROW) as i64, &mut row.0);
            // Nodes beyond the slider's end never touch, however small Ra is.
            let inside = self.admitted.saturating_sub(b * ROW).min(ROW);
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
    pub(super) fn relative_deflection(&self, block: usize) -> f32 {
        self.meeting.broad.weights_of(block).iter().zip(&self.now).map(|(weight, now)| weight * now).sum()
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

    /// Heights and forces that may be no numbers are made anew.
    pub(super) fn mend(&mut self, stage: &Stage, ground: &Ground) {
        self.meeting.forget_forces();
        self.swell = 0.0;
        // A runaway may have got farther than nodes can be counted.
        if self.controls.offset().is_nan() || self.controls.offset().abs() >= FARTHEST {
            self.controls.arrive(0.0);
        }
        self.retexture(stage, ground);
    }

    /// Modes that only yield have no speed: what has gathered in its place would be one when they swing again.
    pub(super) fn forget_speeds(&mut self, stage: &Stage) {
        for (k, mode) in stage.table.modes.iter().enumerate() {
            if mode.answer == Answer::Yields {
                let [q, _] = self.state.mode(k);
                self.state.set_mode(k, [q, 0.0]);
            }
        }
    }

    /// Nothing moves and nothing touches.
    pub fn hush(&mut self) {
        self.controls.set_lifted(true);
        self.meeting.let_go();
        self.state.still();
    }

    fn forget(&mut self) {
        self.books = Books::default();
        self.strip.clear();
        self.meeting.reset();
        self.swell = 0.0;
    }
}
