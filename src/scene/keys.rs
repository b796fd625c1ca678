//! The one table of scene keys: name, kind, range, default, meaning. TOML, `--set`, sweeps, messages and
//! help all read it; the defaults are the bench of Dang 2013 (its Tables 6 and 7).

use crate::beam::Ends;
use crate::record::Quantity;
use crate::scheme::SchemeKind;
use crate::surface::Texture;

#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Number { min: f64, max: f64 },
    Integer { min: u64, max: u64 },
    Choice(&'static [&'static str]),
    Text,
    Flag,
}

#[derive(Debug, Clone, Copy)]
pub enum Fallback {
    Number(f64),
    Integer(u64),
    Word(&'static str),
    Flag(bool),
    /// No value: the scene decides from the others.
    Unset,
    /// Whatever another key says.
    As(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Full name with the unit in it; `N` stands for a pick-up's number.
    pub name: &'static str,
    pub kind: Kind,
    pub fallback: Fallback,
    pub help: &'static str,
}

impl Key {
    /// Range and default in words.
    pub fn range_text(&self) -> String {
        let range = match self.kind {
            Kind::Number { min, max } => format!("{min:?} to {max:?}"),
            Kind::Integer { min, max } => format!("{min} to {max}, whole"),
            Kind::Choice(words) => words.join(", "),
            Kind::Text => "text".to_owned(),
            Kind::Flag => "true or false".to_owned(),
        };
        let fallback = match self.fallback {
            Fallback::Number(number) => format!("{number:?}"),
            Fallback::Integer(integer) => integer.to_string(),
            Fallback::Word(word) => word.to_owned(),
            Fallback::Flag(flag) => flag.to_string(),
            Fallback::Unset => "unset".to_owned(),
            Fallback::As(other) => format!("as {other}"),
        };
        format!("{range}; default {fallback}")
    }
}

/// Pick-ups a scene can have.
pub const MAX_PICKUPS: usize = 4;
/// Modes a body can have.
pub const MAX_MODES: u64 = 200;
/// The largest seed that survives a trip through JSON and TOML numbers.
pub const MAX_SEED: u64 = 1 << 53;

const fn number(name: &'static str, min: f64, max: f64, fallback: Fallback, help: &'static str) -> Key {
    Key { name, kind: Kind::Number { min, max }, fallback, help }
}

const fn integer(name: &'static str, min: u64, max: u64, fallback: Fallback, help: &'static str) -> Key {
    Key { name, kind: Kind::Integer { min, max }, fallback, help }
}

const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    fallback: Fallback,
    help: &'static str,
) -> Key {
    Key { name, kind: Kind::Choice(words), fallback, help }
}

const fn flag(name: &'static str, fallback: bool, help: &'static str) -> Key {
    Key { name, kind: Kind::Flag, fallback: Flag(fallback), help }
}

const LAWS: &[&str] = &["penalty", "hertz", "exponential", "signorini"];
const STICKS: &[&str] = &["exact", "penalty"];
const DRIVES: &[&str] = &["speed", "force"];
const MOTIONS: &[&str] = &["pass", "endless", "reciprocate"];
const STARTS: &[&str] = &["settled", "rest"];
pub const DAMPING_LAWS: &[&str] = &["constant", "viscous"];

use Fallback::{As, Flag, Integer, Number, Unset, Word};

#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    number("surface.ra_um", 0.0, 1000.0, Number(5.0), "arithmetic roughness Ra; 0 is perfectly smooth"),
    number("surface.corr_length_um", 0.1, 1e6, Number(450.0), "lag where the autocorrelation falls to 0.37"),
    choice("surface.acf", &Texture::NAMES, Word("exponential"), "autocorrelation of a random surface, or a regular one"),
    number("surface.hurst", 0.1, 1.0, Number(0.8), "Hurst exponent of a self-affine surface"),
    number("surface.wavelength_um", 0.1, 1e6, Number(500.0), "pitch of a regular surface"),
    number("surface.cutoff_um", 0.0, 1e5, Number(27.0), "short-wavelength cut-off λs (ISO 16610-21); 0 is none"),
    number("surface.step_um", 0.05, 1e5, Number(5.0), "distance χ between nodes, shared by both profiles"),
    integer("surface.seed", 0, MAX_SEED, Integer(1), "which of all surfaces of this kind"),
    Key { name: "surface.file", kind: Kind::Text, fallback: Unset, help: "measured profile (CSV, SDF, X3P)" },
    number("surface.top.ra_um", 0.0, 1000.0, As("surface.ra_um"), "Ra of the slider"),
    number("surface.top.corr_length_um", 0.1, 1e6, As("surface.corr_length_um"), "correlation length of the slider"),
    choice("surface.top.acf", &Texture::NAMES, As("surface.acf"), "autocorrelation of the slider"),
    number("surface.top.hurst", 0.1, 1.0, As("surface.hurst"), "Hurst exponent of the slider"),
    number("surface.top.wavelength_um", 0.1, 1e6, As("surface.wavelength_um"), "pitch of a regular slider"),
    number("surface.top.cutoff_um", 0.0, 1e5, As("surface.cutoff_um"), "cut-off of the slider"),
    number("surface.top.step_um", 0.05, 1e5, As("surface.step_um"), "must equal surface.step_um"),
    integer("surface.top.seed", 0, MAX_SEED, Unset, "seed of the slider; unset: another than the resonator's"),
    Key { name: "surface.top.file", kind: Kind::Text, fallback: Unset, help: "measured profile of the slider" },
    number("resonator.length_m", 1e-3, 50.0, Number(0.45), "length of the beam that sounds"),
    number("resonator.thickness_m", 1e-6, 1.0, Number(0.002), "its thickness"),
    number("resonator.young_pa", 1e4, 2e12, Number(210e9), "its Young's modulus"),
    number("resonator.density_kg_m3", 1.0, 30e3, Number(7800.0), "its density"),
    number("resonator.damping_ratio", 0.0, 1.0, Number(0.02), "modal damping ratio ζ"),
    choice("resonator.damping_law", DAMPING_LAWS, Word("constant"), "one ζ for all modes, or a viscous bed (ζ falls as 1/ω)"),
    integer("resonator.modes", 1, MAX_MODES, Integer(40), "modes kept"),
    choice("resonator.ends", &Ends::NAMES, Word("pinned"), "how its ends are held"),
    number("resonator.support_hz", 0.1, 100.0, Number(10.0), "soft bed under the rigid modes of a free resonator"),
    number("slider.length_m", 1e-4, 10.0, Number(0.02), "length of the body that rubs"),
    number("slider.thickness_m", 1e-6, 1.0, Number(0.005), "its thickness"),
    number("slider.young_pa", 1e4, 2e12, Number(210e9), "its Young's modulus"),
    number("slider.density_kg_m3", 1.0, 30e3, Number(7800.0), "its density"),
    number("slider.damping_ratio", 0.0, 1.0, Number(0.02), "modal damping ratio of its flexure"),
    choice("slider.damping_law", DAMPING_LAWS, Word("constant"), "as for the resonator"),
    integer("slider.modes", 1, MAX_MODES, Integer(2), "modes kept; 2 is a rigid free slider"),
    choice("slider.ends", &Ends::NAMES, Word("free"), "how its ends are held"),
    number("slider.load_n_m", 0.0, 1e6, Number(0.0), "load per metre of width on top of the weight"),
    choice("contact.law", LAWS, Word("penalty"), "how a gap becomes a force"),
    number("contact.kappa_pa", 1e3, 1e18, Number(2.1e12), "penalty coefficient κ; also k_c of the exponential law"),
    number("contact.radius_m", 1e-9, 1.0, Number(5e-6), "asperity radius of the Hertz law"),
    number("contact.asperity_spacing_m", 1e-8, 1.0, Number(5e-5), "width per Hertz asperity"),
    number("contact.p0_pa", 1e-6, 1e12, Unset, "exponential law: pressure at zero gap; unset: p_1, the load on two nodes"),
    number("contact.lambda_1_m", 1.0, 1e15, Unset, "exponential law: λ; unset: κ/p_1"),
    number("friction.static", 0.0, 10.0, Number(0.0), "static coefficient μ_s; 0 is the frictionless bench of the paper"),
    number("friction.dynamic", 0.0, 10.0, As("friction.static"), "dynamic coefficient μ_d, at most μ_s"),
    number("friction.stribeck_m_s", 0.0, 100.0, Number(0.0), "slip speed over which μ falls from μ_s to μ_d; 0 is at once"),
    choice("friction.stick", STICKS, Word("exact"), "no slip at all, or a stick spring (reference engine)"),
    number("friction.stick_stiffness_n_m", 1.0, 1e15, Number(1e9), "stick spring of friction.stick=penalty"),
    flag("friction.bends_resonator", true, "friction acts H/2 above the resonator's axis and bends it"),
    flag("friction.pitches_slider", true, "friction acts H/2 below the slider's axis and pitches it"),
    flag("friction.follows_slope", true, "friction acts along the local slope, not level"),
    choice("drive.kind", DRIVES, Word("speed"), "the drive moves as motion.* says, or is pulled by a force"),
    number("drive.stiffness_n_m", 1e-3, 1e12, Unset, "spring from the drive to the slider; unset: rigid"),
    number("drive.damping_n_s_m", 0.0, 1e9, Number(0.0), "dashpot beside that spring"),
    number("drive.mass_kg_m", 0.0, 1e6, Number(0.0), "mass of a drive that is pulled by a force"),
    number("drive.force_n_m", -1e6, 1e6, Number(0.0), "pull of drive.kind=force"),
    number("drive.force_end_s", 0.0, 1e6, Unset, "when the pull ends; unset: never"),
    flag("drive.feels_contact", true, "normal forces push a slider that is not rigidly driven along x"),
    choice("motion.kind", MOTIONS, Word("pass"), "one pass, endless texture, or to and fro"),
    number("motion.speed_m_s", -50.0, 50.0, Number(0.1), "sliding speed V; the peak speed when reciprocating"),
    number("motion.start_m", 0.0, 50.0, Number(0.05), "rear end of the slider on the resonator at the start"),
    number("motion.stroke_m", 1e-6, 50.0, Unset, "reciprocating: stroke; unset: V/(π·rate)"),
    number("motion.rate_hz", 1e-3, 1e3, Number(1.0), "reciprocating: strokes to and fro per second"),
    number("pickup.N.position_m", 0.0, 50.0, Number(0.165), "where on the resonator"),
    choice("pickup.N.quantity", &Quantity::NAMES, Word("velocity"), "what is read there"),
    number("pickup.N.gain", -1000.0, 1000.0, Number(1.0), "factor"),
    number("pickup.N.pan", -1.0, 1.0, Number(0.0), "left -1, right +1"),
    number("pickup.N.distance_m", 0.01, 100.0, Number(1.0), "microphone distance for pressure; the beam radiates as a strip 20 mm wide"),
    choice("run.start", STARTS, Word("settled"), "settled under the load, or everything at rest"),
    flag("run.resonator_gravity", false, "the resonator's own weight"),
    number("run.gravity_m_s2", 0.0, 1000.0, Number(crate::units::GRAVITY_M_S2), "gravity on the slider"),
    number("run.step_s", 1e-10, 1e-3, Number(1e-7), "time step τ of the reference engine"),
    choice("run.integrator", &SchemeKind::NAMES, Word("central-difference"), "time scheme of the reference engine"),
    flag("run.allow_unstable", false, "run beyond the stability bound all the same"),
    number("run.separation_m", -1e-2, 1e-2, Unset, "δ between the reference lines; unset: just touching"),
];

/// The table's entry for a concrete name such as `pickup.2.gain`.
pub fn find(name: &str) -> Option<&'static Key> {
    let general = general_name(name)?;
    KEYS.iter().find(|key| key.name == general)
}

/// `pickup.2.gain` → `pickup.N.gain`; `None` for a pick-up number out of range.
fn general_name(name: &str) -> Option<String> {
    let mut parts = name.split('.');
    if parts.next() != Some("pickup") {
        return Some(name.to_owned());
    }
    let index: usize = parts.next()?.parse().ok()?;
    let field = parts.next()?;
    (1..=MAX_PICKUPS).contains(&index).then(|| format!("pickup.N.{field}"))
}

/// The known name nearest to a mistyped one.
pub fn nearest(name: &str) -> &'static str {
    let distance = |key: &Key| {
        // A forgotten or wrong section costs less than wrong letters in the last part.
        let whole = strsim::damerau_levenshtein(name, key.name);
        let last = |text: &str| text.rsplit('.').next().unwrap_or("").to_owned();
        whole.min(1 + strsim::damerau_levenshtein(&last(name), &last(key.name)))
    };
    KEYS.iter().min_by_key(|key| distance(key)).map_or("surface.ra_um", |key| key.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fallbacks_fit_their_kinds() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(KEYS[..index].iter().all(|other| other.name != key.name), "{} twice", key.name);
            match (key.kind, key.fallback) {
                (Kind::Number { min, max }, Number(value)) => assert!((min..=max).contains(&value)),
                (Kind::Integer { min, max }, Integer(value)) => assert!((min..=max).contains(&value)),
                (Kind::Choice(words), Word(word)) => assert!(words.contains(&word)),
                (Kind::Flag, Flag(_)) => {}
                (_, Unset) => {}
                (_, As(other)) => assert!(find(other).is_some()),
                _ => panic!("{}: fallback does not fit", key.name),
            }
        }
    }

    #[test]
    fn mistyped_names_find_their_neighbour() {
        assert_eq!(nearest("surface.ra"), "surface.ra_um");
        assert_eq!(nearest("resonator.dampingratio"), "resonator.damping_ratio");
        assert_eq!(nearest("ra_um"), "surface.ra_um");
        assert_eq!(nearest("motion.sped_m_s"), "motion.speed_m_s");
        assert!(find("pickup.5.gain").is_none());
        assert!(find("pickup.4.gain").is_some());
    }
}
