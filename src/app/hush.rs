//! ALSA's library complains on the terminal about every device that is not there, and devices are asked for
//! every second. What matters of it comes back as an error and is said once.

/// On the calling thread ALSA writes to memory from now on; what it wrote before is dropped.
pub fn hush() {
    #[cfg(target_os = "linux")]
    // Without it there is only more to read.
    let _ = alsa::Output::local_error_handler();
}
