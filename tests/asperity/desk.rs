//! `asperity play` in a real window on an X display, with keys and files to drop beside the pointer.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent, ConfigureWindowAux,
    ConnectionExt as _, CreateWindowAux, EventMask, InputFocus, MapState, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::shared::{Hand, MOMENT, cpu_time, memory_kb};

/// Long enough for a window on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Desk {
    pub hand: Hand,
    child: Child,
    _turn: MutexGuard<'static, ()>,
}

/// There is one pointer.
static TURN: Mutex<()> = Mutex::new(());

impl Desk {
    /// Starts the program and waits for its window.
    pub fn open(command: &mut Command, scale: f64) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let hand = Hand::new(scale);
        command.env("WINIT_X11_SCALE_FACTOR", scale.to_string()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let mut desk = Self { hand, child, _turn: turn };
        let begin = Instant::now();
        while desk.hand.window == 0 {
            assert!(begin.elapsed() < PATIENCE, "no window");
            assert_eq!(desk.child.try_wait().unwrap(), None, "the program has ended");
            std::thread::sleep(MOMENT / 5);
            desk.hand.window = desk.find().unwrap_or_default();
        }
        // Without a window manager nobody gives the keyboard away.
        let (display, window) = (&desk.hand.display, desk.hand.window);
        display.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).unwrap();
        desk.hand.rest(4);
        desk
    }

    /// The window that says it is the program's.
    fn find(&self) -> Option<u32> {
        let display = &self.hand.display;
        let tree = display.query_tree(self.hand.root).unwrap().reply().ok()?;
        let pid = self.atom("_NET_WM_PID");
        let ours = |window: &u32| {
            let asked = display.get_property(false, *window, pid, AtomEnum::CARDINAL, 0, 1).unwrap();
            let found = asked.reply().ok().and_then(|value| value.value32()?.next());
            let state = display.get_window_attributes(*window).unwrap().reply().ok();
            found == Some(self.child.id()) && state.is_some_and(|state| state.map_state == MapState::VIEWABLE)
        };
        tree.children.into_iter().find(ours)
    }

    fn atom(&self, name: &str) -> u32 {
        self.hand.display.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    pub fn resize(&self, width: f64, height: f64) {
        let [width, height] = [width, height].map(|points| self.hand.pixels(points) as u32);
        let size = ConfigureWindowAux::new().x(0).y(0).width(width).height(height);
        self.hand.display.configure_window(self.hand.window, &size).unwrap();
        self.hand.rest(2);
    }

    /// From one place over the others, a fifth of a second each.
    pub fn drag(&self, way: &[(f64, f64)]) {
        self.hand.point(way[0]);
        std::thread::sleep(MOMENT / 4);
        self.hand.fake(BUTTON_PRESS_EVENT, 1, (0, 0));
        for pair in way.windows(2) {
            for part in 1..=20 {
                let share = f64::from(part) / 20.0;
                let between = |from: f64, to: f64| from + share * (to - from);
                self.hand.point((between(pair[0].0, pair[1].0), between(pair[0].1, pair[1].1)));
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        self.hand.fake(BUTTON_RELEASE_EVENT, 1, (0, 0));
        self.hand.rest(1);
    }

    /// What a file manager does when a file is let go over the window.
    pub fn drop_file(&self, path: &Path) {
        let display = &self.hand.display;
        let source = display.generate_id().unwrap();
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        display.create_window(0, source, self.hand.root, 0, 0, 1, 1, 0, class, 0, &aux).unwrap();
        let (selection, list) = (self.atom("XdndSelection"), self.atom("text/uri-list"));
        display.set_selection_owner(source, selection, x11rb::CURRENT_TIME).unwrap();
        self.tell("XdndEnter", [source, 5 << 24, list, 0, 0]);
        self.tell("XdndPosition", [source, 0, 0, x11rb::CURRENT_TIME, self.atom("XdndActionCopy")]);
        let begin = Instant::now();
        let asked = loop {
            assert!(begin.elapsed() < PATIENCE, "nobody asks what is being dropped");
            match display.poll_for_event().unwrap() {
                Some(Event::SelectionRequest(asked)) => break asked,
                _ => std::thread::sleep(MOMENT / 10),
            }
        };
        let uri = format!("file://{}\r\n", path.display());
        let (to, property) = (asked.requestor, asked.property);
        display.change_property8(PropMode::REPLACE, to, property, list, uri.as_bytes()).unwrap();
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor: to,
            selection,
            target: asked.target,
            property,
        };
        display.send_event(false, to, EventMask::NO_EVENT, answer).unwrap();
        self.hand.rest(1);
        self.tell("XdndDrop", [source, 0, x11rb::CURRENT_TIME, 0, 0]);
        self.hand.rest(2);
    }

    fn tell(&self, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.hand.window, self.atom(kind), data);
        self.hand.display.send_event(false, self.hand.window, EventMask::NO_EVENT, message).unwrap();
        self.hand.display.flush().unwrap();
    }

    pub fn memory_kb(&self) -> u64 {
        memory_kb(self.child.id())
    }

    /// CPU time of the thread that draws, so far.
    pub fn drawing(&self) -> Duration {
        cpu_time(self.child.id(), self.child.id())
    }

    /// As the cross in the window's corner does.
    pub fn close(mut self) -> ExitStatus {
        self.tell("WM_PROTOCOLS", [self.atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0]);
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "the window does not close");
            std::thread::sleep(MOMENT / 10);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind; after one that closed the window there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
