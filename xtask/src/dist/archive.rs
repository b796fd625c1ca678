//! A ZIP archive of files and folders, which every system opens by itself; programs stay executable.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Writes `files` under the folder `root` of the archive; its size in bytes.
pub fn write(archive: &Path, root: &str, files: &[PathBuf]) -> io::Result<u64> {
    let fresh = archive.with_extension("zip.part");
    let mut zip = ZipWriter::new(BufWriter::new(File::create(&fresh)?));
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        add(&mut zip, file, &format!("{root}/{name}"))?;
    }
    zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(&fresh, archive)?;
    Ok(std::fs::metadata(archive)?.len())
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
    use std::io::Read;

    #[test]
    fn folders_go_in_whole_and_come_out_the_same() {
        let folder = std::env::temp_dir().join(format!("xtask-archive-{}", std::process::id()));
        let bundle = folder.join("A.vst3");
        std::fs::create_dir_all(bundle.join("Contents")).unwrap();
        std::fs::write(bundle.join("Contents/a.so"), [7u8; 1000]).unwrap();
        std::fs::write(folder.join("README.md"), "read").unwrap();
        let archive = folder.join("a.zip");
        let size = write(&archive, "a-1", &[bundle, folder.join("README.md")]).unwrap();
        assert!(size < 1000, "a thousand sevens are deflated: {size}");
        let mut zip = zip::ZipArchive::new(File::open(&archive).unwrap()).unwrap();
        let mut names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["a-1/A.vst3/Contents/a.so", "a-1/README.md"]);
        let mut back = Vec::new();
        zip.by_name("a-1/A.vst3/Contents/a.so").unwrap().read_to_end(&mut back).unwrap();
        assert_eq!(back, [7u8; 1000]);
        assert!(!folder.join("a.zip.part").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
