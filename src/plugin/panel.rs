//! Every parameter of the instrument's table as a field, because the framework finds parameters by deriving
//! over fields. The rows stand in the table's order, one struct for each run of rows of one group, so that
//! hosts show Ra, V and ζ first. A row that is missing here does not compile.

use nice_plug::prelude::*;

use super::knob::{FromTable, Knob};
use crate::instrument::parameters::{Param, Pick};

/// The framework's types under the names that [`Knob`] has for them.
mod kind {
    pub type Float = super::FloatParam;
    pub type Whole = super::IntParam;
    pub type Switch = super::BoolParam;
}

/// What can be turned on one pick-up; the id gets the pick-up's in front.
#[derive(Params)]
struct Pickup {
    #[id = "on"]
    on: BoolParam,
    #[id = "pos"]
    position: FloatParam,
    #[id = "gain"]
    gain: FloatParam,
    #[id = "pan"]
    pan: FloatParam,
    #[id = "q"]
    quantity: IntParam,
    #[id = "dist"]
    distance: FloatParam,
}

impl Pickup {
    fn new(n: usize) -> Self {
        Self {
            on: FromTable::of(Param::pickup(n, Pick::On)),
            position: FromTable::of(Param::pickup(n, Pick::Position)),
            gain: FromTable::of(Param::pickup(n, Pick::Gain)),
            pan: FromTable::of(Param::pickup(n, Pick::Pan)),
            quantity: FromTable::of(Param::pickup(n, Pick::Quantity)),
            distance: FromTable::of(Param::pickup(n, Pick::Distance)),
        }
    }
}

#[derive(Params)]
struct Pickups {
    #[nested(id_prefix = "p1", group = "1")]
    first: Pickup,
    #[nested(id_prefix = "p2", group = "2")]
    second: Pickup,
    #[nested(id_prefix = "p3", group = "3")]
    third: Pickup,
    #[nested(id_prefix = "p4", group = "4")]
    fourth: Pickup,
}

impl Default for Pickups {
    fn default() -> Self {
        Self { first: Pickup::new(0), second: Pickup::new(1), third: Pickup::new(2), fourth: Pickup::new(3) }
    }
}

/// Runs of rows before and after the pick-ups. A run: field, struct, group; a row: its name in the table, field,
/// kind, id.
macro_rules! panel {
    (
        before { $($run:ident $struct:ident $group:tt { $($row:ident $field:ident $kind:ident $id:tt;)* })* }
        pickups { $($pickup:ident $on:ident $position:ident $gain:ident $pan:ident $quantity:ident $distance:ident;)* }
        after { $($run2:ident $struct2:ident $group2:tt { $($row2:ident $field2:ident $kind2:ident $id2:tt;)* })* }
    ) => {
        $(#[derive(Params)] struct $struct { $(#[id = $id] $field: kind::$kind,)* })*
        $(#[derive(Params)] struct $struct2 { $(#[id = $id2] $field2: kind::$kind2,)* })*

        #[derive(Params)]
        pub struct Panel {
            $(#[nested(group = $group)] $run: $struct,)*
            #[nested(group = "Pick-ups")]
            pickups: Pickups,
            $(#[nested(group = $group2)] $run2: $struct2,)*
        }

        impl Default for Panel {
            fn default() -> Self {
                Self {
                    $($run: $struct { $($field: FromTable::of(Param::$row),)* },)*
                    pickups: Pickups::default(),
                    $($run2: $struct2 { $($field2: FromTable::of(Param::$row2),)* },)*
                }
            }
        }

        impl Panel {
            pub fn knob(&self, param: Param) -> Knob<'_> {
                match param {
                    $($(Param::$row => Knob::$kind(&self.$run.$field),)*)*
                    $(
                        Param::$on => Knob::Switch(&self.pickups.$pickup.on),
                        Param::$position => Knob::Float(&self.pickups.$pickup.position),
                        Param::$gain => Knob::Float(&self.pickups.$pickup.gain),
                        Param::$pan => Knob::Float(&self.pickups.$pickup.pan),
                        Param::$quantity => Knob::Whole(&self.pickups.$pickup.quantity),
                        Param::$distance => Knob::Float(&self.pickups.$pickup.distance),
                    )*
                    $($(Param::$row2 => Knob::$kind2(&self.$run2.$field2),)*)*
                }
            }
        }
    };
}

panel! {
    before {
        roughness Roughness "Surface" {
            Ra ra Float "ra";
        }
        speed Speed "Gesture" {
            V v Float "v";
        }
        damping Damping "Resonator" {
            Zeta zeta Float "zeta";
        }
        load Load "Contact" {
            Load load Float "load";
        }
        surface Surface "Surface" {
            Lc lc Float "lc";
            Acf acf Whole "acf";
            Cutoff cutoff Float "cutoff";
            Seed seed Whole "seed";
            Hurst hurst Float "hurst";
            Wavelength wavelength Float "wavelength";
        }
        contact Contact "Contact" {
            Law law Whole "law";
            Kappa kappa Float "kappa";
            Radius radius Float "radius";
            MuStatic mus Float "mus";
            MuDynamic mud Float "mud";
            Stribeck stribeck Float "stribeck";
        }
        resonator Resonator "Resonator" {
            Material material Whole "material";
            Young young Float "young";
            Density density Float "density";
            Length length Float "length";
            Thickness thickness Float "thickness";
            EndsKind ends Whole "ends";
            Modes modes Whole "modes";
        }
        slider Slider "Slider" {
            SliderLength slen Float "slen";
            SliderThickness sthick Float "sthick";
            DriveStiffness drivek Float "drivek";
        }
    }
    pickups {
        first P1On P1Pos P1Gain P1Pan P1Quantity P1Distance;
        second P2On P2Pos P2Gain P2Pan P2Quantity P2Distance;
        third P3On P3Pos P3Gain P3Pan P3Quantity P3Distance;
        fourth P4On P4Pos P4Gain P4Pan P4Quantity P4Distance;
    }
    after {
        gesture Gesture "Gesture" {
            Attack attack Float "attack";
            Release release Float "release";
            Curve curve Float "curve";
            Stroke stroke Whole "stroke";
            Rate rate Float "rate";
            Sync sync Whole "sync";
            Scrub scrub Float "scrub";
            NoteOff noteoff Whole "noteoff";
            Drone drone Switch "drone";
            Place place Whole "place";
        }
        tuning Tuning "Tuning" {
            Track track Float "track";
            TuneBy tuneby Whole "tuneby";
            Tune tune Float "tune";
            Bend bend Whole "bend";
            Glide glide Float "glide";
        }
        voices Voices "Voices" {
            Mode mode Whole "mode";
            Voices voices Whole "voices";
            VelocitySpeed vel_v Float "vel_v";
            VelocitySpeedCurve vel_v_c Float "vel_v_c";
            VelocityLoad vel_load Float "vel_load";
            VelocityLoadCurve vel_load_c Float "vel_load_c";
        }
        expression Expression "Expression" {
            Wheel wheel Whole "wheel";
            WheelAmount wheel_amt Float "wheel_amt";
            Pressure press Whole "press";
            PressureAmount press_amt Float "press_amt";
            Timbre timbre Whole "timbre";
            TimbreAmount timbre_amt Float "timbre_amt";
            Mpe mpe Switch "mpe";
            MpeBend mpe_bend Whole "mpe_bend";
        }
        output Output "Output" {
            QualityKind quality Whole "quality";
            StudioBounce studio Switch "studio";
            Gain gain Float "gain";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::parameters::{Kind, TABLE};
    use nice_plug::prelude::Param as _;

    #[test]
    fn hosts_see_the_table_in_its_order() {
        let seen = Panel::default().param_map();
        let seen: Vec<(&str, &str)> =
            seen.iter().map(|(id, _, group)| (id.as_str(), group.as_str())).collect();
        let table: Vec<(&str, &str)> = TABLE.iter().map(|row| (row.id, row.module)).collect();
        assert_eq!(seen, table);
    }

    #[test]
    fn each_row_has_the_knob_of_its_kind_and_default() {
        let panel = Panel::default();
        for param in Param::all() {
            let row = param.entry();
            let (fits, per_note) = match (panel.knob(param), row.kind) {
                (Knob::Float(knob), Kind::Float { .. }) => (true, knob.poly_modulation_id()),
                (Knob::Whole(knob), Kind::Int { .. } | Kind::Choice { .. }) => {
                    (true, knob.poly_modulation_id())
                }
                (Knob::Switch(knob), Kind::Switch { .. }) => (true, knob.poly_modulation_id()),
                _ => (false, None),
            };
            assert!(fits, "{}", row.id);
            assert_eq!(per_note.is_some(), row.per_note, "{}", row.id);
            assert_eq!(panel.knob(param).share(), row.normalise(row.default()) as f32, "{}", row.id);
        }
    }

    /// Hosts know a parameter by a 31-bit number that the framework makes of its id.
    #[test]
    fn no_two_ids_have_the_same_number() {
        let number =
            |id: &str| id.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) << 1;
        let mut numbers: Vec<u32> = TABLE.iter().map(|row| number(row.id)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), TABLE.len());
    }
}
