//! Notes from the computer's keyboard and from the mouse, on one row of piano keys.

use egui::emath::GuiRounding;
use egui::{Align2, Color32, FontId, Key, Rect, Sense, Ui, Vec2, pos2, vec2};

use crate::instrument::{Address, Event, Note};

/// Two rows of letters as a piano, from C upwards, by their place on a keyboard and not by what is printed on them:
/// the shape of a piano is the same in every country.
const LETTERS: [Key; 18] = [
    Key::A,
    Key::W,
    Key::S,
    Key::E,
    Key::D,
    Key::F,
    Key::T,
    Key::G,
    Key::Y,
    Key::H,
    Key::U,
    Key::J,
    Key::K,
    Key::O,
    Key::L,
    Key::P,
    Key::Semicolon,
    Key::Quote,
];
const OCTAVE_DOWN: Key = Key::Z;
const OCTAVE_UP: Key = Key::X;
/// Of a letter: keys of a computer know no force.
const VELOCITY: f32 = 0.8;
const OCTAVES: u8 = 4;
const HIGHEST_OCTAVE: u8 = 6;
const BLACK: [bool; 12] = [false, true, false, true, false, false, true, false, true, false, true, false];
/// White keys before each key of an octave.
const WHITE_BEFORE: [u8; 12] = [0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6];

pub struct Keys {
    /// The octave of the first letter and of the left end: 4 begins at middle C.
    octave: u8,
    /// Notes that letters hold.
    pub held: [Option<u8>; LETTERS.len()],
    /// What is printed on them, as far as it has been seen.
    printed: [Key; LETTERS.len()],
    /// The note under the mouse.
    clicked: Option<u8>,
}

impl Default for Keys {
    fn default() -> Self {
        Self { octave: 3, held: [None; LETTERS.len()], printed: LETTERS, clicked: None }
    }
}

impl Keys {
    /// Letters that went down or up. Call only while nobody types text.
    pub fn letters(&mut self, ui: &Ui, send: &mut dyn FnMut(Event)) {
        let (focused, command) =
            ui.input(|input| (input.focused, input.modifiers.command || input.modifiers.alt));
        if !focused || command {
            return self.release(send);
        }
        ui.input(|input| {
            for event in &input.events {
                if let egui::Event::Key { key, physical_key, pressed, repeat: false, .. } = event {
                    self.letter(*key, physical_key.unwrap_or(*key), *pressed, send);
                }
            }
        });
    }

    /// A key with a sign on it, at the place that has another in the table above.
    fn letter(&mut self, printed: Key, place: Key, pressed: bool, send: &mut dyn FnMut(Event)) {
        match place {
            OCTAVE_DOWN if pressed => self.octave = self.octave.saturating_sub(1),
            OCTAVE_UP if pressed => self.octave = (self.octave + 1).min(HIGHEST_OCTAVE),
            _ => {}
        }
        let Some(place) = LETTERS.iter().position(|letter| *letter == place) else { return };
        self.printed[place] = printed;
        if let Some(old) = self.held[place].take() {
            send(note_off(old));
        }
        if pressed {
            let key = self.first_key() + place as u8;
            self.held[place] = Some(key);
            send(note_on(key, VELOCITY));
        }
    }

    /// Nothing stays down: the window has lost the keyboard.
    pub fn release(&mut self, send: &mut dyn FnMut(Event)) {
        for key in self.held.iter_mut().filter_map(Option::take).chain(self.clicked.take()) {
            send(note_off(key));
        }
    }

    fn first_key(&self) -> u8 {
        12 * (self.octave + 1)
    }

    /// The keys, for the mouse: further down on a key is louder.
    pub fn show(&mut self, ui: &mut Ui, height: f32, send: &mut dyn FnMut(Event)) {
        let size = vec2(ui.available_width(), height);
        // Letters are its keyboard: Tab has nothing to stop here for.
        let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::DRAG);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, "Keyboard"));
        let pointer = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
        let over = pointer.and_then(|point| self.key_at(rect, point));
        if over.map(|(key, _)| key) != self.clicked {
            if let Some(old) = self.clicked.take() {
                send(note_off(old));
            }
            if let Some((key, depth)) = over {
                self.clicked = Some(key);
                send(note_on(key, (0.2 + 0.8 * depth).clamp(0.0, 1.0)));
            }
        }
        self.paint(ui, rect);
    }

    fn whites(&self) -> f32 {
        f32::from(OCTAVES * 7)
    }

    /// Where a key is drawn.
    fn key_rect(&self, rect: Rect, place: u8) -> Rect {
        let width = rect.width() / self.whites();
        let within = usize::from(place % 12);
        let left = rect.left() + f32::from(place / 12 * 7 + WHITE_BEFORE[within]) * width;
        if BLACK[within] {
            Rect::from_min_size(pos2(left - 0.3 * width, rect.top()), vec2(0.6 * width, 0.6 * rect.height()))
        } else {
            Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()))
        }
    }

    /// The key under a point and how far down on it the point is; black keys lie on top.
    fn key_at(&self, rect: Rect, point: egui::Pos2) -> Option<(u8, f32)> {
        let places = || 0..12 * OCTAVES;
        let black = |place: &u8| BLACK[usize::from(place % 12)];
        let order = places().filter(black).chain(places().filter(|place| !black(place)));
        order
            .map(|place| (place, self.key_rect(rect, place)))
            .find(|(_, key)| key.contains(point))
            .map(|(place, key)| (self.first_key() + place, (point.y - key.top()) / key.height()))
    }

    fn paint(&self, ui: &Ui, rect: Rect) {
        let painter = ui.painter_at(rect);
        let line = ui.visuals().widgets.noninteractive.bg_stroke;
        // All keys are one shape: their letters lie where no black key does.
        let bodies = painter.add(egui::Shape::Noop);
        let mut mesh = egui::Mesh::default();
        for black in [false, true] {
            for place in (0..12 * OCTAVES).filter(|place| BLACK[usize::from(place % 12)] == black) {
                let key = self.first_key() + place;
                let down = self.clicked == Some(key) || self.held.contains(&Some(key));
                let colour = match (down, black) {
                    (true, _) => ui.visuals().selection.stroke.color,
                    (false, true) => Color32::from_gray(24),
                    (false, false) => Color32::from_gray(232),
                };
                let shape = self.key_rect(rect, place).shrink2(Vec2::splat(0.5));
                let shape = shape.round_to_pixels(painter.pixels_per_point());
                mesh.add_colored_rect(shape, line.color);
                mesh.add_colored_rect(shape.shrink(line.width), colour);
                let ink = match (down, black) {
                    (true, _) => Color32::BLACK,
                    (false, true) => Color32::from_gray(190),
                    (false, false) => Color32::from_gray(80),
                };
                let mut bottom = shape.center_bottom() - vec2(0.0, 2.0);
                let mut write = |text: &str| {
                    let font = FontId::proportional(10.0);
                    bottom.y = painter.text(bottom, Align2::CENTER_BOTTOM, text, font, ink).top() - 1.0;
                };
                if place % 12 == 0 {
                    write(&format!("C{}", i16::from(key / 12) - 1));
                }
                if let Some(letter) = self.printed.get(usize::from(place)) {
                    write(if *letter == Key::Quote { "'" } else { letter.symbol_or_name() });
                }
            }
        }
        painter.set(bodies, mesh);
    }
}

fn note_on(key: u8, velocity: f32) -> Event {
    Event::NoteOn { note: Note { id: None, channel: 0, key: key.min(127) }, velocity }
}

fn note_off(key: u8) -> Event {
    Event::NoteOff { to: Address::key(0, key.min(127)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Context, Modifiers, PointerButton, RawInput};

    /// One frame of a window with the keys in it; the keys of all notes on and off.
    fn frame(ctx: &Context, keys: &mut Keys, events: Vec<egui::Event>, focused: bool) -> Vec<(bool, u8)> {
        let mut sent = Vec::new();
        let mut send = |event: Event| match event {
            Event::NoteOn { note, .. } => sent.push((true, note.key)),
            Event::NoteOff { to } => sent.push((false, to.key.unwrap_or_default())),
            _ => {}
        };
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(560.0, 64.0)));
        let mut shown = ctx.run_ui(RawInput { events, focused, screen_rect, ..RawInput::default() }, |ui| {
            keys.letters(ui, &mut send);
            keys.show(ui, 60.0, &mut send);
        });
        // Nobody paints it.
        shown.textures_delta.clear();
        sent
    }

    fn letter(key: Key, pressed: bool) -> egui::Event {
        printed(key, None, pressed)
    }

    fn printed(key: Key, physical_key: Option<Key>, pressed: bool) -> egui::Event {
        egui::Event::Key { key, physical_key, pressed, repeat: false, modifiers: Modifiers::NONE }
    }

    #[test]
    fn a_piano_has_the_same_shape_on_every_keyboard() {
        let (ctx, mut keys) = (Context::default(), Keys::default());
        // Where German keyboards have Z and English ones Y there is a G sharp, not another octave.
        assert_eq!(frame(&ctx, &mut keys, vec![printed(Key::Z, Some(Key::Y), true)], true), [(true, 56)]);
        assert_eq!(frame(&ctx, &mut keys, vec![printed(Key::Z, Some(Key::Y), false)], true), [(false, 56)]);
        assert_eq!(keys.printed[8], Key::Z);
        frame(&ctx, &mut keys, vec![printed(Key::Y, Some(Key::Z), true)], true);
        assert_eq!(keys.octave, 2);
    }

    #[test]
    fn letters_play_and_nothing_hangs_when_the_window_loses_them() {
        let (ctx, mut keys) = (Context::default(), Keys::default());
        assert_eq!(frame(&ctx, &mut keys, vec![letter(Key::A, true)], true), [(true, 48)]);
        assert_eq!(frame(&ctx, &mut keys, vec![letter(OCTAVE_UP, true)], true), []);
        assert_eq!(frame(&ctx, &mut keys, vec![letter(Key::W, true)], true), [(true, 61)]);
        // The note that is held ends as the one that began, whatever the octave is now.
        assert_eq!(frame(&ctx, &mut keys, vec![letter(Key::A, false)], true), [(false, 48)]);
        assert_eq!(frame(&ctx, &mut keys, vec![], false), [(false, 61)]);
    }

    #[test]
    fn the_mouse_plays_the_key_it_is_on() {
        let (ctx, mut keys) = (Context::default(), Keys::default());
        frame(&ctx, &mut keys, vec![], true);
        let at = |x: f32, pressed: Option<bool>| {
            let pos = pos2(x, 55.0);
            let moved = egui::Event::PointerMoved(pos);
            let button = pressed.map(|pressed| egui::Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
            [moved].into_iter().chain(button).collect::<Vec<_>>()
        };
        frame(&ctx, &mut keys, at(10.0, None), true);
        let mut sent = frame(&ctx, &mut keys, at(20.0, Some(true)), true);
        sent.extend(frame(&ctx, &mut keys, at(60.0, None), true));
        sent.extend(frame(&ctx, &mut keys, at(60.0, Some(false)), true));
        sent.extend(frame(&ctx, &mut keys, vec![], true));
        // From one white key to another and off: each is let go.
        let on: Vec<u8> = sent.iter().filter(|(on, _)| *on).map(|(_, key)| *key).collect();
        let off: Vec<u8> = sent.iter().filter(|(on, _)| !on).map(|(_, key)| *key).collect();
        assert!(on.len() == 2 && on == off && on[0] < on[1], "{sent:?}");
    }

    #[test]
    fn every_key_is_found_where_it_is_drawn() {
        let keys = Keys::default();
        let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(560.0, 60.0));
        for place in 0..12 * OCTAVES {
            let shape = keys.key_rect(rect, place);
            assert!(rect.expand(0.01).contains_rect(shape));
            let low = pos2(shape.center().x, shape.bottom() - 1.0);
            let (key, depth) = keys.key_at(rect, low).unwrap();
            assert_eq!(key, keys.first_key() + place);
            assert!(depth > 0.9);
        }
        assert_eq!(keys.key_at(rect, pos2(0.0, 0.0)), None);
        assert_eq!(Keys { octave: 4, ..Keys::default() }.first_key(), 60, "middle C");
    }
}
