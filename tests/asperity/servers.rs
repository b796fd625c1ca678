//! Real sound servers without a sound card, for tests: JACK's dummy and PulseAudio's null sink, each under a
//! name of its own in a folder of its own, so that nothing else on the machine hears or disturbs them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A server that ends with its test.
pub struct Server {
    folder: TempDir,
    name: String,
    child: Child,
    start: fn(&Path, &str) -> Command,
    _turn: MutexGuard<'static, ()>,
}

/// One server at a time: several that start at once trip over each other's shared memory.
static TURN: Mutex<()> = Mutex::new(());

impl Drop for Server {
    /// Asked to end, it clears up: JACK remembers eight servers that died otherwise, and then starts no more.
    fn drop(&mut self) {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        let begin = Instant::now();
        while asked.is_ok() && begin.elapsed() < Duration::from_secs(5) {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.kill();
    }
}

/// JACK with its dummy driver: 48 kHz, blocks of 128. `None`, with the reason printed, where it is not installed.
pub fn jack() -> Option<Server> {
    Server::start("jackd", |_, name| {
        let mut command = Command::new("jackd");
        command.args(["--no-realtime", "--name", name, "-d", "dummy", "-r", "48000", "-p", "128"]);
        command
    })
}

/// PulseAudio with a null sink of 32-bit floats.
pub fn pulse() -> Option<Server> {
    Server::start("pulseaudio", |folder, name| {
        let socket = folder.join("native");
        // What a killed server left behind keeps a new one from starting.
        let _ = std::fs::remove_file(&socket);
        let mut command = Command::new("pulseaudio");
        command.args(["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no"]);
        let sink = format!("module-null-sink sink_name={name} format=float32le rate=48000 channels=2");
        let door = format!("module-native-protocol-unix auth-anonymous=1 socket={}", socket.display());
        command.args(["--load", &sink, "--load", &door]);
        command
    })
}

impl Server {
    fn start(program: &str, start: fn(&Path, &str) -> Command) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut asked = Command::new(program);
        if asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            println!("skipped: {program} is not installed; `cargo xtask test` installs it where it may");
            return None;
        }
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let name = format!("asperity-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let child = spawn(start, folder.path(), &name);
        let server = Self { folder, name, child, start, _turn: turn };
        server.wait();
        Some(server)
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn restart(&mut self) {
        self.child = spawn(self.start, self.folder.path(), &self.name);
        self.wait();
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Points a program at this server and at no other sound on the machine.
    pub fn lead(&self, command: &mut Command) {
        alone(command, self.folder.path());
        command.env("JACK_DEFAULT_SERVER", &self.name);
        if self.folder.path().join("native").exists() {
            command.env("PULSE_SERVER", format!("unix:{}", self.folder.path().join("native").display()));
        }
    }

    /// Until a program finds a device.
    fn wait(&self) {
        let begin = Instant::now();
        loop {
            let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
            self.lead(command.args(["play", "--list-devices"]));
            let listed = command.output().unwrap();
            if String::from_utf8_lossy(&listed.stdout).contains("audio  ") {
                return;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "the sound server does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// No sound server, no sound card, nobody's settings.
pub fn alone(command: &mut Command, folder: &Path) {
    command.env("JACK_DEFAULT_SERVER", "nobody").env("ALSA_CONFIG_PATH", "/dev/null");
    command.env("XDG_RUNTIME_DIR", folder).env("XDG_CONFIG_HOME", folder).env("HOME", folder);
    command.env_remove("PULSE_SERVER").env_remove("PULSE_RUNTIME_PATH");
}

fn spawn(start: fn(&Path, &str) -> Command, folder: &Path, name: &str) -> Child {
    let mut command = start(folder, name);
    command.env("JACK_NO_AUDIO_RESERVATION", "1").env("HOME", folder).env("XDG_RUNTIME_DIR", folder);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    command.spawn().unwrap()
}
