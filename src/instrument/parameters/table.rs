//! The table itself. Defaults are the preset `steel-on-steel`: the bench of Dang 2013, lightly damped, rubbed
//! without end. New parameters go to the end of their group; ids stay for ever.

use super::words::*;
use super::{Acts, Home, Kind, Parameter, Skew, Unit};
use crate::beam::Ends;
use crate::engine::realtime::Quality;
use crate::instrument::materials;
use crate::record::Quantity;
use crate::surface::Texture;

#[expect(clippy::too_many_arguments, reason = "one row of the table, read across")]
const fn entry(
    id: &'static str,
    name: &'static str,
    module: &'static str,
    unit: Unit,
    kind: Kind,
    home: Home,
    acts: Acts,
    help: &'static str,
) -> Parameter {
    Parameter { id, name, module, unit, kind, home, acts, per_note: false, help }
}

const fn float(min: f64, max: f64, skew: Skew, default: f64) -> Kind {
    Kind::Float { min, max, skew, default }
}

const fn int(min: i32, max: i32, default: i32) -> Kind {
    Kind::Int { min, max, default }
}

const fn choice(words: &'static [&'static str], default: usize) -> Kind {
    Kind::Choice { words, default }
}

const fn switch(default: bool) -> Kind {
    Kind::Switch { default }
}

impl Parameter {
    const fn per_note(mut self) -> Self {
        self.per_note = true;
        self
    }
}

/// Names every row, and keeps the names in the order of the rows.
macro_rules! table {
    ($($name:ident = $row:expr;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Param { $($name),* }

        pub const TABLE: &[Parameter] = &[$($row),*];

        const ALL: &[Param] = &[$(Param::$name),*];
    };
}

/// Rows of one pick-up.
macro_rules! pickup {
    ($n:literal, $on:literal, $position:expr, $pan:literal) => {
        [
            entry(concat!("p", $n, "_on"), "On", concat!("Pick-ups/", $n), NONE, switch($on), Derived, Acts::Engine,
                "Listens to the resonator at this place or not."),
            entry(concat!("p", $n, "_pos"), "Position", concat!("Pick-ups/", $n), PERCENT, float(0.0, 1.0, Linear, $position), Derived, Acts::Live,
                "Share of the resonator's length; a mode with a node here is not heard.").per_note(),
            entry(concat!("p", $n, "_gain"), "Gain", concat!("Pick-ups/", $n), DB, float(-60.0, 40.0, Linear, 0.0), Derived, Acts::Live,
                "Factor on what the pick-up reads."),
            entry(concat!("p", $n, "_pan"), "Pan", concat!("Pick-ups/", $n), PERCENT, float(-1.0, 1.0, Linear, $pan), Scene(concat!("pickup.", $n, ".pan")), Acts::Live,
                "Left to right at constant power."),
            entry(concat!("p", $n, "_q"), "Quantity", concat!("Pick-ups/", $n), NONE, choice(&Quantity::NAMES, 0), Scene(concat!("pickup.", $n, ".quantity")), Acts::Engine,
                "Velocity is the calibrated one; acceleration is brighter, displacement darker, pressure what a microphone hears."),
            entry(concat!("p", $n, "_dist"), "Distance", concat!("Pick-ups/", $n), M, float(0.05, 10.0, Log, 1.0), Scene(concat!("pickup.", $n, ".distance_m")), Acts::Engine,
                "From the beam to the microphone of a pressure pick-up."),
        ]
    };
}

use Home::{Derived, Play, Scene};
use Skew::{Linear, Log, Power};

const P1: [Parameter; 6] = pickup!("1", true, 0.165 / 0.45, -0.4);
const P2: [Parameter; 6] = pickup!("2", true, 0.322 / 0.45, 0.4);
const P3: [Parameter; 6] = pickup!("3", false, 0.12, 0.0);
const P4: [Parameter; 6] = pickup!("4", false, 0.5, 0.0);

#[rustfmt::skip]
table! {
    Ra = entry("ra", "Roughness Ra", "Surface", UM, float(0.01, 1000.0, Log, 5.0), Scene("surface.ra_um"), Acts::Live,
        "Mean height of the asperities; the vibration level rises about as Ra to the power 0.8.").per_note();
    V = entry("v", "Sliding speed V", "Gesture", M_S, float(0.0, 20.0, Power(4.0), 0.1), Scene("motion.speed_m_s"), Acts::Live,
        "Speed of the slider over the surface; more and harder shocks a second, the level rises about as V to the power 0.6.").per_note();
    Zeta = entry("zeta", "Damping ζ", "Resonator", NONE, float(1e-5, 1.0, Log, 0.005), Scene("resonator.damping_ratio"), Acts::Live,
        "Share of critical damping in every mode; halving it doubles how long the body rings.").per_note();
    Load = entry("load", "Load", "Contact", N_M, float(0.0, 10_000.0, Power(4.0), 0.0), Scene("slider.load_n_m"), Acts::Live,
        "Force per metre of width that presses the slider on, on top of its weight; a dozen patches of the surface bear it at most, with friction some more.").per_note();
    Lc = entry("lc", "Correlation length", "Surface", UM, float(1.0, 20_000.0, Log, 450.0), Scene("surface.corr_length_um"), Acts::Surfaces,
        "Width of a typical hill of the surface, a 5,000th of the slider at least; at the same speed wider hills make lower, softer shocks.");
    Acf = entry("acf", "Autocorrelation", "Surface", NONE, choice(&Texture::NAMES, 1), Scene("surface.acf"), Acts::Surfaces,
        "How heights a little apart belong together: smooth hills, jagged ones, fractal ones, a sine or teeth.");
    Cutoff = entry("cutoff", "Cut-off λs", "Surface", UM, float(0.0, 1000.0, Power(3.0), 27.0), Scene("surface.cutoff_um"), Acts::Surfaces,
        "Waves of the surface shorter than this are smoothed away.");
    Seed = entry("seed", "Seed", "Surface", NONE, int(0, 99_999, 1), Scene("surface.seed"), Acts::Surfaces,
        "Which of all surfaces of this kind; the same number is the same surface for ever.");
    Hurst = entry("hurst", "Hurst exponent", "Surface", NONE, float(0.1, 1.0, Linear, 0.8), Scene("surface.hurst"), Acts::Surfaces,
        "How quickly the small waves of a self-affine surface shrink; low is jagged.");
    Wavelength = entry("wavelength", "Pitch of teeth", "Surface", UM, float(5.0, 50_000.0, Log, 500.0), Scene("surface.wavelength_um"), Acts::Surfaces,
        "Distance of the teeth or waves of a regular surface; V over it is their frequency.");
    Law = entry("law", "Contact law", "Contact", NONE, choice(LAWS, 0), Scene("contact.law"), Acts::Engine,
        "How an overlap becomes a force: a spring, Hertz's sphere, an exponential cushion, or no overlap at all.");
    Kappa = entry("kappa", "Stiffness κ", "Contact", GPA, float(1e6, 1e15, Log, 2.1e12), Scene("contact.kappa_pa"), Acts::Live,
        "Stiffness of the penalty and exponential laws; softer contact makes longer, duller shocks on more patches, of which a dozen stand for all, with friction some more.");
    Radius = entry("radius", "Asperity radius", "Contact", unit("µm", 1e6), float(1e-7, 1e-3, Log, 5e-6), Scene("contact.radius_m"), Acts::Engine,
        "Radius of the spheres of Hertz's law; larger ones are stiffer.");
    MuStatic = entry("mus", "Static friction μs", "Contact", NONE, float(0.0, 2.0, Linear, 0.0), Scene("friction.static"), Acts::Live,
        "Share of the normal force that holds the surfaces together before they slip; at zero they do not rub but only knock.");
    MuDynamic = entry("mud", "Dynamic friction", "Contact", PERCENT, float(0.0, 1.0, Linear, 0.7), Derived, Acts::Live,
        "Friction while slipping, as a share of the static one; the lower, the more each slip lets go.");
    Stribeck = entry("stribeck", "Falling speed", "Contact", M_S, float(0.0, 10.0, Power(4.0), 0.0), Scene("friction.stribeck_m_s"), Acts::Live,
        "Slip speed over which friction falls from static to dynamic; a fall near V feeds the vibration.");
    Material = entry("material", "Material", "Resonator", NONE, choice(&materials::WORDS, 0), Derived, Acts::Live,
        "Young's modulus and density of the resonator; custom takes the two numbers below.");
    Young = entry("young", "Young's modulus", "Resonator", GPA, float(1e6, 1e12, Log, 210e9), Derived, Acts::Live,
        "Stiffness of a custom material; all frequencies go as its square root.");
    Density = entry("density", "Density", "Resonator", DENSITY, float(50.0, 25_000.0, Log, 7800.0), Derived, Acts::Live,
        "Of a custom material; heavier bodies sound lower and are moved less.");
    Length = entry("length", "Length", "Resonator", MM, float(0.01, 10.0, Log, 0.45), Scene("resonator.length_m"), Acts::Live,
        "Length of the beam; all frequencies go as one over its square.");
    Thickness = entry("thickness", "Thickness", "Resonator", MM, float(5e-5, 0.1, Log, 0.002), Scene("resonator.thickness_m"), Acts::Live,
        "Thickness of the beam; all frequencies go in proportion to it.");
    EndsKind = entry("ends", "Ends", "Resonator", NONE, choice(&Ends::NAMES, 0), Scene("resonator.ends"), Acts::Engine,
        "Pinned ends give partials 1, 4, 9 …; free ends those of a bar, 1, 2.76, 5.40 ….");
    Modes = entry("modes", "Modes", "Resonator", NONE, int(1, 160, 40), Scene("resonator.modes"), Acts::Engine,
        "Bending modes that are kept; what lies above is heard only as stiffness.");
    SliderLength = entry("slen", "Slider length", "Slider", MM, float(5e-4, 0.5, Log, 0.02), Scene("slider.length_m"), Acts::Engine,
        "How much surface rubs at once, seen at 10,000 points at most; a long slider smooths, a short one follows every hill.");
    SliderThickness = entry("sthick", "Slider thickness", "Slider", MM, float(1e-4, 0.1, Log, 0.005), Scene("slider.thickness_m"), Acts::Engine,
        "With its length and density the mass that bounces on the asperities.");
    DriveStiffness = entry("drivek", "Drive stiffness", "Slider", N_M, float(10.0, 1e9, Log, 1e9), Derived, Acts::Live,
        "Spring between the hand and the slider, rigid at its upper end; a soft one lets the slider stick and jump.");
    P1On = P1[0];
    P1Pos = P1[1];
    P1Gain = P1[2];
    P1Pan = P1[3];
    P1Quantity = P1[4];
    P1Distance = P1[5];
    P2On = P2[0];
    P2Pos = P2[1];
    P2Gain = P2[2];
    P2Pan = P2[3];
    P2Quantity = P2[4];
    P2Distance = P2[5];
    P3On = P3[0];
    P3Pos = P3[1];
    P3Gain = P3[2];
    P3Pan = P3[3];
    P3Quantity = P3[4];
    P3Distance = P3[5];
    P4On = P4[0];
    P4Pos = P4[1];
    P4Gain = P4[2];
    P4Pan = P4[3];
    P4Quantity = P4[4];
    P4Distance = P4[5];
    Attack = entry("attack", "Attack", "Gesture", S, float(0.0, 10.0, Power(3.0), 0.02), Play("attack_s"), Acts::Notes,
        "Time in which the hand brings the slider from rest to V.");
    Release = entry("release", "Release", "Gesture", S, float(0.0, 10.0, Power(3.0), 0.05), Play("release_s"), Acts::Notes,
        "Time in which the hand slows down after the key is let go.");
    Curve = entry("curve", "Curve", "Gesture", NONE, float(-1.0, 1.0, Linear, 0.0), Play("curve"), Acts::Notes,
        "Shape of attack and release: quick at first below zero, slow at first above.");
    Stroke = entry("stroke", "Stroke", "Gesture", NONE, choice(STROKES, 1), Derived, Acts::Engine,
        "Once along the beam, without end, to and fro at a rate or with the tempo, or led by hand.");
    Rate = entry("rate", "Stroke rate", "Gesture", HZ, float(0.05, 50.0, Log, 1.0), Scene("motion.rate_hz"), Acts::Live,
        "Strokes to and fro a second; V is reached in their middle.");
    Sync = entry("sync", "Stroke length", "Gesture", NONE, choice(SYNC_WORDS, 5), Play("sync"), Acts::Live,
        "One synced stroke to and fro, as a note value at the host's tempo; strokes begin with their note, not with the bar.");
    Scrub = entry("scrub", "Scrub position", "Gesture", PERCENT, float(0.0, 1.0, Linear, 0.25), Play("scrub"), Acts::Live,
        "Where on the resonator the hand leads the slider, no faster than V.");
    NoteOff = entry("noteoff", "Key let go", "Gesture", NONE, choice(&["lift", "stop"], 0), Play("note_off"), Acts::Live,
        "The slider is lifted and the resonator rings free, or it stops and lies there damping it.");
    Drone = entry("drone", "Drone", "Gesture", NONE, switch(false), Play("drone"), Acts::Live,
        "Rubs without a key, with the body as it is set.");
    Place = entry("place", "Patch of surface", "Gesture", NONE, choice(&["same", "next", "random"], 1), Play("place"), Acts::Notes,
        "Every note rubs the same patch of surface, goes on where the last one ended, or begins anywhere.");
    Track = entry("track", "Key tracking", "Tuning", PERCENT, float(0.0, 1.0, Linear, 1.0), Play("tracking"), Acts::Live,
        "How far the key tunes the first mode; at 100 % it sounds the key's pitch.");
    TuneBy = entry("tuneby", "Tune by", "Tuning", NONE, choice(&["length", "thickness"], 0), Play("tune_by"), Acts::Live,
        "What the key changes on the body: frequencies go as thickness over length squared.");
    Tune = entry("tune", "A4", "Tuning", HZ, float(400.0, 480.0, Linear, 440.0), Play("a4_hz"), Acts::Live,
        "Frequency of the first mode on the key A4.");
    Bend = entry("bend", "Bend range", "Tuning", SEMITONES, int(0, 48, 2), Play("bend_semitones"), Acts::Live,
        "How far the pitch wheel goes to each side.");
    Glide = entry("glide", "Glide", "Tuning", S, float(0.0, 5.0, Power(3.0), 0.0), Play("glide_s"), Acts::Notes,
        "Time in which the body grows or shrinks from the last key's size to the new one's.");
    Mode = entry("mode", "Voices are", "Voices", NONE, choice(&["poly", "legato", "mono"], 0), Play("mode"), Acts::Notes,
        "One body for every key, or one body for all; legato keeps rubbing from key to key.");
    Voices = entry("voices", "Voices", "Voices", NONE, int(1, 16, 8), Play("voices"), Acts::Notes,
        "How many bodies may sound at once; the quietest is taken for a new key.");
    VelocitySpeed = entry("vel_v", "Velocity to V", "Voices", PERCENT, float(0.0, 1.0, Linear, 0.5), Play("velocity_to_speed"), Acts::Notes,
        "How much slower the slider is drawn by a softly struck key.");
    VelocitySpeedCurve = entry("vel_v_c", "Velocity to V, exponent", "Voices", NONE, float(0.25, 4.0, Log, 1.0), Play("velocity_to_speed_exponent"), Acts::Notes,
        "V goes as this power of the key's velocity.");
    VelocityLoad = entry("vel_load", "Velocity to load", "Voices", PERCENT, float(0.0, 1.0, Linear, 0.0), Play("velocity_to_load"), Acts::Notes,
        "How much less a softly struck key presses.");
    VelocityLoadCurve = entry("vel_load_c", "Velocity to load, exponent", "Voices", NONE, float(0.25, 4.0, Log, 1.0), Play("velocity_to_load_exponent"), Acts::Notes,
        "The load goes as this power of the key's velocity.");
    Wheel = entry("wheel", "Mod wheel to", "Expression", NONE, choice(TARGETS, 2), Play("wheel_to"), Acts::Live,
        "What the modulation wheel moves.");
    WheelAmount = entry("wheel_amt", "Mod wheel amount", "Expression", PERCENT, float(-1.0, 1.0, Linear, 0.3), Play("wheel_amount"), Acts::Live,
        "How far along the knob the whole way of the wheel goes.");
    Pressure = entry("press", "Pressure to", "Expression", NONE, choice(TARGETS, 4), Play("pressure_to"), Acts::Live,
        "What the pressure on a held key moves; load is what a hand would do.");
    PressureAmount = entry("press_amt", "Pressure amount", "Expression", PERCENT, float(-1.0, 1.0, Linear, 0.5), Play("pressure_amount"), Acts::Live,
        "How far along the knob full pressure goes.");
    Timbre = entry("timbre", "Timbre to", "Expression", NONE, choice(TARGETS, 1), Play("timbre_to"), Acts::Live,
        "What MPE's third dimension and brightness move, from their middle.");
    TimbreAmount = entry("timbre_amt", "Timbre amount", "Expression", PERCENT, float(-1.0, 1.0, Linear, 0.4), Play("timbre_amount"), Acts::Live,
        "How far along the knob the whole way of timbre goes.");
    Mpe = entry("mpe", "MPE", "Expression", NONE, switch(false), Play("mpe"), Acts::Live,
        "Each note has a MIDI channel of its own: bend, pressure and timbre act on it alone.");
    MpeBend = entry("mpe_bend", "MPE bend range", "Expression", SEMITONES, int(0, 96, 48), Play("mpe_bend_semitones"), Acts::Live,
        "How far a note's own bend goes to each side.");
    QualityKind = entry("quality", "Quality", "Output", NONE, choice(&Quality::NAMES, 1), Play("quality"), Acts::Engine,
        "Inner rate at which the contact is solved: at least 88, 132 or 353 kHz.");
    StudioBounce = entry("studio", "Studio on bounce", "Output", NONE, switch(false), Play("studio_on_bounce"), Acts::Engine,
        "Takes the highest quality whenever the host renders offline.");
    Gain = entry("gain", "Output gain", "Output", DB, float(-60.0, 60.0, Linear, 0.0), Play("gain_db"), Acts::Live,
        "At 0 dB full scale is a vibration of 0.1 m/s; every 20 dB makes it ten times less.");
}

/// Pick-ups in the table.
pub const PICKUPS: usize = 4;

/// What can be turned on a pick-up, in the order of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    On,
    Position,
    Gain,
    Pan,
    Quantity,
    Distance,
}

impl Param {
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    pub fn entry(self) -> &'static Parameter {
        &TABLE[self.index()]
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|param| param.entry().id == id)
    }

    /// Parameter of pick-up `n`, counted from 0; beyond the last it is the last's.
    pub fn pickup(n: usize, what: Pick) -> Self {
        let first = Self::P1On.index() + n.min(PICKUPS - 1) * P1.len();
        ALL[first + what as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pickups_are_found_by_their_number() {
        for n in 0..PICKUPS {
            for (what, ending) in [(Pick::On, "on"), (Pick::Position, "pos"), (Pick::Distance, "dist")] {
                assert_eq!(Param::pickup(n, what).entry().id, format!("p{}_{ending}", n + 1));
            }
        }
    }
}
