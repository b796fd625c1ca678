//! The slider along x and what pulls it, in central differences like the modes.
//!
//! M·ẍ = f - k(x - y) - c(ẋ - ẏ), with the drive at y: where the motion says, or a mass under a force,
//! m_d·ÿ = F + k(x - y) + c(ẋ - ẏ). f is friction and what normal forces do along x. Dashpots take the
//! speed centred on the step, as modal damping does in eq. 24 of Dang 2013.
//!
//! A drive without mass hands its force straight on: its spring and dashpot are then nothing to the slider.
//! A drive without spring is one with the slider. x is Δ of Dang 2013; everything per metre of width.

use crate::scene::{Link, Motion, Puller, Scene};

/// Place and speed at one instant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Along {
    pub place_m: f64,
    pub speed_m_s: f64,
}

/// One coordinate in central differences.
#[derive(Clone, Copy, Default)]
struct Track {
    before: f64,
    now: f64,
    speed: f64,
}

impl Track {
    fn at(along: Along) -> Self {
        Self { before: along.place_m, now: along.place_m, speed: along.speed_m_s }
    }

    fn go(&mut self, next: f64, started: bool, step_s: f64) {
        if started {
            self.speed = (next - self.before) / (2.0 * step_s);
        }
        self.before = self.now;
        self.now = next;
    }
}

pub struct Tow {
    puller: Puller,
    motion: Motion,
    step_s: f64,
    mass: f64,
    slider: Track,
    drive: Track,
    started: bool,
}

impl Tow {
    /// Slider and drive where the scene starts: with the motion's speed, or at rest before a force.
    pub fn new(scene: &Scene, step_s: f64) -> Self {
        let (puller, mass) = scene.drive.puller(scene.slider.beam.mass());
        let motion = scene.motion;
        let moving = matches!(puller, Puller::Rigid | Puller::Sprung(_));
        let speed_m_s = if moving { motion.speed(0.0) } else { 0.0 };
        let start = Along { place_m: motion.offset(0.0), speed_m_s };
        Self {
            puller,
            motion,
            step_s,
            mass,
            slider: Track::at(start),
            drive: Track::at(start),
            started: false,
        }
    }

    pub fn is_rigid(&self) -> bool {
        matches!(self.puller, Puller::Rigid)
    }

    /// x_n.
    pub fn place(&self) -> f64 {
        self.slider.now
    }

    /// Largest ω² that spring and masses add along x.
    pub fn omega_squared(&self) -> f64 {
        match self.puller {
            Puller::Rigid | Puller::Bare { .. } => 0.0,
            Puller::Sprung(link) => link.stiffness_n_m / self.mass,
            Puller::Mass { link, mass, .. } => link.stiffness_n_m * (1.0 / self.mass + 1.0 / mass),
        }
    }

    /// ∂x_{n+1}/∂f_n.
    pub fn compliance(&self) -> f64 {
        let step2 = self.step_s * self.step_s;
        let spread = |link: Link| 0.5 * link.damping_n_s_m / self.step_s;
        match self.puller {
            Puller::Rigid => 0.0,
            _ if !self.started => 0.5 * step2 / self.mass,
            Puller::Bare { .. } => step2 / self.mass,
            Puller::Sprung(link) => 1.0 / (self.mass / step2 + spread(link)),
            Puller::Mass { link, mass, .. } => {
                let (a, b, h) = (self.mass / step2, mass / step2, spread(link));
                (b + h) / ((a + h) * (b + h) - h * h)
            }
        }
    }

    /// x_{n+1} and y_{n+1} with the force `force` at t_n; changes nothing.
    pub fn predict(&self, time_s: f64, force: f64) -> (f64, f64) {
        let step_s = self.step_s;
        let (slider, drive) = (&self.slider, &self.drive);
        match self.puller {
            Puller::Rigid => {
                let next = self.motion.offset(time_s + step_s);
                (next, next)
            }
            Puller::Bare { force_n_m, end_s } => {
                let pull = if time_s < end_s { force_n_m } else { 0.0 };
                let next = self.free_step(slider, self.mass, force + pull);
                (next, next)
            }
            Puller::Sprung(link) => {
                let next_drive = self.motion.offset(time_s + step_s);
                let spring = link.stiffness_n_m * (slider.now - drive.now);
                if !self.started {
                    let rub = link.damping_n_s_m * (slider.speed - drive.speed);
                    return (self.free_step(slider, self.mass, force - spring - rub), next_drive);
                }
                let (a, h) = (self.mass / (step_s * step_s), 0.5 * link.damping_n_s_m / step_s);
                let known = force - spring
                    + a * (2.0 * slider.now - slider.before)
                    + h * (slider.before + next_drive - drive.before);
                (known / (a + h), next_drive)
            }
            Puller::Mass { force_n_m, end_s, mass, link } => {
                let pull = if time_s < end_s { force_n_m } else { 0.0 };
                let spring = link.stiffness_n_m * (slider.now - drive.now);
                if !self.started {
                    let rub = link.damping_n_s_m * (slider.speed - drive.speed);
                    return (
                        self.free_step(slider, self.mass, force - spring - rub),
                        self.free_step(drive, mass, pull + spring + rub),
                    );
                }
                let (a, b) = (self.mass / (step_s * step_s), mass / (step_s * step_s));
                let h = 0.5 * link.damping_n_s_m / step_s;
                let last = h * (slider.before - drive.before);
                let one = force - spring + a * (2.0 * slider.now - slider.before) + last;
                let two = pull + spring + b * (2.0 * drive.now - drive.before) - last;
                let determinant = (a + h) * (b + h) - h * h;
                (((b + h) * one + h * two) / determinant, ((a + h) * two + h * one) / determinant)
            }
        }
    }

    /// A step under a force alone: from rest or speed at first (eq. 26), then central.
    fn free_step(&self, track: &Track, mass: f64, force: f64) -> f64 {
        let jump = self.step_s * self.step_s * force / mass;
        if self.started {
            2.0 * track.now - track.before + jump
        } else {
            track.now + self.step_s * track.speed + 0.5 * jump
        }
    }

    pub fn advance(&mut self, time_s: f64, force: f64) {
        let (slider, drive) = self.predict(time_s, force);
        self.slider.go(slider, self.started, self.step_s);
        self.drive.go(drive, self.started, self.step_s);
        if let Puller::Rigid | Puller::Sprung(_) = self.puller {
            self.drive.speed = self.motion.speed(time_s);
        }
        if self.is_rigid() {
            self.slider.speed = self.drive.speed;
        }
        self.started = true;
    }

    /// The slider at the instant that the last `advance` left.
    pub fn left(&self) -> Along {
        Along { place_m: self.slider.before, speed_m_s: self.slider.speed }
    }

    /// The drive at the same instant.
    pub fn left_drive(&self) -> Along {
        Along { place_m: self.drive.before, speed_m_s: self.drive.speed }
    }

    /// Kinetic energy along x and that of the spring, at the same instant. A rigidly driven slider's
    /// motion belongs to the drive.
    pub fn energy(&self) -> f64 {
        let stretch =
            |link: Link| 0.5 * link.stiffness_n_m * (self.slider.before - self.drive.before).powi(2);
        let own = 0.5 * self.mass * self.slider.speed.powi(2);
        match self.puller {
            Puller::Rigid => 0.0,
            Puller::Bare { .. } => own,
            Puller::Sprung(link) => own + stretch(link),
            Puller::Mass { mass, link, .. } => own + 0.5 * mass * self.drive.speed.powi(2) + stretch(link),
        }
    }

    /// What the drive puts in per second at the instant left, `force` being f there.
    pub fn drive_power(&self, time_s: f64, force: f64) -> f64 {
        let pulled = |force_n_m: f64, end_s: f64| if time_s < end_s { force_n_m } else { 0.0 };
        match self.puller {
            Puller::Rigid => -force * self.slider.speed,
            Puller::Bare { force_n_m, end_s } => pulled(force_n_m, end_s) * self.slider.speed,
            Puller::Mass { force_n_m, end_s, .. } => pulled(force_n_m, end_s) * self.drive.speed,
            Puller::Sprung(link) => {
                let stretch = self.drive.before - self.slider.before;
                let pull = link.stiffness_n_m * stretch
                    + link.damping_n_s_m * (self.drive.speed - self.slider.speed);
                pull * self.drive.speed
            }
        }
    }

    /// What the dashpot takes per second.
    pub fn link_loss(&self) -> f64 {
        match self.puller {
            Puller::Rigid | Puller::Bare { .. } => 0.0,
            Puller::Sprung(link) | Puller::Mass { link, .. } => {
                link.damping_n_s_m * (self.slider.speed - self.drive.speed).powi(2)
            }
        }
    }
}
