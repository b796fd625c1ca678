//! MIDI learn: which controller turns which knob. A controller turns one knob; a knob may have several.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::instrument::parameters::Param;

/// Channel and number of a controller.
pub type Controller = (u8, u8);

/// Shared by the MIDI inputs, which ask, and the window, which teaches.
#[derive(Default)]
pub struct Learned {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    knobs: BTreeMap<Controller, Param>,
    /// The knob that the next controller will turn.
    waiting: Option<Param>,
}

impl Learned {
    pub fn new(knobs: BTreeMap<Controller, Param>) -> Self {
        Self { inner: Mutex::new(Inner { knobs, waiting: None }) }
    }

    /// The next controller that moves will turn this knob.
    pub fn wait_for(&self, param: Param) {
        self.lock().waiting = Some(param);
    }

    pub fn cancel(&self) {
        self.lock().waiting = None;
    }

    pub fn waiting(&self) -> Option<Param> {
        self.lock().waiting
    }

    /// No controller turns this knob any more.
    pub fn forget(&self, param: Param) {
        self.lock().knobs.retain(|_, knob| *knob != param);
    }

    /// Controllers of a knob.
    pub fn controllers(&self, param: Param) -> Vec<Controller> {
        let inner = self.lock();
        inner.knobs.iter().filter(|(_, knob)| **knob == param).map(|(controller, _)| *controller).collect()
    }

    pub fn all(&self) -> BTreeMap<Controller, Param> {
        self.lock().knobs.clone()
    }

    /// A controller moved: which knob it turns, learning it if one waits.
    pub fn moved(&self, controller: Controller) -> Option<Param> {
        let mut inner = self.lock();
        if let Some(param) = inner.waiting.take() {
            inner.knobs.insert(controller, param);
        }
        inner.knobs.get(&controller).copied()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_controller_is_learned_once() {
        let learned = Learned::default();
        assert_eq!(learned.moved((0, 21)), None);
        learned.wait_for(Param::Ra);
        assert_eq!(learned.moved((0, 21)), Some(Param::Ra));
        assert_eq!(learned.waiting(), None);
        assert_eq!(learned.moved((0, 22)), None, "only the first one");
        assert_eq!(learned.moved((1, 21)), None, "another channel is another controller");
        // A controller that is taught again lets the old knob go.
        learned.wait_for(Param::V);
        learned.moved((0, 21));
        assert!(learned.controllers(Param::Ra).is_empty());
        assert_eq!(learned.controllers(Param::V), [(0, 21)]);
        learned.forget(Param::V);
        assert!(learned.all().is_empty());
        learned.wait_for(Param::V);
        learned.cancel();
        assert_eq!(learned.moved((0, 21)), None);
    }
}
