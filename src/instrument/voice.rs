//! One body and the hand that plays it: which note it belongs to, where it is in its stroke, and how far the
//! player has bent, pressed and modulated it.

use super::channels::{Channel, Channels, LEAD};
use super::events::{Expression, Note};
use super::gesture::Gesture;
use super::parameters::{PICKUPS, Param, Pick, TARGETS, Values};
use super::rig::{Aim, Rig};
use super::tuning::{key_hz, ratio};

/// Parameters that one note can have for itself.
pub const PER_NOTE: [Param; 8] =
    [Param::Ra, Param::V, Param::Zeta, Param::Load, Param::P1Pos, Param::P2Pos, Param::P3Pos, Param::P4Pos];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Free,
    /// Key or pedal down.
    Held,
    /// Let go: the hand comes to rest.
    Slowing,
    /// Lifted, or lying still: the body rings on.
    Ringing,
    /// Taken for another note: fades out for so many ticks.
    Fading(u32),
}

/// What the host says of one note alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Own {
    pub tuning: f64,
    pub pressure: f64,
    pub brightness: f64,
    pub volume: f64,
    pub pan: f64,
    pub swell: f64,
    /// Shares of a knob's way, for [`PER_NOTE`].
    pub offsets: [f64; PER_NOTE.len()],
}

impl Default for Own {
    fn default() -> Self {
        let offsets = [0.0; PER_NOTE.len()];
        Self { tuning: 0.0, pressure: 0.0, brightness: 0.5, volume: 1.0, pan: 0.0, swell: 1.0, offsets }
    }
}

impl Own {
    pub fn set(&mut self, kind: Expression, value: f64) {
        match kind {
            Expression::Tuning => self.tuning = value.clamp(-120.0, 120.0),
            Expression::Pressure => self.pressure = value.clamp(0.0, 1.0),
            Expression::Brightness => self.brightness = value.clamp(0.0, 1.0),
            Expression::Volume => self.volume = value.clamp(0.0, 4.0),
            Expression::Pan => self.pan = value.clamp(-1.0, 1.0),
            Expression::Swell => self.swell = value.clamp(0.0, 1.0),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    pub state: State,
    pub note: Note,
    /// Key let go while the pedal is down.
    pub sustained: bool,
    pub gesture: Gesture,
    pub own: Own,
    /// Something other than the gesture has moved.
    pub dirty: bool,
    /// Counts up from note to note.
    pub age: u64,
    /// Way along the texture so far, m, and the speed it is drawn with.
    pub way_m: f64,
    pub speed_m_s: f64,
    /// Ticks since it was left to ring.
    pub rung: u32,
    /// Place on the resonator when led by hand.
    pub place_m: f64,
    /// Pitch in keys, where it glides to, and how far per tick.
    pitch: f64,
    goal: f64,
    glide: f64,
    speed_factor: f64,
    load_factor: f64,
}

impl Voice {
    pub fn new() -> Self {
        Self {
            state: State::Free,
            note: Note { id: None, channel: 0, key: 60 },
            sustained: false,
            gesture: Gesture::default(),
            own: Own::default(),
            dirty: true,
            age: 0,
            way_m: 0.0,
            speed_m_s: 0.0,
            rung: 0,
            place_m: 0.0,
            pitch: 60.0,
            goal: 60.0,
            glide: 0.0,
            speed_factor: 1.0,
            load_factor: 1.0,
        }
    }

    /// A key goes down, so many notes after the first, at this place of the texture.
    pub fn held(age: u64, way_m: f64) -> Self {
        Self { state: State::Held, age, way_m, ..Self::new() }
    }

    /// Takes a note: who it is, how hard it was struck.
    pub fn take(&mut self, note: Note, velocity: f64, values: &Values) {
        self.note = note;
        self.own = Own::default();
        self.sustained = false;
        self.dirty = true;
        let curve = |depth: Param, power: Param| {
            let depth = values.get(depth);
            1.0 - depth + depth * velocity.clamp(0.0, 1.0).powf(values.get(power))
        };
        self.speed_factor = curve(Param::VelocitySpeed, Param::VelocitySpeedCurve);
        self.load_factor = curve(Param::VelocityLoad, Param::VelocityLoadCurve);
    }

    /// Goes to a key at once, or from `last` in the time set.
    pub fn aim_at(&mut self, key: u8, last: Option<f64>, values: &Values, tick_s: f64) {
        let seconds = values.get(Param::Glide);
        self.goal = f64::from(key);
        self.pitch = last.filter(|_| seconds > tick_s).unwrap_or(self.goal);
        self.glide = (self.goal - self.pitch) * tick_s / seconds.max(tick_s);
        self.dirty = true;
    }

    pub fn pitch(&self) -> f64 {
        self.pitch
    }

    pub fn is_free(&self) -> bool {
        self.state == State::Free
    }

    /// Counts as one of the player's voices.
    pub fn is_active(&self) -> bool {
        matches!(self.state, State::Held | State::Slowing | State::Ringing)
    }

    /// Gesture and glide one tick on.
    pub fn tick(&mut self) {
        let share = self.gesture.share();
        self.gesture.tick();
        self.dirty |= self.gesture.share() != share;
        if self.pitch != self.goal {
            let next = self.pitch + self.glide;
            let there = (self.goal - next) * self.glide <= 0.0;
            self.pitch = if there { self.goal } else { next };
            self.dirty = true;
        }
    }

    /// The physical aim of a note.
    pub fn aim(&self, hand: &Hand) -> Aim {
        let bend = hand.bend(self.note.channel) + self.own.tuning;
        let values = hand.values;
        let own_hz = hand.rig.own_hz(values);
        let tracked = ratio(own_hz, key_hz(self.pitch, values.get(Param::Tune)), values.get(Param::Track));
        let ratio = if bend == 0.0 { tracked } else { tracked * 2f64.powf(bend / 12.0) };
        // A swell goes as the channel's own: amplitude as its square.
        let volume = self.own.volume * self.own.swell.powi(2) * hand.volume(self.note.channel);
        let pan = (self.own.pan + hand.pan(self.note.channel)).clamp(-1.0, 1.0);
        Aim { volume, pan, ..self.aim_with(hand, ratio) }
    }

    /// The aim of the drone: the body as it is set.
    pub fn drone_aim(&self, hand: &Hand) -> Aim {
        self.aim_with(hand, 1.0)
    }

    /// In the middle, at full volume.
    fn aim_with(&self, hand: &Hand, ratio: f64) -> Aim {
        let share = self.gesture.share();
        let at = |param: Param| hand.values.modulated(param, self.offset(param, hand));
        Aim {
            speed_m_s: hand.rig.direction() * at(Param::V) * (self.speed_factor * share),
            rate_hz: hand.synced_hz.unwrap_or_else(|| at(Param::Rate)),
            ra_um: at(Param::Ra),
            load_n_m: at(Param::Load) * self.load_factor,
            kappa_pa: at(Param::Kappa),
            lc_um: at(Param::Lc),
            zeta: at(Param::Zeta),
            friction: [at(Param::MuStatic), at(Param::MuDynamic), at(Param::Stribeck)],
            drive_n_m: at(Param::DriveStiffness),
            ratio,
            by_thickness: hand.values.choice(Param::TuneBy) == 1,
            positions: std::array::from_fn::<f64, PICKUPS, _>(|n| at(Param::pickup(n, Pick::Position))),
            volume: 1.0,
            pan: 0.0,
        }
    }

    /// How far all that modulates holds a knob away from its place for this note.
    fn offset(&self, param: Param, hand: &Hand) -> f64 {
        let own = PER_NOTE.iter().position(|one| *one == param).map_or(0.0, |n| self.own.offsets[n]);
        let (channel, lead) = hand.channel(self.note.channel);
        let pressure = channel.pressure.max(lead.pressure).max(self.own.pressure);
        let timbre = hand.timbre(self.note.channel) + (self.own.brightness - 0.5);
        let sources = [
            (Param::Wheel, Param::WheelAmount, channel.wheel.max(lead.wheel)),
            (Param::Pressure, Param::PressureAmount, pressure),
            (Param::Timbre, Param::TimbreAmount, timbre),
        ];
        let mut offset = own + hand.offsets[param.index()];
        for (target, amount, value) in sources {
            if value != 0.0 && moves(hand.values.choice(target), param) {
                offset += hand.values.get(amount) * value;
            }
        }
        offset
    }
}

/// Whether the word at `target` of [`TARGETS`] stands for this parameter.
fn moves(target: usize, param: Param) -> bool {
    match TARGETS.get(target).copied().unwrap_or("off") {
        "pick-ups" => (0..PICKUPS).any(|n| Param::pickup(n, Pick::Position) == param),
        word => param.entry().id == word,
    }
}

/// Everything that acts on all notes.
pub struct Hand<'a> {
    pub values: &'a Values,
    /// Modulation of all notes, by parameter.
    pub offsets: &'a [f64],
    pub channels: &'a Channels,
    pub rig: &'a Rig,
    /// Rate of strokes that go with the tempo.
    pub synced_hz: Option<f64>,
}

impl Hand<'_> {
    fn is_mpe(&self) -> bool {
        self.channels.is_mpe(self.values.switch(Param::Mpe))
    }

    /// A note's channel, and the one that leads it: itself unless MPE.
    fn channel(&self, channel: u8) -> (&Channel, &Channel) {
        let lead = if self.is_mpe() { LEAD } else { channel };
        (self.channels.get(channel), self.channels.get(lead))
    }

    /// Semitones.
    fn bend(&self, channel: u8) -> f64 {
        let (own, lead) = self.channel(channel);
        let range = self.values.get(Param::Bend);
        if self.is_mpe() && channel != LEAD {
            let own_range = self.channels.notes_bend_range.unwrap_or(self.values.get(Param::MpeBend));
            return own.bend * own_range + lead.bend * lead.bend_range.unwrap_or(range);
        }
        own.bend * own.bend_range.unwrap_or(range)
    }

    /// Away from the middle, of the channel and of the one that leads it.
    fn timbre(&self, channel: u8) -> f64 {
        let (own, lead) = self.channel(channel);
        let own_way = own.timbre - 0.5;
        if std::ptr::eq(own, lead) { own_way } else { own_way + (lead.timbre - 0.5) }
    }

    /// Of the channel and of the one that leads it.
    fn pan(&self, channel: u8) -> f64 {
        let (own, lead) = self.channel(channel);
        if std::ptr::eq(own, lead) { own.pan } else { own.pan + lead.pan }
    }

    /// Amplitude goes as the square of MIDI's volume and expression.
    fn volume(&self, channel: u8) -> f64 {
        let (own, lead) = self.channel(channel);
        let volume = own.volume.min(lead.volume) * own.expression.min(lead.expression);
        volume * volume
    }
}
