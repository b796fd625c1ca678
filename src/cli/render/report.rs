//! What `asperity render` says when it is done, as JSON or in words.

use serde::Serialize;
use serde_json::json;

use super::Plan;
use super::midi::Played;
use super::rubbed::Rubbed;
use crate::cli::out;
use crate::error::Error;
use crate::record::{Quantity, RunFigures};
use crate::scene::Scene;

/// What a run tells about itself.
pub enum Told {
    Run(RunFigures),
    Played(Played),
}

impl Told {
    /// The level, and of what it is.
    pub fn level(&self) -> String {
        match self {
            Self::Run(figures) => format!("Lv = {:.1} dB re 1 nm/s over the resonator", figures.lv_db()),
            Self::Played(played) => {
                let (symbol, level_db) = (played.quantity.symbol(), played.level_db());
                format!("{symbol} = {level_db:.1} dB re {} of both channels", played.quantity.reference().1)
            }
        }
    }
}

/// What the command knows besides.
pub struct Report<'a> {
    pub scene: &'a Scene,
    pub plan: &'a Plan,
    pub rate_hz: f64,
    pub clipped_samples: u64,
    pub cpu_s: f64,
}

/// The contract's keys.
#[derive(Debug, Serialize)]
struct Figures {
    lv_db: f64,
    v_rms_m_s: f64,
    seconds: f64,
    rate_hz: f64,
    inner_rate_hz: f64,
    engine: &'static str,
    quality: Option<&'static str>,
    seed: u64,
    contact_fraction: f64,
    shocks: u64,
    max_force_n_m: f64,
    energy_residual: f64,
    full_scale_m_s: Option<f64>,
    clipped_samples: u64,
    realtime_factor: f64,
    /// Of scenes with friction.
    #[serde(flatten)]
    rubbing: Option<Rubbed>,
}

impl Report<'_> {
    pub fn tell(&self, told: &Told, as_json: bool) -> Result<(), Error> {
        match told {
            Told::Run(figures) => self.run(figures, &told.level(), as_json),
            Told::Played(played) => self.played(played, &told.level(), as_json),
        }
    }

    /// What 1.0 stands for in the first channel of velocity; None where there is none.
    fn full_scale_m_s(&self) -> Option<f64> {
        let mut channels = self.plan.wav.channels.iter();
        let velocity = channels.find(|channel| channel.quantity == Quantity::Velocity.name());
        velocity.map(|channel| channel.full_scale)
    }

    /// The last line.
    fn scale_line(&self) -> String {
        let mut scales: Vec<String> = Vec::new();
        for channel in &self.plan.wav.channels {
            let scale = format!("{} {}", channel.full_scale, channel.unit);
            if !scales.contains(&scale) {
                scales.push(scale);
            }
        }
        format!("full scale {}, {} samples clipped", scales.join(" and "), self.clipped_samples)
    }

    fn run(&self, figures: &RunFigures, level: &str, as_json: bool) -> Result<(), Error> {
        let report = Figures {
            lv_db: figures.lv_db(),
            v_rms_m_s: figures.v_rms_m_s,
            seconds: figures.seconds,
            rate_hz: self.rate_hz,
            inner_rate_hz: 1.0 / figures.step_s,
            engine: self.plan.order.engine.name(),
            quality: self.plan.order.quality_name(),
            seed: self.scene.seed,
            contact_fraction: figures.contact_fraction,
            shocks: figures.shocks,
            max_force_n_m: figures.max_force_n_m,
            energy_residual: figures.ledger.residual(),
            full_scale_m_s: self.full_scale_m_s(),
            clipped_samples: self.clipped_samples,
            realtime_factor: figures.seconds / self.cpu_s,
            rubbing: figures.rubbing.as_ref().map(|rubbing| Rubbed::of(self.scene, rubbing)),
        };
        if as_json {
            return out::json(&report);
        }
        out::line(&format!(
            "{level}, {:.2} s simulated ({:.2} × real time)\n\
             in contact {:.1} % of the time, {} shocks, largest force {:.3} N/m, energy books close to {:.1e}\n\
             {}{}",
            report.seconds,
            report.realtime_factor,
            100.0 * report.contact_fraction,
            report.shocks,
            report.max_force_n_m,
            report.energy_residual,
            self.scale_line(),
            report.rubbing.as_ref().map_or(String::new(), Rubbed::line),
        ))
    }

    /// A performance has a level, but no one contact to count.
    fn played(&self, played: &Played, level: &str, as_json: bool) -> Result<(), Error> {
        let realtime_factor = played.seconds / self.cpu_s;
        if as_json {
            let of = |quantity: Quantity, value: f64| (played.quantity == quantity).then_some(value);
            return out::json(&json!({
                "lv_db": of(Quantity::Velocity, played.level_db()),
                "v_rms_m_s": of(Quantity::Velocity, played.rms),
                "lp_db": of(Quantity::Pressure, played.level_db()),
                "seconds": played.seconds,
                "rate_hz": self.rate_hz,
                "inner_rate_hz": played.inner_rate_hz,
                "engine": self.plan.order.engine.name(),
                "quality": self.plan.order.quality.name(),
                "seed": self.scene.seed,
                "notes": played.notes,
                "full_scale_m_s": self.full_scale_m_s(),
                "clipped_samples": self.clipped_samples,
                "realtime_factor": realtime_factor,
            }));
        }
        out::line(&format!(
            "{level}, {} notes, {:.2} s ({realtime_factor:.2} × real time)\n{}",
            played.notes,
            played.seconds,
            self.scale_line(),
        ))
    }
}
