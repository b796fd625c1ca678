//! Puts numbers that no physics makes where numbers are kept: for tests of the guard.

use super::chunk::Part;
use super::engine::Engine;
use super::lanes::{ROW, put};

/// What a voice or the way out keeps from one step to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Place,
    Speed,
    Step,
    Heat,
    Steady,
    RestPlace,
    Shape,
    Compliance,
    Deflection,
    DeflectionAhead,
    RestDeflection,
    Level,
    Swell,
    ContactEnergy,
    LastForce,
    Strip,
    SliderSpeed,
    DriveStretch,
    WayOut,
}

impl Kept {
    pub const ALL: [Self; 19] = [
        Self::Place,
        Self::Speed,
        Self::Step,
        Self::Heat,
        Self::Steady,
        Self::RestPlace,
        Self::Shape,
        Self::Compliance,
        Self::Deflection,
        Self::DeflectionAhead,
        Self::RestDeflection,
        Self::Level,
        Self::Swell,
        Self::ContactEnergy,
        Self::LastForce,
        Self::Strip,
        Self::SliderSpeed,
        Self::DriveStretch,
        Self::WayOut,
    ];
}

impl Engine {
    #[doc(hidden)]
    pub fn poison(&mut self, voice: usize, kept: Kept, index: usize, value: f32) {
        if kept == Kept::WayOut {
            return self.outlets.poison(value);
        }
        let Some(Part { voice, .. }) = self.parts.get_mut(voice) else { return };
        let wide = f64::from(value);
        match kept {
            Kept::Place | Kept::Speed | Kept::Step | Kept::Heat | Kept::Steady => {
                let row = &mut voice.state.rows[index / ROW];
                let kept = match kept {
                    Kept::Place => &mut row.q,
                    Kept::Speed => &mut row.w,
                    Kept::Step => &mut row.d,
                    Kept::Heat => &mut row.heat,
                    _ => &mut row.steady,
                };
                kept.0[index % ROW] = value;
            }
            Kept::RestPlace => put(&mut voice.rest_q, index, value),
            Kept::Shape => put(&mut voice.phi, index, value),
            Kept::Compliance => voice.meeting.compliance[index] = value,
            Kept::Deflection => voice.now[index] = value,
            Kept::DeflectionAhead => voice.ahead[index] = value,
            Kept::RestDeflection => voice.rest[index] = value,
            Kept::Level => voice.level = value,
            Kept::Swell => voice.swell = value,
            Kept::ContactEnergy | Kept::LastForce => voice.meeting.poison(kept == Kept::LastForce, value),
            Kept::Strip => voice.strip.poison(value),
            Kept::SliderSpeed | Kept::DriveStretch => {
                if let Some(rub) = &mut voice.rub {
                    *if kept == Kept::SliderSpeed { &mut rub.tow.speed } else { &mut rub.tow.stretch } = wide;
                }
            }
            Kept::WayOut => {}
        }
    }
}
