//! What every importer of profiles promises.

use asperity::surface::{ImportOptions, import_bytes};

/// An error with words, or a profile that a scene can use.
pub fn check(bytes: &[u8], name: &str) {
    match import_bytes(bytes, name, &ImportOptions::default()) {
        Ok(imported) => {
            let profile = imported.profile;
            assert!(profile.step_m > 0.0 && profile.step_m.is_finite());
            assert!(profile.heights_m.iter().all(|height| height.is_finite() && height.abs() <= 1.0));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
