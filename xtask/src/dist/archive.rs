//! A ZIP archive of files and folders, which every system opens by itself; programs stay executable.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Writes the folder, name and all; the archive's size in bytes.
pub fn write(archive: &Path, folder: &Path) -> io::Result<u64> {
    let fresh = archive.with_extension("zip.part");
    let mut zip = ZipWriter::new(BufWriter::new(File::create(&fresh)?));
    add(&mut zip, folder, &folder.file_name().unwrap_or_default().to_string_lossy())?;
    zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(&fresh, archive)?;
    Ok(std::fs::metadata(archive)?.len())
}

/// Unpacks as a user would.
pub fn read(archive: &Path, folder: &Path) -> io::Result<()> {
    Ok(ZipArchive::new(File::open(archive)?)?.extract(folder)?)
}

fn add(zip: &mut ZipWriter<BufWriter<File>>, path: &Path, name: &str) -> io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            add(zip, &entry.path(), &format!("{name}/{}", entry.file_name().to_string_lossy()))?;
        }
        return Ok(());
    }
    let mut file = File::open(path)?;
    let options = SimpleFileOptions::default().unix_permissions(mode(&file)?).large_file(false);
    zip.start_file(name, options)?;
    io::copy(&mut file, zip).map(|_| ())
}

#[cfg(unix)]
fn mode(file: &File) -> io::Result<u32> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_file: &File) -> io::Result<u32> {
    Ok(0o755)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_in_whole_and_come_out_the_same() {
        let folder = std::env::temp_dir().join(format!("xtask-archive-{}", std::process::id()));
        let (made, unpacked) = (folder.join("a-1"), folder.join("unpacked"));
        std::fs::create_dir_all(made.join("A.vst3/Contents")).unwrap();
        std::fs::write(made.join("A.vst3/Contents/a.so"), [7u8; 1000]).unwrap();
        std::fs::write(made.join("README.md"), "read").unwrap();
        let archive = folder.join("a.zip");
        let size = write(&archive, &made).unwrap();
        assert!(size < 1000, "a thousand sevens are deflated: {size}");
        assert!(!folder.join("a.zip.part").exists());
        read(&archive, &unpacked).unwrap();
        assert_eq!(std::fs::read(unpacked.join("a-1/A.vst3/Contents/a.so")).unwrap(), [7u8; 1000]);
        assert_eq!(std::fs::read(unpacked.join("a-1/README.md")).unwrap(), b"read");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn programs_stay_executable() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("xtask-archive-mode-{}", std::process::id()));
        let program = folder.join("a/run");
        std::fs::create_dir_all(folder.join("a")).unwrap();
        std::fs::write(&program, "").unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        write(&folder.join("a.zip"), &folder.join("a")).unwrap();
        read(&folder.join("a.zip"), &folder.join("b")).unwrap();
        let mode = std::fs::metadata(folder.join("b/a/run")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
