//! The system's dialogs for files. They are asked for on the window's thread, as some systems insist, and
//! waited for on another, so that the window goes on.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use rfd::{AsyncFileDialog, FileHandle};

use crate::app::files::{PRESET_ENDINGS, PROFILE_ENDINGS};

/// What a dialog was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Save,
}

/// At most one dialog at a time.
#[derive(Default)]
pub struct Dialogs {
    waiting: Option<(Purpose, Receiver<Option<PathBuf>>)>,
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

    fn wait(&mut self, purpose: Purpose, answer: impl Future<Output = Option<FileHandle>> + Send + 'static) {
        let (sender, receiver) = channel();
        self.waiting = Some((purpose, receiver));
        std::thread::spawn(move || {
            let path = pollster::block_on(answer).map(|file| file.path().to_owned());
            // The window may have been closed meanwhile.
            let _ = sender.send(path);
        });
    }

    /// The file that was chosen since the last call.
    pub fn answer(&mut self) -> Option<(Purpose, PathBuf)> {
        let (purpose, receiver) = self.waiting.as_ref()?;
        let answer = (*purpose, receiver.try_recv());
        match answer {
            (_, Err(std::sync::mpsc::TryRecvError::Empty)) => None,
            (purpose, answer) => {
                self.waiting = None;
                answer.ok().flatten().map(|path| (purpose, path))
            }
        }
    }
}
