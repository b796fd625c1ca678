//! What an engine tells of its voices: energy, work, levels and pictures. Nothing here changes anything.

use super::engine::Engine;
use super::meet::Work;
use super::rub::Sliding;
use super::view::ContactView;
use crate::record::{EnergyLedger, RunFigures};

impl Engine {
    /// Energy ledger of one voice since reset.
    pub fn ledger(&self, voice: usize) -> EnergyLedger {
        self.parts.get(voice).map(|part| part.voice.books.ledger).unwrap_or_default()
    }

    /// How often the guard had to start a voice again.
    pub fn restarts(&self) -> u64 {
        self.parts.iter().map(|part| part.voice.books.restarts).sum()
    }

    /// Work done by one voice since reset.
    pub fn work(&self, voice: usize) -> Work {
        self.parts.get(voice).map(|part| part.voice.meeting.work).unwrap_or_default()
    }

    /// What one voice's contact looks like now.
    pub fn view(&self, voice: usize, view: &mut ContactView) {
        if let Some(part) = self.parts.get(voice) {
            view.take(&part.voice, &part.stage);
        }
    }

    /// What a voice's slider does along x, where the scene has friction or a drive that gives.
    pub fn sliding(&self, voice: usize) -> Option<Sliding> {
        let voice = &self.parts.get(voice)?.voice;
        let place_m = voice.controls.offset() * voice.controls.step_m();
        Some(voice.rub.as_ref()?.sliding(place_m))
    }

    /// All voices asleep and nothing left on the way out.
    pub fn is_silent(&self) -> bool {
        self.parts.iter().all(|part| part.asleep) && self.outlets.is_silent()
    }

    /// Level and contact figures of one voice, as the reference engine gives them. Shocks are counted per
    /// block of sixteen nodes.
    pub fn figures(&self, voice: usize) -> RunFigures {
        let Some(part) = self.parts.get(voice) else { return RunFigures::default() };
        let (books, work) = (&part.voice.books, part.voice.meeting.work);
        let mean = books.squares / (books.steps.max(1) as f64 * part.stage.length_m());
        RunFigures {
            seconds: work.steps as f64 * part.stage.step_s,
            v_rms_m_s: mean.sqrt(),
            contact_fraction: work.contact_steps as f64 / work.steps.max(1) as f64,
            shocks: work.shocks,
            max_force_n_m: f64::from(books.max_force_n_m),
            ledger: books.ledger,
            rubbing: part.voice.rub.as_ref().and_then(|rub| rub.rubbing(books.steps, part.stage.step_s)),
            step_s: part.stage.step_s,
            steps: work.steps,
        }
    }
}
