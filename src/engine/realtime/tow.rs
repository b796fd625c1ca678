//! The slider along x and what pulls it, by the midpoint rule like the modes.
//!
//! M·ẍ = f - q with the link's pull q = k_l·(x - y) + c_l·(ẋ - ẏ) at mid-step, and the drive at y: moving as
//! the controls say, or a mass under a force, m_d·ÿ = F + q. f is friction and what normal forces do along x.
//! The mean speed over a step is linear in f, V̄ = V̄₀ + g·f, which is all that friction needs to know, and
//! spring, masses and dashpot exchange energy exactly.
//!
//! A drive without a link is one with the slider; a massless drive under a force hands it straight on.

use crate::scene::{Link, Puller, Scene};

#[derive(Debug, Clone, Copy)]
pub struct Tow {
    puller: Puller,
    mass: f64,
    step_s: f64,
    steps: u64,
    /// ẋ, ẏ and x - y.
    pub speed: f64,
    drive_speed: f64,
    pub stretch: f64,
}

/// Mean speeds of slider and drive over a step without friction, and how they answer to it.
#[derive(Debug, Clone, Copy)]
pub struct Free {
    pub speed: f64,
    pub give: f64,
    drive: f64,
    drive_give: f64,
}

impl Free {
    /// The same with another force along x.
    pub fn pushed(self, force: f64) -> Self {
        Self { speed: self.speed + self.give * force, drive: self.drive + self.drive_give * force, ..self }
    }
}

/// What a step took and gave, J per metre of width.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pulled {
    pub way_m: f64,
    pub drive_work: f64,
    pub loss: f64,
}

impl Tow {
    pub fn new(scene: &Scene, step_s: f64) -> Self {
        let (puller, mass) = scene.drive.puller(scene.slider.beam.mass());
        Self { puller, mass, step_s, steps: 0, speed: 0.0, drive_speed: 0.0, stretch: 0.0 }
    }

    /// At the drive's speed, the link relaxed; at rest before a force.
    pub fn start(&mut self, speed_m_s: f64) {
        let moves = matches!(self.puller, Puller::Rigid | Puller::Sprung(_));
        self.speed = if moves { speed_m_s } else { 0.0 };
        self.drive_speed = self.speed;
        self.stretch = 0.0;
        self.steps = 0;
    }

    pub fn is_rigid(&self) -> bool {
        matches!(self.puller, Puller::Rigid)
    }

    /// Another stiffness of the link, the stretch as it is; what that takes, J per metre of width.
    pub fn set_stiffness(&mut self, stiffness_n_m: f64) -> f64 {
        let before = self.stored();
        if let Puller::Sprung(link) | Puller::Mass { link, .. } = &mut self.puller {
            link.stiffness_n_m = stiffness_n_m;
        }
        self.stored() - before
    }

    pub fn stored(&self) -> f64 {
        let link = |link: Link| 0.5 * link.stiffness_n_m * self.stretch * self.stretch;
        let slider = 0.5 * self.mass * self.speed * self.speed;
        match self.puller {
            Puller::Rigid => 0.0,
            Puller::Bare { .. } => slider,
            Puller::Sprung(spring) => slider + link(spring),
            Puller::Mass { mass, link: spring, .. } => {
                slider + link(spring) + 0.5 * mass * self.drive_speed * self.drive_speed
            }
        }
    }

    /// The pull of a force that ends.
    fn pull(&self, force_n_m: f64, end_s: f64) -> f64 {
        if (self.steps as f64 + 0.5) * self.step_s < end_s { force_n_m } else { 0.0 }
    }

    /// The step ahead, `drive_m_s` the drive's speed where it is imposed.
    pub fn predict(&self, drive_m_s: f64) -> Free {
        let inertia = 2.0 * self.mass / self.step_s;
        let own = inertia * self.speed;
        match self.puller {
            Puller::Rigid => Free { speed: drive_m_s, give: 0.0, drive: drive_m_s, drive_give: 0.0 },
            Puller::Bare { force_n_m, end_s } => {
                let speed = (own + self.pull(force_n_m, end_s)) / inertia;
                Free { speed, give: 1.0 / inertia, drive: speed, drive_give: 1.0 / inertia }
            }
            Puller::Sprung(link) => {
                let drag = self.drag(link);
                let speed = (own - link.stiffness_n_m * self.stretch + drag * drive_m_s) / (inertia + drag);
                Free { speed, give: 1.0 / (inertia + drag), drive: drive_m_s, drive_give: 0.0 }
            }
            Puller::Mass { force_n_m, end_s, mass, link } => {
                let (drag, other) = (self.drag(link), 2.0 * mass / self.step_s);
                let tension = link.stiffness_n_m * self.stretch;
                let (a, b) =
                    (own - tension, other * self.drive_speed + self.pull(force_n_m, end_s) + tension);
                let det = (inertia + drag) * (other + drag) - drag * drag;
                Free {
                    speed: ((other + drag) * a + drag * b) / det,
                    give: (other + drag) / det,
                    drive: (drag * a + (inertia + drag) * b) / det,
                    drive_give: drag / det,
                }
            }
        }
    }

    /// What the link pulls with per mean speed of stretching.
    fn drag(&self, link: Link) -> f64 {
        0.5 * link.stiffness_n_m * self.step_s + link.damping_n_s_m
    }

    /// One step under the friction `force`.
    pub fn advance(&mut self, free: &Free, force: f64) -> Pulled {
        let (mean, drive) = (free.speed + free.give * force, free.drive + free.drive_give * force);
        let way_m = mean * self.step_s;
        let stretching = mean - drive;
        let work = |link: Link| {
            let middle = self.stretch + 0.5 * self.step_s * stretching;
            -(link.stiffness_n_m * middle + link.damping_n_s_m * stretching) * drive * self.step_s
        };
        let loss = |link: Link| link.damping_n_s_m * stretching * stretching * self.step_s;
        let (drive_work, loss) = match self.puller {
            Puller::Rigid => (-force * way_m, 0.0),
            Puller::Bare { force_n_m, end_s } => (self.pull(force_n_m, end_s) * way_m, 0.0),
            Puller::Sprung(link) => (work(link), loss(link)),
            Puller::Mass { force_n_m, end_s, link, .. } => {
                (self.pull(force_n_m, end_s) * drive * self.step_s, loss(link))
            }
        };
        if self.is_rigid() {
            self.speed = mean;
        } else {
            self.speed = 2.0 * mean - self.speed;
        }
        if matches!(self.puller, Puller::Mass { .. }) {
            self.drive_speed = 2.0 * drive - self.drive_speed;
        }
        self.stretch += stretching * self.step_s;
        self.steps += 1;
        Pulled { way_m, drive_work, loss }
    }

    /// The slider is caught within the step just made: it ends with the step's mean speed instead of swinging
    /// about it from step to step as long as it is held. What is lost is heat.
    pub fn catch(&mut self, way_m: f64) -> f64 {
        let mean = way_m / self.step_s;
        if self.is_rigid() || mean.abs() >= self.speed.abs() {
            return 0.0;
        }
        let lost = 0.5 * self.mass * (self.speed * self.speed - mean * mean);
        self.speed = mean;
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Draft;

    fn tow(keys: &[(&str, &str)], step_s: f64) -> Tow {
        let mut draft = Draft::default();
        draft.set("motion.kind", "endless").unwrap();
        for (key, value) in keys {
            draft.set(key, value).unwrap();
        }
        Tow::new(&draft.build().unwrap(), step_s)
    }

    #[test]
    fn val_a_slider_on_a_spring_swings_at_its_own_frequency_and_keeps_its_energy() {
        // 0.78 kg per metre of width on 1e5 N/m: 357.99 rad/s.
        let mut tow = tow(&[("drive.stiffness_n_m", "1e5")], 1.0 / 192_000.0);
        tow.start(0.0);
        tow.speed = 0.01;
        let stored = tow.stored();
        let (mut turns, mut last) = (0, tow.speed);
        for _ in 0..192_000 {
            let free = tow.predict(0.0);
            tow.advance(&free, 0.0);
            turns += usize::from(tow.speed.signum() != last.signum());
            last = tow.speed;
        }
        assert!((tow.stored() / stored - 1.0).abs() < 1e-9);
        // Two turns in a period: 113.95 in a second.
        assert!((113..=115).contains(&turns), "{turns}");
    }

    #[test]
    fn work_less_loss_is_what_is_stored() {
        for keys in [
            &[("drive.stiffness_n_m", "1e5"), ("drive.damping_n_s_m", "20")][..],
            &[("drive.kind", "force"), ("drive.force_n_m", "3")],
            &[
                ("drive.kind", "force"),
                ("drive.force_n_m", "3"),
                ("drive.mass_kg_m", "2"),
                ("drive.stiffness_n_m", "1e4"),
                ("drive.damping_n_s_m", "5"),
            ],
        ] {
            let mut tow = tow(keys, 1e-5);
            tow.start(0.1);
            let first = tow.stored();
            let mut books = 0.0;
            for n in 0..2000 {
                let friction = if n % 7 < 3 { -0.4 } else { 0.2 };
                let free = tow.predict(0.1);
                let pulled = tow.advance(&free, friction);
                books += pulled.drive_work - pulled.loss + friction * pulled.way_m;
            }
            assert!((tow.stored() - first - books).abs() < 1e-9, "{keys:?}");
        }
    }
}
