//! `asperity validate` from outside: JSON that scripts read, pictures, bad names.

use crate::terminal::asperity;

#[test]
fn json_is_a_list_of_findings() {
    let output = asperity(&["validate", "modes", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for finding in list.as_array().unwrap() {
        for key in ["case", "quantity", "paper", "ours", "range", "pass", "note"] {
            assert!(finding.get(key).is_some(), "{key}");
        }
        assert_eq!(finding["case"], "modes");
        assert_eq!(finding["pass"], true);
    }
}

#[test]
fn an_unknown_case_is_bad_input_and_names_the_known_ones() {
    let output = asperity(&["validate", "modes", "squeak", "creak"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("squeak") && told.contains("creak") && told.contains("olsson"), "{told}");
}

#[test]
fn pictures_are_drawn_where_asked() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("figures");
    let output = asperity(&["validate", "sdnd106", "--plot", place.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.join("sdnd106-positions.png").is_file());
    assert!(String::from_utf8_lossy(&output.stdout).contains("0.11221"));
}
