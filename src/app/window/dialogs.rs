//! The system's dialogs for files. They are asked for on the window's thread, as some systems insist, and
//! waited for on another, so that the window goes on.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use rfd::{AsyncFileDialog, FileHandle};

use crate::app::files::{PRESET_ENDINGS, PROFILE_ENDINGS};

/// What a dialog was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Save,
}

/// How a dialog ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Chosen(Purpose, PathBuf),
    Cancelled,
    /// It was gone before a person could have seen it: this system has none.
    NoDialog,
}

/// Nobody reads a dialog and cancels it in less.
const SEEN: Duration = Duration::from_millis(150);

struct Waiting {
    purpose: Purpose,
    since: Instant,
    answer: Receiver<Option<PathBuf>>,
}

/// At most one dialog at a time.
#[derive(Default)]
pub struct Dialogs {
    waiting: Option<Waiting>,
}

impl Dialogs {
    pub fn is_open(&self) -> bool {
        self.waiting.is_some()
    }

    pub fn ask(&mut self, purpose: Purpose, name: &str) {
        let all: Vec<&str> = PRESET_ENDINGS.into_iter().chain(PROFILE_ENDINGS).collect();
        match purpose {
            Purpose::Open => {
                let dialog = AsyncFileDialog::new().set_title("Open a preset or a measured profile");
                self.wait(purpose, dialog.add_filter("Presets and profiles", &all).pick_file());
            }
            Purpose::Save => {
                let dialog = AsyncFileDialog::new().set_title("Save the preset").set_file_name(name);
                self.wait(purpose, dialog.add_filter("Presets", &PRESET_ENDINGS).save_file());
            }
        }
    }

    pub fn wait(
        &mut self,
        purpose: Purpose,
        chosen: impl Future<Output = Option<FileHandle>> + Send + 'static,
    ) {
        let (sender, answer) = channel();
        self.waiting = Some(Waiting { purpose, since: Instant::now(), answer });
        std::thread::spawn(move || {
            let path = pollster::block_on(chosen).map(|file| file.path().to_owned());
            // The window may have been closed meanwhile.
            let _ = sender.send(path);
        });
    }

    /// How a dialog ended since the last call.
    pub fn answer(&mut self) -> Option<Answer> {
        let Waiting { purpose, since, answer } = self.waiting.as_ref()?;
        let ended = match answer.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(Some(path)) => Answer::Chosen(*purpose, path),
            Ok(None) | Err(TryRecvError::Disconnected) if since.elapsed() < SEEN => Answer::NoDialog,
            Ok(None) | Err(TryRecvError::Disconnected) => Answer::Cancelled,
        };
        self.waiting = None;
        Some(ended)
    }
}
