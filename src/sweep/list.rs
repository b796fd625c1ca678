//! LIST of a sweep: items between commas, each a value (`5`, `gaussian`) or a range `from:to:count` with
//! `log` or `lin` behind the count (`0.02:0.7:7log`).
//!
//! The values of a range are rounded to twelve digits. Powers differ in their last bit from one machine's
//! library to the next, and the parts of one sweep may run on many machines: all must mean the same points.

/// Longest list; a range beyond it is a slip.
const MAX_ITEMS: usize = 10_000;

/// The values of a list as text, or what is wrong: (value, limit, cure).
pub fn parse(text: &str) -> Result<Vec<String>, (String, String, String)> {
    let mut values = Vec::new();
    for item in text.split(',').map(str::trim) {
        if item.is_empty() {
            return Err(wrong(text, "has an empty place", "put a value between any two commas"));
        }
        let starts_with_number =
            item.split(':').next().is_some_and(|first| first.trim().parse::<f64>().is_ok());
        if item.contains(':') && starts_with_number {
            values.extend(range(item)?);
        } else {
            values.push(item.to_owned());
        }
        if values.len() > MAX_ITEMS {
            return Err(wrong(text, &format!("has more than {MAX_ITEMS} values"), "take fewer"));
        }
    }
    Ok(values)
}

fn wrong(value: &str, limit: &str, cure: &str) -> (String, String, String) {
    (value.to_owned(), limit.to_owned(), cure.to_owned())
}

fn range(item: &str) -> Result<Vec<String>, (String, String, String)> {
    const SHAPE: &str = "a range is from:to:count with log or lin behind the count";
    const EXAMPLE: &str = "write for example 0.02:0.7:7log or 10:50:5lin";
    let malformed = || wrong(item, SHAPE, EXAMPLE);
    let parts: Vec<&str> = item.split(':').map(str::trim).collect();
    let [from, to, count] = parts[..] else { return Err(malformed()) };
    let (count, logarithmic) = match (count.strip_suffix("log"), count.strip_suffix("lin")) {
        (Some(count), _) => (count, true),
        (_, Some(count)) => (count, false),
        _ => return Err(malformed()),
    };
    let (Ok(from), Ok(to), Ok(count)) =
        (from.parse::<f64>(), to.parse::<f64>(), count.trim().parse::<usize>())
    else {
        return Err(malformed());
    };
    if !(from.is_finite() && to.is_finite()) {
        return Err(malformed());
    }
    if !(2..=MAX_ITEMS).contains(&count) {
        return Err(wrong(item, &format!("the count must be from 2 to {MAX_ITEMS}"), EXAMPLE));
    }
    if logarithmic && !(from > 0.0 && to > 0.0) {
        return Err(wrong(item, "a logarithmic range needs both ends above 0", "use lin, or move the ends"));
    }
    let last = (count - 1) as f64;
    let at = |index: usize| {
        let share = index as f64 / last;
        if logarithmic { from * (to / from).powf(share) } else { from + share * (to - from) }
    };
    Ok((0..count).map(|index| rounded(at(index)).to_string()).collect())
}

/// Twelve significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_mix() {
        assert_eq!(parse("3, 5,10").unwrap(), ["3", "5", "10"]);
        assert_eq!(parse("gaussian").unwrap(), ["gaussian"]);
        assert_eq!(parse("0.1:0.5:5lin").unwrap(), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(parse("1:100:3log,7").unwrap(), ["1", "10", "100", "7"]);
        let speeds = parse("0.02:0.7:7log").unwrap();
        assert_eq!((speeds.len(), speeds[0].as_str(), speeds[6].as_str()), (7, "0.02", "0.7"));
        assert_eq!(parse("C:\\surfaces\\a.csv").unwrap(), ["C:\\surfaces\\a.csv"]);
        assert_eq!(parse("-0.2:0.2:3lin").unwrap(), ["-0.2", "0", "0.2"]);
    }

    #[test]
    fn what_is_no_list_is_told() {
        for (text, told) in [
            ("", "empty place"),
            ("3,,5", "empty place"),
            ("0.02:0.7", "from:to:count"),
            ("0.02:0.7:7", "log or lin"),
            ("0.02:0.7:sevenlog", "from:to:count"),
            ("0.02:inf:7lin", "from:to:count"),
            ("0:0.7:7log", "both ends above 0"),
            ("1:2:1lin", "from 2 to"),
            ("1:2:99999lin", "from 2 to"),
            ("1:2:9000lin,1:2:9000lin", "more than 10000"),
        ] {
            let (_, limit, cure) = parse(text).unwrap_err();
            assert!(limit.contains(told) && !cure.is_empty(), "{text}: {limit}");
        }
    }
}
