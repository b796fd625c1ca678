//! Is there room? Asked before the work, because hours of it can end on a full disk.

use std::path::Path;

use super::part::{is_device, target_of};
use crate::error::Problem;

/// Refuses a file that the disk under `path` has no room for. A file system that does not say how much it
/// has is believed to have enough.
pub fn check_room(path: &Path, bytes: u64) -> Result<(), Problem> {
    let target = target_of(path);
    if is_device(&target) {
        return Ok(());
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match fs4::statvfs(folder) {
        // File systems without a size of their own, such as /proc, have a total of nothing.
        Ok(disk) if disk.available_space() < bytes && disk.total_space() > 0 => Err(Problem::new(
            path.display().to_string(),
            format!("needs {}", in_words(bytes)),
            format!("the disk has room for {}", in_words(disk.available_space())),
            "render fewer seconds, channels or bits, or write to another disk",
        )),
        _ => Ok(()),
    }
}

fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_disk_has_is_refused_with_both_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        check_room(&path, 1000).unwrap();
        let refused = check_room(&path, u64::MAX).unwrap_err().to_string();
        assert!(
            refused.contains("needs 18446744073.7 GB") && refused.contains("the disk has room"),
            "{refused}"
        );
        #[cfg(unix)]
        check_room(Path::new("/dev/null"), u64::MAX).unwrap();
        // A missing folder is another check's finding.
        check_room(Path::new("nowhere/at/all.wav"), u64::MAX).unwrap();
    }
}
