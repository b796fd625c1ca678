//! The panel over knobs that write down what is done to them.

use asperity::editor::{Control, PanelState, Presets, full_name, panel};
use asperity::instrument::Viewer;
use asperity::instrument::parameters::{Param, Values};
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call {
    Begin(Param),
    Set(Param, f64),
    End(Param),
    Open,
}

#[derive(Default)]
pub struct Knobs {
    pub values: RefCell<Values>,
    pub calls: RefCell<Vec<Call>>,
    preset: RefCell<String>,
    opened: Cell<u64>,
    pub trouble: RefCell<Option<String>>,
}

impl Control for Knobs {
    fn value(&self, param: Param) -> f64 {
        self.values.borrow().get(param)
    }

    fn begin(&self, param: Param) {
        self.calls.borrow_mut().push(Call::Begin(param));
    }

    fn set(&self, param: Param, value: f64) {
        self.values.borrow_mut().set(param, value);
        self.calls.borrow_mut().push(Call::Set(param, value));
    }

    fn end(&self, param: Param) {
        self.calls.borrow_mut().push(Call::End(param));
    }

    fn preset(&self) -> String {
        self.preset.borrow().clone()
    }

    fn presets_opened(&self) -> u64 {
        self.opened.get()
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.borrow().clone()
    }

    fn open(&self, preset: &str, values: &Values) {
        *self.preset.borrow_mut() = preset.to_owned();
        *self.values.borrow_mut() = *values;
        self.opened.set(self.opened.get() + 1);
        *self.trouble.borrow_mut() = None;
        self.calls.borrow_mut().push(Call::Open);
    }
}

pub struct Bench {
    pub harness: Harness<'static, PanelState>,
    pub knobs: Rc<Knobs>,
}

impl Bench {
    /// Large enough for every control to be seen.
    pub fn new() -> Self {
        Self::with(vec2(1600.0, 1900.0), 1.0, None)
    }

    /// The same with so much time from step to step.
    pub fn paced(step_s: f32) -> Self {
        Self::paced_with(vec2(1600.0, 1900.0), step_s)
    }

    pub fn paced_with(size: Vec2, step_s: f32) -> Self {
        Self::build(size, 1.0, step_s, None, Presets::with(None))
    }

    pub fn with(size: Vec2, scale: f32, viewer: Option<Viewer>) -> Self {
        Self::over(size, scale, viewer, Presets::with(None))
    }

    pub fn over(size: Vec2, scale: f32, viewer: Option<Viewer>, presets: Presets) -> Self {
        Self::build(size, scale, 1.0 / 60.0, viewer, presets)
    }

    fn build(size: Vec2, scale: f32, step_s: f32, mut viewer: Option<Viewer>, presets: Presets) -> Self {
        let knobs = Rc::new(Knobs::default());
        let text =
            asperity::scene::presets().iter().find(|preset| preset.name == "steel-on-steel").unwrap().text;
        *knobs.preset.borrow_mut() = text.to_owned();
        let turned = knobs.clone();
        // The harness keeps a margin of 8 points around the panel.
        let harness = Harness::builder()
            .with_size(size + vec2(16.0, 16.0))
            .with_pixels_per_point(scale)
            .with_step_dt(step_s)
            .build_ui_state(
                move |ui, state: &mut PanelState| panel(ui, state, turned.as_ref(), viewer.as_mut()),
                PanelState::new(presets),
            );
        Self { harness, knobs }
    }

    pub fn value(&self, param: Param) -> f64 {
        self.knobs.value(param)
    }

    pub fn place(&self, name: &str) -> Pos2 {
        self.harness.get_by_label(name).rect().center()
    }

    pub fn of(&self, param: Param) -> Pos2 {
        self.place(&full_name(param))
    }

    pub fn step(&mut self) {
        self.harness.step();
    }

    pub fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.step();
        self.away();
    }

    /// The pointer leaves.
    pub fn away(&mut self) {
        self.harness.remove_cursor();
        self.step();
    }

    pub fn drag(&mut self, from: Pos2, way: Vec2, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.hover_at(from);
        self.harness.drag_at(from);
        // Beyond the few points that a click may move.
        for part in [0.5, 1.0] {
            self.harness.hover_at(from + part * way);
        }
        self.harness.drop_at(from + way);
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.step();
    }

    pub fn wheel(&mut self, at: Pos2, notches: f32, modifiers: Modifiers) {
        self.harness.hover_at(at);
        self.step();
        self.harness.event(Event::ModifiersChanged(modifiers));
        let (unit, delta, phase) = (MouseWheelUnit::Line, vec2(0.0, notches), TouchPhase::Move);
        let source = MouseWheelSource::Wheel;
        self.harness.event(Event::MouseWheel { unit, delta, phase, modifiers, source });
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.step();
        self.away();
    }

    pub fn take_calls(&self) -> Vec<Call> {
        std::mem::take(&mut self.knobs.calls.borrow_mut())
    }

    pub fn names(&self) -> Vec<String> {
        let root = self.harness.root();
        // What is only read is a value to screen readers, not a label.
        let name = |node: &egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            node.label().or_else(|| node.value())
        };
        root.children_recursive().filter_map(|node| name(&node)).collect()
    }
}

/// Every `set` lies between the `begin` and the `end` of its own knob; returns the knobs that were turned.
pub fn gestures(calls: &[Call]) -> Vec<Param> {
    let mut held = None;
    let mut turned = Vec::new();
    for call in calls {
        match *call {
            Call::Begin(param) => {
                assert!(held.is_none(), "{calls:?}");
                held = Some(param);
            }
            Call::Set(param, _) => {
                assert_eq!(held, Some(param), "{calls:?}");
                if !turned.contains(&param) {
                    turned.push(param);
                }
            }
            Call::End(param) => assert_eq!(held.take(), Some(param), "{calls:?}"),
            Call::Open => assert!(held.is_none(), "{calls:?}"),
        }
    }
    assert!(held.is_none(), "a gesture that never ended: {calls:?}");
    turned
}
