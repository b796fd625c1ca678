//! The host's window around the panel's, on X11. There a window that has the pointer or the focus gets every key,
//! whether it has a use for it or not, and is drawn on when nobody can see it. So the keys that are not the panel's
//! are handed on to the host, and the panel asks whether it is seen. Other systems do both by themselves.

/// Whose keys are whose at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keys {
    Host,
    /// A control has been chosen by keyboard: those that lead from one to the next and turn it are the panel's.
    Turning,
    /// Something is being typed.
    Panel,
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::HostWindow;
#[cfg(target_os = "linux")]
pub use x11::HostWindow;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Keys;

    /// There is none.
    pub enum HostWindow {}

    impl HostWindow {
        pub fn around<W>(_: &W) -> Option<Self> {
            None
        }

        pub fn is_seen(&mut self) -> bool {
            match *self {}
        }

        pub fn hand_on(&mut self, _: Keys) {
            match *self {}
        }
    }
}

#[cfg(target_os = "linux")]
mod x11 {
    use std::time::{Duration, Instant};

    use raw_window_handle::{HasWindowHandle, RawWindowHandle};
    use x11rb::connection::Connection;
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        ChangeWindowAttributesAux, ConnectionExt, EventMask, KEY_PRESS_EVENT, KeyPressEvent, MapState,
        Visibility,
    };
    use x11rb::rust_connection::RustConnection;

    use super::Keys;

    /// How often a window that is seen asks whether it still is.
    const ASK_EVERY: Duration = Duration::from_millis(250);
    /// The key that ends typing comes here and to the panel by two ways, and may come here after it has ended.
    const AFTERWARDS: Duration = Duration::from_millis(150);
    /// Marks events that a program has sent, in their type.
    const SENT: u8 = 0x80;
    /// X's numbers for backspace, tab (also with shift), return, escape, the arrows, page up and down, delete.
    const TURNING: [u32; 12] =
        [0xff08, 0xff09, 0xfe20, 0xff0d, 0xff1b, 0xff51, 0xff52, 0xff53, 0xff54, 0xff55, 0xff56, 0xffff];
    /// Windows between the panel's and the host's that listens to keys.
    const DEEPEST: usize = 16;

    pub struct HostWindow {
        /// A line of our own: the panel's window is another crate's.
        display: RustConnection,
        window: u32,
        turning: Vec<u8>,
        /// Keys whose press the host has got, and so is to get the release of.
        handed: [bool; 256],
        /// Other windows lie over all of it.
        covered: bool,
        /// It and everything around it was on the screen when that was asked last.
        mapped: bool,
        asked: Instant,
        /// When the panel last had more of the keys than the host, and which.
        panel_had: Option<(Keys, Instant)>,
    }

    impl HostWindow {
        /// Listens to the keys of a window beside its owner.
        pub fn around(window: &impl HasWindowHandle) -> Option<Self> {
            let window = match window.window_handle().ok()?.as_raw() {
                RawWindowHandle::Xcb(handle) => handle.window.get(),
                RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok()?,
                _ => return None,
            };
            let (display, _) = x11rb::connect(None).ok()?;
            let events = EventMask::KEY_PRESS | EventMask::KEY_RELEASE | EventMask::VISIBILITY_CHANGE;
            let listens = ChangeWindowAttributesAux::new().event_mask(events);
            display.change_window_attributes(window, &listens).ok()?.check().ok()?;
            let turning = turning_keys(&display).unwrap_or_default();
            let asked = Instant::now();
            Some(Self {
                display,
                window,
                turning,
                handed: [false; 256],
                covered: false,
                mapped: true,
                asked,
                panel_had: None,
            })
        }

        /// Whether anybody can see it. A window that was not on the screen asks at every call.
        pub fn is_seen(&mut self) -> bool {
            if !self.mapped || self.asked.elapsed() >= ASK_EVERY {
                self.asked = Instant::now();
                let asked = self.display.get_window_attributes(self.window).ok();
                let found = asked.and_then(|asked| asked.reply().ok());
                self.mapped = found.is_none_or(|found| found.map_state == MapState::VIEWABLE);
            }
            self.mapped && !self.covered
        }

        /// Reads what has happened since the last call; gives the host the keys that are its own.
        pub fn hand_on(&mut self, keys: Keys) {
            let had = self.panel_had.filter(|(_, since)| since.elapsed() < AFTERWARDS);
            // As long as the panel has them, afterwards has not begun.
            if keys > Keys::Host && had.is_none_or(|(had, _)| keys >= had) {
                self.panel_had = Some((keys, Instant::now()));
            }
            let keys = had.map_or(keys, |(had, _)| keys.max(had));
            while let Ok(Some(event)) = self.display.poll_for_event() {
                match event {
                    // What a host has sent here it does not want back.
                    Event::KeyPress(key) | Event::KeyRelease(key) if key.response_type & SENT == 0 => {
                        self.take(key, keys);
                    }
                    Event::VisibilityNotify(event) => {
                        self.covered = event.state == Visibility::FULLY_OBSCURED;
                    }
                    Event::MappingNotify(_) => {
                        self.turning = turning_keys(&self.display).unwrap_or_default();
                    }
                    _ => {}
                }
            }
        }

        fn take(&mut self, key: KeyPressEvent, keys: Keys) {
            let handed = &mut self.handed[usize::from(key.detail)];
            let goes = if key.response_type == KEY_PRESS_EVENT {
                *handed = match keys {
                    Keys::Panel => false,
                    Keys::Turning => !self.turning.contains(&key.detail),
                    Keys::Host => true,
                };
                *handed
            } else {
                std::mem::take(handed)
            };
            // A host that is gone by now has no use for keys.
            let _ = if goes { self.send(key) } else { None };
        }

        fn send(&self, key: KeyPressEvent) -> Option<()> {
            let event = self.listener()?;
            let key = KeyPressEvent { event, child: x11rb::NONE, ..key };
            self.display.send_event(false, event, EventMask::NO_EVENT, key).ok()?;
            self.display.flush().ok()
        }

        /// The host's nearest window that listens to keys; its innermost if none says so. What lies further out
        /// is the window manager's.
        fn listener(&self) -> Option<u32> {
            let around = |window: u32| Some(self.display.query_tree(window).ok()?.reply().ok()?.parent);
            let innermost = around(self.window)?;
            let owner = |window: u32| window & !self.display.setup().resource_id_mask;
            let mut window = innermost;
            for _ in 0..DEEPEST {
                let found = self.display.get_window_attributes(window).ok()?.reply().ok()?;
                if found.all_event_masks.contains(EventMask::KEY_PRESS) {
                    return Some(window);
                }
                window = around(window)?;
                if owner(window) != owner(innermost) {
                    break;
                }
            }
            Some(innermost)
        }
    }

    fn turning_keys(display: &RustConnection) -> Option<Vec<u8>> {
        let (first, last) = (display.setup().min_keycode, display.setup().max_keycode);
        let map = display.get_keyboard_mapping(first, last - first + 1).ok()?.reply().ok()?;
        let rows = map.keysyms.chunks(usize::from(map.keysyms_per_keycode).max(1));
        let turns = |signs: &[u32]| signs.iter().any(|sign| TURNING.contains(sign));
        Some((first..=last).zip(rows).filter(|(_, signs)| turns(signs)).map(|(code, _)| code).collect())
    }
}
