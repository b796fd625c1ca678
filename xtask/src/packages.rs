//! What the build needs from the system, and how each kind of Linux calls it.
//!
//! Missing packages are installed when the rights are there (root, or sudo without a password); otherwise
//! the exact line is printed and the run stops, because half a set-up only fails later and stranger.

use crate::steps::{command, output_of, succeeds};

/// Something the build asks for, with its package names for apt, dnf and pacman.
struct Need {
    what: &'static str,
    present: fn() -> bool,
    packages: [&'static [&'static str]; 3],
}

const NEEDS: [Need; 3] = [
    Need {
        what: "a C compiler with the C library's headers (cc)",
        present: can_compile,
        packages: [&["gcc", "libc6-dev"], &["gcc", "glibc-devel"], &["gcc", "glibc"]],
    },
    Need {
        what: "pkg-config",
        present: || succeeds("pkg-config", &["--version"]),
        packages: [&["pkg-config"], &["pkgconf-pkg-config"], &["pkgconf"]],
    },
    Need {
        what: "ALSA's headers (alsa.pc)",
        present: || succeeds("pkg-config", &["--exists", "alsa"]),
        packages: [&["libasound2-dev"], &["alsa-lib-devel"], &["alsa-lib"]],
    },
];

/// Sound servers that run without a sound card, for tests that play to real ones. Tests without them say so
/// and pass.
const SERVERS: [Need; 2] = [
    Need {
        what: "JACK (jackd)",
        present: || succeeds("jackd", &["--version"]),
        packages: [&["jackd2"], &["jack-audio-connection-kit"], &["jack2"]],
    },
    Need {
        what: "PulseAudio (pulseaudio, parec)",
        present: || succeeds("pulseaudio", &["--version"]) && succeeds("parec", &["--version"]),
        packages: [
            &["pulseaudio", "pulseaudio-utils"],
            &["pulseaudio", "pulseaudio-utils"],
            &["pulseaudio", "libpulse"],
        ],
    },
];

/// The package managers we know, in the order of [`Need::packages`]: program, then the lines to run before
/// the names.
const MANAGERS: [(&str, &[&[&str]]); 3] = [
    // Another installation may be under way: wait for it.
    (
        "apt-get",
        &[&["update"], &["install", "-o", "DPkg::Lock::Timeout=600", "-y", "--no-install-recommends"]],
    ),
    ("dnf", &[&["install", "-y"]]),
    ("pacman", &[&["-Sy", "--noconfirm", "--needed"]]),
];

/// Installs what is missing, or says how to.
pub fn set_up() -> Result<(), String> {
    install(&NEEDS)?;
    install_components()
}

/// Servers that cannot be had cost their tests, not the run.
pub fn set_up_servers() {
    for server in SERVERS {
        if let Err(why) = install(&[server]) {
            eprintln!("tests with a sound server are left out: {why}");
        }
    }
}

fn install(needs: &[Need]) -> Result<(), String> {
    // Elsewhere the compiler comes with the toolchain and sound needs no headers.
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let missing: Vec<&Need> = needs.iter().filter(|need| !(need.present)()).collect();
    if missing.is_empty() {
        eprintln!("system packages: all there");
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|need| need.what).collect();
    let Some(manager) = MANAGERS.iter().position(|(program, _)| succeeds(program, &["--version"])) else {
        return Err(format!(
            "missing: {}; install them with your system's package manager",
            names.join(", ")
        ));
    };
    let lines = install_lines(manager, &missing);
    let prefix: &[&str] = if is_root() {
        &[]
    } else if succeeds("sudo", &["-n", "true"]) {
        &["sudo", "-n"]
    } else {
        let by_hand: Vec<String> = lines.iter().map(|line| format!("sudo {}", line.join(" "))).collect();
        return Err(format!(
            "missing: {}; run this, then start again:\n  {}",
            names.join(", "),
            by_hand.join(" && ")
        ));
    };
    for line in &lines {
        let words: Vec<&str> = prefix.iter().chain(line).copied().collect();
        command(words[0], &words[1..])?;
    }
    match needs.iter().find(|need| !(need.present)()) {
        Some(need) => Err(format!("{} is still missing after the installation", need.what)),
        None => Ok(()),
    }
}

/// The cross-compiler's linker and the target's standard library.
pub fn set_up_windows(target: &str) -> Result<(), String> {
    const LINKER: Need = Need {
        what: "the linker of mingw-w64 (x86_64-w64-mingw32-gcc)",
        present: || succeeds("x86_64-w64-mingw32-gcc", &["--version"]),
        packages: [&["gcc-mingw-w64-x86-64"], &["mingw64-gcc"], &["mingw-w64-gcc"]],
    };
    install(&[LINKER])?;
    add_target(target)
}

const WINE: Need = Need {
    what: "Wine, and a virtual display for it (wine, xvfb-run)",
    present: || succeeds("wine", &["--version"]) && succeeds("xvfb-run", &["--help"]),
    packages: [
        &["wine", "wine64", "xvfb", "xauth"],
        &["wine-core", "xorg-x11-server-Xvfb"],
        &["wine", "xorg-server-xvfb"],
    ],
};

/// Runs programs of Windows.
pub fn set_up_wine() -> Result<(), String> {
    install(&[WINE])
}

pub fn wine_is_there() -> Result<(), String> {
    if (WINE.present)() { Ok(()) } else { Err("Wine is not installed".to_owned()) }
}

/// A virtual display with OpenGL, and what takes pictures of it.
pub fn set_up_display() -> Result<(), String> {
    const DISPLAY: Need = Need {
        what: "a virtual X display (xvfb-run)",
        present: || succeeds("xvfb-run", &["--help"]),
        packages: [
            &["xvfb", "xauth", "libegl1", "libgl1", "libgl1-mesa-dri", "libx11-xcb1", "libxkbcommon-x11-0"],
            &["xorg-x11-server-Xvfb", "mesa-dri-drivers", "libX11-xcb", "libxkbcommon-x11"],
            &["xorg-server-xvfb", "mesa", "libx11", "libxkbcommon-x11"],
        ],
    };
    const CAMERA: Need = Need {
        what: "ImageMagick (import)",
        present: || succeeds("import", &["-version"]),
        packages: [&["imagemagick"], &["ImageMagick"], &["imagemagick"]],
    };
    install(&[DISPLAY, CAMERA])
}

/// Python with its virtual environments, which Debian packs apart.
pub fn set_up_python() -> Result<(), String> {
    const PYTHON: Need = Need {
        what: "Python with venv (python3)",
        present: || succeeds("python3", &["-c", "import venv, ensurepip"]),
        packages: [&["python3", "python3-venv"], &["python3"], &["python"]],
    };
    install(&[PYTHON])
}

/// The standard library of another system.
pub fn add_target(target: &str) -> Result<(), String> {
    let sysroot = output_of("rustc", &["--print", "sysroot"])?;
    let libraries = format!("{}/lib/rustlib/{target}", sysroot.trim());
    if std::path::Path::new(&libraries).is_dir() {
        return Ok(());
    }
    command("rustup", &["target", "add", target])
        .map_err(|error| format!("the standard library of {target} is not to be had: {error}"))
}

/// Slurm and its authentication for the check that needs them. Debian's packages would start their own daemons
/// on a machine with an init system; the check brings up its own and leaves those alone.
#[cfg(unix)]
pub fn install_for_slurm() -> Result<(), String> {
    const LINES: [&str; 2] =
        ["apt-get update", "apt-get install -y --no-install-recommends slurm-wlm slurm-client munge"];
    if crate::slurm::programs_are_there() {
        return Ok(());
    }
    if !(is_root() && succeeds("apt-get", &["--version"])) {
        let by_hand = LINES.map(|line| format!("sudo {line}")).join(" && ");
        return Err(format!("Slurm is missing; on Debian run this, then start again:\n  {by_hand}"));
    }
    for line in LINES {
        let words: Vec<&str> = line.split(' ').collect();
        command(words[0], &words[1..])?;
    }
    if crate::slurm::programs_are_there() {
        Ok(())
    } else {
        Err("slurmctld, slurmd, sbatch or munged is still missing after the installation".to_owned())
    }
}

/// rustfmt and clippy, where rustup looks after the toolchain.
fn install_components() -> Result<(), String> {
    let tools = [("rustfmt", "fmt"), ("clippy", "clippy")];
    let missing: Vec<&str> = tools
        .iter()
        .filter(|(_, subcommand)| !succeeds("cargo", &[subcommand, "--version"]))
        .map(|(component, _)| *component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !succeeds("rustup", &["--version"]) {
        return Err(format!("missing: {}; install them beside your Rust compiler", missing.join(", ")));
    }
    command("rustup", &[&["component", "add"], &missing[..]].concat())
}

/// The command lines of the chosen manager that install all that is missing.
fn install_lines(manager: usize, missing: &[&Need]) -> Vec<Vec<&'static str>> {
    let (program, lines) = MANAGERS[manager];
    let mut lines: Vec<Vec<&str>> = lines.iter().map(|line| [&[program], *line].concat()).collect();
    let names = missing.iter().flat_map(|need| need.packages[manager]);
    if let Some(last) = lines.last_mut() {
        last.extend(names);
    }
    lines
}

/// A compiler alone is not enough: the headers and start files come in another package.
fn can_compile() -> bool {
    let folder = std::env::temp_dir().join(format!("xtask-cc-{}", std::process::id()));
    let source = folder.join("probe.c");
    let compiled = std::fs::create_dir_all(&folder)
        .and_then(|()| {
            std::fs::write(&source, "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
        })
        .is_ok_and(|()| {
            let (source, target) = (source.to_string_lossy(), folder.join("probe"));
            succeeds("cc", &[&source, "-o", &target.to_string_lossy()])
        });
    // A scratch folder left behind harms nobody.
    let _ = std::fs::remove_dir_all(&folder);
    compiled
}

fn is_root() -> bool {
    output_of("id", &["-u"]).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_what_a_person_would_type() {
        let all: Vec<&Need> = NEEDS.iter().collect();
        let joined = |manager| -> Vec<String> {
            install_lines(manager, &all).iter().map(|line| line.join(" ")).collect()
        };
        assert_eq!(
            joined(0),
            [
                "apt-get update",
                "apt-get install -o DPkg::Lock::Timeout=600 -y --no-install-recommends gcc libc6-dev pkg-config libasound2-dev"
            ]
        );
        assert_eq!(joined(1), ["dnf install -y gcc glibc-devel pkgconf-pkg-config alsa-lib-devel"]);
        assert_eq!(joined(2), ["pacman -Sy --noconfirm --needed gcc glibc pkgconf alsa-lib"]);
        assert_eq!(
            install_lines(0, &all[2..])[1].join(" "),
            "apt-get install -o DPkg::Lock::Timeout=600 -y --no-install-recommends libasound2-dev"
        );
    }

    #[test]
    fn a_machine_that_built_this_test_can_compile() {
        assert!(can_compile());
    }
}
