//! The texts around a stimulus set: a manifest as CSV, and configurations for webMUSHRA and BeaqleJS that point
//! at its files.
//!
//! webMUSHRA wants items equally long, in stereo and at one rate, and neither makes anchors nor matches levels
//! here: the anchors are files, and its own are switched off. It adds the hidden reference itself; BeaqleJS
//! does too.

use super::Page;

/// Where the texts say that the set's folder was put, under the root of either tool.
pub const WEBMUSHRA_FOLDER: &str = "configs/resources";
pub const BEAQLE_FOLDER: &str = "audio";

/// Rows under a header; cells with commas, quotes or line ends are quoted (RFC 4180).
pub fn csv(header: &[String], rows: &[Vec<String>]) -> String {
    let cell = |text: &String| {
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(&header.to_vec()).chain(rows).map(line).collect()
}

/// JSON strings are YAML and JavaScript strings as well.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `webmushra.yaml`: volume page, one MUSHRA page per comparison in random order, results.
pub fn webmushra(name: &str, pages: &[Page], noise: &str) -> String {
    let path = |file: &str| quoted(&format!("{WEBMUSHRA_FOLDER}/{name}/{file}"));
    let mut text = format!(
        "# For webMUSHRA: copy the set's folder to {WEBMUSHRA_FOLDER}/{name} and this file to configs/{name}.yaml,\n\
         # then open ?config={name}.yaml. The volume must not be touched after its page.\n\
         testname: {}\ntestId: {}\nbufferSize: 2048\nstopOnErrors: true\nshowButtonPreviousPage: true\n\
         remoteService: service/write.php\n\npages:\n",
        quoted(name),
        quoted(name)
    );
    text += &format!(
        "  - type: volume\n    id: volume\n    name: Volume\n    content: Set the volume that your instructions name.\n    \
         stimulus: {}\n    defaultVolume: 1.0\n",
        path(noise)
    );
    text += "  -\n    - random\n";
    for (index, page) in pages.iter().enumerate() {
        text += &format!(
            "    - type: mushra\n      id: page_{}\n      name: {}\n      content: \"\"\n      showWaveform: false\n      \
             enableLooping: true\n      reference: {}\n      createAnchor35: false\n      \
             createAnchor70: false\n      stimuli:\n",
            index + 1,
            quoted(&format!("{} of {}", index + 1, pages.len())),
            path(&page.reference)
        );
        for (label, file) in &page.stimuli {
            text += &format!("        {}: {}\n", quoted(label), path(file));
        }
    }
    text += "  - type: finish\n    name: Thank you\n    content: Thank you for listening.\n    showResults: false\n    \
             writeResults: true\n";
    text
}

/// `beaqle.js`: the same pages for BeaqleJS' MUSHRA test.
pub fn beaqle(name: &str, pages: &[Page]) -> String {
    let path = |file: &str| quoted(&format!("{BEAQLE_FOLDER}/{name}/{file}"));
    let mut text = format!(
        "// For BeaqleJS: copy the set's folder to {BEAQLE_FOLDER}/{name} and load this file as the test configuration.\n\
         var TestConfig = {{\n  \"TestName\": {},\n  \"RateScalePng\": \"img/scale_abs.png\",\n  \
         \"RateScaleBgPng\": \"img/scale_abs_background.png\",\n  \"RateMinValue\": 0,\n  \"RateMaxValue\": 100,\n  \
         \"RateDefaultValue\": 0,\n  \"ShowFileIDs\": false,\n  \"ShowResults\": false,\n  \"LoopByDefault\": true,\n  \
         \"EnableABLoop\": true,\n  \"EnableOnlineSubmission\": false,\n  \"BeaqleServiceURL\": \"\",\n  \
         \"SupervisorContact\": \"\",\n  \"RandomizeTestOrder\": true,\n  \"MaxTestsPerRun\": -1,\n  \
         \"RequireMaxRating\": false,\n  \"Testsets\": [\n",
        quoted(name)
    );
    for (index, page) in pages.iter().enumerate() {
        text += &format!(
            "    {{\n      \"Name\": {},\n      \"TestID\": \"page_{}\",\n      \"Files\": {{\n        \"Reference\": {}",
            quoted(&page.title),
            index + 1,
            path(&page.reference)
        );
        for (label, file) in &page.stimuli {
            text += &format!(",\n        {}: {}", quoted(label), path(file));
        }
        text += "\n      }\n    }";
        text += if index + 1 < pages.len() { ",\n" } else { "\n" };
    }
    text + "  ]\n};\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Vec<Page> {
        let page = |title: &str| Page {
            title: title.into(),
            reference: "001.wav".into(),
            stimuli: vec![("value_10".into(), "002.wav".into()), ("anchor3500".into(), "001_low.wav".into())],
        };
        vec![page("seed 1"), page("surface.acf = \"x\", seed 2")]
    }

    #[test]
    fn cells_that_need_quotes_get_them() {
        let text = csv(&["a".into(), "b".into()], &[vec!["1,5".into(), "say \"x\"".into()]]);
        assert_eq!(text, "a,b\n\"1,5\",\"say \"\"x\"\"\"\n");
    }

    #[test]
    fn the_configuration_is_a_javascript_object() {
        let text = beaqle("set", &pages());
        let body = text.split_once("TestConfig = ").unwrap().1.trim_end().trim_end_matches(';');
        let config: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(config["Testsets"].as_array().unwrap().len(), 2);
        assert_eq!(config["Testsets"][1]["Files"]["anchor3500"], "audio/set/001_low.wav");
    }

    #[test]
    fn the_pages_stand_under_random_in_order() {
        let text = webmushra("set", &pages(), "noise.wav");
        let indents: Vec<usize> = text
            .lines()
            .filter(|l| l.contains("type: mushra"))
            .map(|l| l.len() - l.trim_start().len())
            .collect();
        assert_eq!(indents, [4, 4]);
        assert!(text.contains("      reference: \"configs/resources/set/001.wav\"\n"));
        assert!(text.contains("        \"anchor3500\": \"configs/resources/set/001_low.wav\"\n"));
        assert_eq!(text.matches("createAnchor35: false").count(), 2);
    }
}
