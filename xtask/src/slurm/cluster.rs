//! A cluster of one node: munged, slurmctld and slurmd with all their files in a scratch folder, stopped by
//! their process ids when done.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::text;
use crate::steps::output_of;

pub struct Cluster {
    folder: PathBuf,
    conf: PathBuf,
}

/// Started in this order, stopped in the other.
const DAEMONS: [&str; 3] = ["munged", "slurmctld", "slurmd"];

impl Cluster {
    pub fn start(scratch: &Path) -> Result<Self, String> {
        let folder = scratch.join("cluster");
        for name in ["state", "spool"] {
            fs::create_dir_all(folder.join(name))
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        // munged wants folders that only their owner writes, and everyone may reach its socket.
        for path in [scratch, folder.as_path()] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let cluster = Self { conf: folder.join("slurm.conf"), folder };
        cluster.write_key()?;
        cluster.write_conf()?;
        let at = |name: &str| cluster.folder.join(name).display().to_string();
        let conf = text(&cluster.conf)?;
        let munge = [
            format!("--key-file={}", at("munge.key")),
            format!("--socket={}", at("munge.socket")),
            format!("--pid-file={}", at("munged.pid")),
            format!("--log-file={}", at("munged.log")),
            format!("--seed-file={}", at("munge.seed")),
        ];
        cluster.ask("munged", &munge.iter().map(String::as_str).collect::<Vec<_>>())?;
        cluster.ask("slurmctld", &["-f", conf])?;
        cluster.ask("slurmd", &["-f", conf])?;
        let clock = Instant::now();
        while !cluster.ask("sinfo", &["--noheader", "--format=%T"]).is_ok_and(|state| state.contains("idle"))
        {
            if clock.elapsed() > Duration::from_secs(60) {
                return Err(format!("the node is not idle after a minute; see {}", cluster.folder.display()));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(cluster)
    }

    /// Runs a program against this cluster for what it prints.
    pub fn ask(&self, program: &str, words: &[&str]) -> Result<String, String> {
        let output = Command::new(program)
            .args(words)
            .env("SLURM_CONF", &self.conf)
            .output()
            .map_err(|error| format!("{program}: {error}"))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(format!("{program} {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
        }
    }

    /// A key for this run only: any bytes that nobody else has.
    fn write_key(&self) -> Result<(), String> {
        let path = self.folder.join("munge.key");
        let key = fs::File::open("/dev/urandom").and_then(|mut source| {
            let mut bytes = [0; 128];
            std::io::Read::read_exact(&mut source, &mut bytes)?;
            fs::write(&path, bytes)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))
        });
        key.map_err(|error| format!("{}: {error}", path.display()))
    }

    fn write_conf(&self) -> Result<(), String> {
        let node = output_of("hostname", &["-s"])?.trim().to_owned();
        let user = output_of("id", &["-un"])?.trim().to_owned();
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let (controller, daemon) = free_ports()?;
        let folder = self.folder.display();
        // A requeued job waits until its old credential has expired, two minutes if nothing is said.
        let conf = format!(
            "ClusterName=check\n\
             SlurmctldHost={node}(127.0.0.1)\n\
             SlurmctldPort={controller}\nSlurmdPort={daemon}\n\
             SlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket,cred_expire=5\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             MpiDefault=none\nReturnToService=2\nJobRequeue=1\nSlurmdParameters=config_overrides\n\
             NodeName={node} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN\n\
             PartitionName=main Nodes={node} Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(&self.conf, conf).map_err(|error| format!("{}: {error}", self.conf.display()))
    }
}

/// Two ports that nobody listens on now.
fn free_ports() -> Result<(u16, u16), String> {
    let bind = || TcpListener::bind("127.0.0.1:0").map_err(|error| format!("no free port: {error}"));
    let (one, two) = (bind()?, bind()?);
    let port = |listener: &TcpListener| {
        listener.local_addr().map(|address| address.port()).map_err(|error| format!("no free port: {error}"))
    };
    Ok((port(&one)?, port(&two)?))
}

impl Drop for Cluster {
    /// Asks each daemon to end and waits until it has: the scratch folder is removed next.
    fn drop(&mut self) {
        for daemon in DAEMONS.iter().rev() {
            let file = self.folder.join(format!("{daemon}.pid"));
            let Ok(id) = fs::read_to_string(&file) else { continue };
            let id = id.trim();
            let running = |signal: &str| crate::steps::succeeds("kill", &[signal, id]);
            let clock = Instant::now();
            running("-TERM");
            while running("-0") && clock.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(100));
            }
            if running("-0") {
                eprintln!("{daemon} (process {id}) did not end when asked");
            }
        }
    }
}
