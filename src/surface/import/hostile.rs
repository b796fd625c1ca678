//! Files that are cut, changed or made to do harm: refused with a place, without panic or a huge allocation.

use super::tests::{
    LINKED, X_STEP, csv, message, read, sdf_ascii, sdf_binary, x3p_short_integers, x3p_xml, zipped,
};
use proptest::prelude::*;

#[test]
fn hostile_x3p_is_refused() {
    let xml = |text: &str| message(read(&zipped(&[("main.xml", text.as_bytes())]), "a.x3p"));
    let sized = |size: &str| xml(&x3p_xml(X_STEP, 'D', 1.0, &LINKED.replace("<SizeX>12", size)));
    assert!(sized("<SizeX>99999999999999999999").contains("must be a count"));
    assert!(sized("<SizeX>18446744073709551615").contains("must be 1 to"));
    assert!(sized("<SizeX>9999999").contains("bindata/data.bin"));
    assert!(xml("<a>").contains("well-formed"));
    assert!(xml("<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>").contains("well-formed"));
    assert!(message(read(b"PK\x03\x04 nothing", "a.x3p")).contains("ZIP"));
    // A bomb: a few kilobytes that unpack to more than the limit; and a tower of elements.
    assert!(xml(&" ".repeat((32 << 20) + 1)).contains("at most 32 MiB"));
    assert!(!xml(&"<a>".repeat(500_000)).is_empty());
    assert!(!xml(&"<a>".repeat(500_000).replace("<a>", "<a></a>")).is_empty());
}

#[test]
fn cut_files_never_panic() {
    let files: [(&str, Vec<u8>); 5] = [
        ("a.csv", csv("# step_um = 5\nx_um;z_nm", |l, z| format!("{},5;{z}", 5 * l)).into_bytes()),
        ("a.sdf", sdf_ascii(2).into_bytes()),
        ("a.sdf", sdf_binary("1.0", 7, 2)),
        ("a.sdf", sdf_binary("2.0", 5, 1)),
        ("a.x3p", x3p_short_integers()),
    ];
    for (name, whole) in &files {
        assert!(read(whole, name).is_ok(), "{name}");
        let (mut refused, mut read_anyway) = (0, 0);
        for end in 0..whole.len() {
            match read(&whole[..end], name) {
                Ok(found) => {
                    read_anyway += usize::from(found.profile.heights_m.iter().all(|z| z.is_finite()))
                }
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
        assert_eq!(refused + read_anyway, whole.len(), "{name}");
        assert!(refused > whole.len() / 3, "{name}: {refused} of {}", whole.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any bytes changed anywhere: an error or a profile of finite heights.
    #[test]
    fn changed_files_never_panic(
        which in 0usize..6,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (name, mut bytes) = match which {
            0 => ("a.csv", csv("x_um;z_nm", |l, z| format!("{},5;{z}", 5 * l)).into_bytes()),
            1 => ("a.sdf", sdf_ascii(2).into_bytes()),
            2 => ("a.sdf", sdf_binary("1.0", 5, 3)),
            3 => ("a.sdf", sdf_binary("2.0", 7, 1)),
            4 => ("a.x3p", x3p_short_integers()),
            // Past the archive's own checksums: the XML is changed before it is packed.
            _ => ("a.x3p", x3p_xml(X_STEP, 'I', 1e-9, LINKED).into_bytes()),
        };
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if which == 5 {
            bytes = zipped(&[("main.xml", &bytes), ("bindata/data.bin", &[1; 100])]);
        }
        if let Ok(found) = read(&bytes, name) {
            prop_assert!(found.profile.heights_m.iter().all(|z| z.is_finite() && z.abs() <= 1.0));
            prop_assert!(found.profile.step_m > 0.0);
        }
    }

    #[test]
    fn random_bytes_never_panic(head in 0usize..5, tail in prop::collection::vec(any::<u8>(), 0..400)) {
        let head: &[u8] = [b"".as_slice(), b"aISO-1.0\n", b"bISO-1.0", b"PK\x03\x04", b"x_m,z_m\n"][head];
        let _ = read(&[head, &tail].concat(), "a");
    }
}
