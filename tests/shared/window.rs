//! What tests of real windows share, whether a host or the app has opened them: a hand with a pointer, a camera,
//! and a look at the memory.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, CreateWindowAux, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Pictures for README: sizes in points, scale factors, and what sounds.
pub const PICTURES: [(u32, u32, f64, &str); 3] =
    [(640, 400, 2.0, "glass-harp"), (1080, 700, 1.5, "steel-on-steel"), (1920, 1080, 1.0, "washboard")];

/// A notch of the wheel away from the hand, as a button.
pub const WHEEL_UP: u8 = 4;

/// A few frames of a window that is painted without a graphics card.
pub const MOMENT: Duration = Duration::from_millis(200);

/// A hand over a window; every place is in points of its scale.
pub struct Hand {
    pub display: RustConnection,
    pub root: u32,
    pub window: u32,
    pub scale: f64,
}

impl Hand {
    /// Over no window yet.
    pub fn new(scale: f64) -> Self {
        let (display, screen) = x11rb::connect(None).expect("an X display");
        let root = display.setup().roots[screen].root;
        Self { display, root, window: 0, scale }
    }

    pub fn pixels(&self, points: f64) -> i16 {
        (points * self.scale).round() as i16
    }

    /// So many moments pass.
    pub fn rest(&self, moments: u32) {
        self.display.sync().unwrap();
        std::thread::sleep(moments * MOMENT);
    }

    pub fn fake(&self, kind: u8, detail: u8, (x, y): (i16, i16)) {
        self.display.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, self.root, x, y, 0).unwrap();
        self.display.sync().unwrap();
    }

    pub fn point(&self, (x, y): (f64, f64)) {
        let (x, y) = (self.pixels(x), self.pixels(y));
        let at = self.display.translate_coordinates(self.window, self.root, x, y).unwrap().reply().unwrap();
        self.fake(MOTION_NOTIFY_EVENT, 0, (at.dst_x, at.dst_y));
    }

    /// With button 1, 2 or 3, or a notch of the wheel.
    pub fn click(&self, at: (f64, f64), button: u8) {
        self.point(at);
        for kind in [BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT] {
            std::thread::sleep(MOMENT / 4);
            self.fake(kind, button, (0, 0));
        }
        self.rest(1);
    }

    /// Holds a key down for a moment, by the number that X gives its sign (a letter has its own).
    pub fn key(&self, sign: u32) {
        let setup = self.display.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let map = self.display.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let row = usize::from(map.keysyms_per_keycode);
        let place = map.keysyms.chunks(row).position(|signs| signs.contains(&sign)).unwrap();
        for kind in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
            self.fake(kind, first + place as u8, (0, 0));
            std::thread::sleep(MOMENT);
        }
    }

    /// A window over everything else, as another program's; gone when it is destroyed.
    pub fn cover(&self) -> u32 {
        let over = self.display.generate_id().unwrap();
        let aux = CreateWindowAux::new().override_redirect(1);
        let class = WindowClass::INPUT_OUTPUT;
        self.display.create_window(0, over, self.root, 0, 0, 4000, 4000, 0, class, 0, &aux).unwrap();
        self.display.map_window(over).unwrap();
        self.rest(2);
        over
    }

    pub fn uncover(&self, over: u32) {
        self.display.destroy_window(over).unwrap();
        self.rest(2);
    }

    /// Keeps the picture of the window for README, small enough to be kept.
    pub fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}.png"));
        // No picture of what a pointer explains.
        self.fake(MOTION_NOTIFY_EVENT, 0, (1990, 1190));
        self.rest(2);
        let (window, target) = (self.window.to_string(), format!("PNG8:{}", file.display()));
        let words = ["-window", &window, "-strip", "-dither", "None", "-colors", "96", &target];
        assert!(Command::new("import").args(words).status().unwrap().success());
        let bytes = file.metadata().unwrap().len();
        assert!((5_000..150_000).contains(&bytes), "{}: {bytes} bytes", file.display());
    }
}

/// Resident memory of a process, kB.
pub fn memory_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// CPU time of one thread of a process so far, to a hundredth of a second.
pub fn cpu_time(process: u32, thread: u32) -> Duration {
    let line = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).unwrap_or_default();
    // The name before the last bracket may hold anything; user and system time are the 12th and 13th field after.
    let fields = line.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
    let ticks: u64 = fields.take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}
