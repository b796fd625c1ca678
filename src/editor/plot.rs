//! What pictures have in common: a well with a title, words on hover, round numbers, filled profiles.

use super::theme;
use egui::{Align2, Color32, Id, Mesh, Painter, Pos2, Rect, Sense, Shape, Ui, WidgetInfo, pos2, vec2};

/// A dark well with its title, which says more to a pointer on it; what is drawn stays inside the rectangle that
/// is returned.
pub fn well(ui: &Ui, rect: Rect, title: &str, note: &str, help: &str) -> (Painter, Rect) {
    let painter = ui.painter_at(rect);
    painter.rect(rect, theme::ROUND, theme::WELL, theme::line(theme::EDGE), egui::StrokeKind::Inside);
    let size = theme::text(11.5);
    let left = rect.left_top() + vec2(8.0, 5.0);
    let used = painter.text(left, Align2::LEFT_TOP, title, size.clone(), theme::TEXT);
    // A note that would run into the title is left out.
    let width = painter.layout_no_wrap(note.to_owned(), size.clone(), theme::QUIET).size().x;
    if used.right() + width + 16.0 < rect.right() {
        painter.text(rect.right_top() + vec2(-8.0, 5.0), Align2::RIGHT_TOP, note, size, theme::QUIET);
    }
    let inner = Rect::from_min_max(pos2(rect.left() + 2.0, used.bottom() + 4.0), rect.max - vec2(2.0, 2.0));
    let header = Rect::from_min_max(rect.min, pos2(rect.right(), inner.top()));
    explained(ui, header, ("well", title), format!("{title}: {note}"), help);
    (painter, inner)
}

/// Something to read: named for screen readers, explained on hover.
pub fn explained(
    ui: &Ui,
    rect: Rect,
    id: impl std::hash::Hash + std::fmt::Debug,
    spoken: String,
    help: &str,
) {
    let response = ui.interact(rect, Id::unique(("asperity words", id)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &spoken));
    response.on_hover_text(help);
}

/// The largest of 1, 2, 5, 10, 20 … that is not above `value`.
pub fn round_down(value: f32) -> f32 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let decade = 10f32.powf(value.log10().floor());
    let mantissa = [5.0, 2.0].into_iter().find(|step| step * decade <= value * 1.0001).unwrap_or(1.0);
    mantissa * decade
}

/// A number with a space every three digits.
pub fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// A quantity that changes all the time, to three digits: nobody reads more, and they only flicker.
pub fn three_digits(value: f32) -> String {
    match value.abs() {
        size if size >= 1_000.0 => grouped(f64::from(10.0 * (value / 10.0).round())),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A factor by which a picture exaggerates, or makes smaller.
pub fn times(factor: f32) -> String {
    if factor < 1.0 { format!("×{factor}") } else { format!("×{}", grouped(f64::from(factor))) }
}

/// At most one sample for each column of pixels, with its place: of those that share a column the one furthest from
/// the sample before, so that peaks stay as high as they are.
pub fn thinned(samples: &[f32], columns: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
    let together = samples.len().div_ceil(columns.max(1)).max(1);
    let mut before = 0.0;
    samples.chunks(together).enumerate().filter_map(move |(chunk, samples)| {
        let far = |sample: &f32| (sample - before).abs();
        let (n, sample) =
            samples.iter().enumerate().max_by(|one, other| far(one.1).total_cmp(&far(other.1)))?;
        before = *sample;
        Some((chunk * together + n, *sample))
    })
}

/// The area between a line and a level, from one colour at the line to another at the level.
pub fn filled(line: &[Pos2], level: f32, at_line: Color32, at_level: Color32) -> Shape {
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(2 * line.len());
    mesh.reserve_triangles(2 * line.len());
    for (n, point) in line.iter().enumerate() {
        mesh.colored_vertex(*point, at_line);
        mesh.colored_vertex(pos2(point.x, level), at_level);
        if n > 0 {
            let corner = 2 * n as u32;
            mesh.add_triangle(corner - 2, corner - 1, corner);
            mesh.add_triangle(corner - 1, corner, corner + 1);
        }
    }
    Shape::mesh(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_outlast_thinning() {
        let mut samples = vec![0.0f32; 960];
        (samples[401], samples[402], samples[700]) = (1.0, -0.9, 0.5);
        for columns in [0, 1, 200, 480, 5_000] {
            let kept: Vec<(usize, f32)> = thinned(&samples, columns).collect();
            assert!(kept.len() <= columns.max(1) && kept.iter().all(|(n, sample)| samples[*n] == *sample));
            assert!(kept.iter().any(|(_, sample)| *sample == 1.0), "{columns}");
            assert!(columns < 2 || kept.iter().any(|(_, sample)| *sample == 0.5), "{columns}");
            assert!(kept.is_sorted_by_key(|(n, _)| *n));
        }
        assert_eq!(thinned(&samples, 5_000).count(), 960);
        assert_eq!(thinned(&[], 10).count(), 0);
    }

    #[test]
    fn numbers_are_round_and_grouped() {
        for (value, round) in
            [(1.0, 1.0), (1.99, 1.0), (3.0, 2.0), (730.0, 500.0), (0.07, 0.05), (10.0, 10.0)]
        {
            assert!((round_down(value) / round - 1.0).abs() < 1e-5, "{value}");
        }
        assert_eq!([round_down(0.0), round_down(f32::NAN), round_down(-3.0)], [1.0; 3]);
        assert_eq!([grouped(999.4), grouped(1234.0), grouped(-1.0)], ["999", "1\u{2009}234", "0"]);
        assert_eq!([times(round_down(0.7)), times(2000.0)], ["×0.5", "×2\u{2009}000"]);
        assert_eq!(
            [0.0012, 1.2345, 55.69, 347.6, 12_474.0].map(three_digits),
            ["0.001", "1.23", "55.7", "348", "12\u{2009}470"]
        );
        assert_eq!(grouped(1_234_567.0), "1\u{2009}234\u{2009}567");
    }
}
