//! What it does to the sound: the spectrum with the natural frequencies marked, and the wave.

use super::plot::{thinned, well};
use super::scope::Scope;
use super::theme;
use crate::instrument::Snapshot;
use crate::units::VELOCITY_REFERENCE_M_S;
use egui::{Align2, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

const LOWEST_HZ: f32 = 20.0;
const HIGHEST_HZ: f32 = 20_000.0;
/// Height of the spectrum's picture.
const RANGE_DB: f32 = 90.0;
/// The picture follows no quieter sound than this: silence (-160 dB) stays below its lower edge.
const QUIETEST_DB: f32 = -78.0;
/// Time that the wave's picture shows.
const WAVE_S: f64 = 0.02;

pub const SPECTRUM_HELP: &str =
    "How much of the sound lies at which frequency; amber marks are the resonator's natural frequencies.";
pub const WAVE_HELP: &str =
    "The output as it moves, from one rise through zero back in time; shocks are its corners.";

/// Scales that come back slowly.
#[derive(Debug)]
pub struct SoundScale {
    top_db: f32,
    most: f32,
}

impl Default for SoundScale {
    fn default() -> Self {
        Self { top_db: -20.0, most: 1e-3 }
    }
}

pub fn spectrum(ui: &Ui, rect: Rect, scope: &Scope, seen: &Snapshot, scale: &mut SoundScale) {
    // Full scale in the level's own reference.
    let offset_db = 20.0 * (seen.full_scale_m_s.max(1e-12) / VELOCITY_REFERENCE_M_S).log10() as f32;
    let (painter, inner) = well(ui, rect, "Spectrum", "dB re 1 nm/s, Hz", SPECTRUM_HELP);
    let rate_hz = if seen.rate_hz > 0.0 { seen.rate_hz as f32 } else { 48_000.0 };
    let count = (inner.width() / 1.5).clamp(16.0, 400.0) as usize;
    let wider = (HIGHEST_HZ / LOWEST_HZ).powf(1.0 / count as f32);
    let edges = std::iter::successors(Some(LOWEST_HZ), |hz| Some(hz * wider));
    let levels: Vec<f32> =
        edges.take(count).map(|from_hz| scope.level_db(from_hz, from_hz * wider, rate_hz)).collect();
    let highest = levels.iter().fold(QUIETEST_DB, |most: f32, level| most.max(*level)) + 8.0;
    scale.top_db =
        if highest > scale.top_db { highest } else { scale.top_db + 0.005 * (highest - scale.top_db) };
    let y = |db: f32| {
        let share = (scale.top_db - db) / RANGE_DB;
        inner.top() + inner.height() * share.clamp(0.0, 1.0)
    };
    let x = |hz: f32| inner.left() + inner.width() * (hz / LOWEST_HZ).ln() / (HIGHEST_HZ / LOWEST_HZ).ln();
    if seen.body.is_some() {
        naturals(&painter, inner, &x, seen);
    }
    let step = inner.width() / count as f32;
    let point = |(n, level): (usize, &f32)| pos2(inner.left() + step * (n as f32 + 0.5), y(*level));
    let line: Vec<Pos2> = levels.iter().enumerate().map(point).collect();
    let (high, low) = (theme::faint(theme::CYAN, 0.4), theme::faint(theme::CYAN, 0.04));
    painter.add(super::plot::filled(&line, inner.bottom(), high, low));
    painter.line(line, Stroke::new(1.3, theme::CYAN));
    frame(&painter, inner, &x, &y, scale.top_db, offset_db);
}

/// Lines and numbers, over everything else so that they can be read.
fn frame(
    painter: &Painter,
    inner: Rect,
    x: &impl Fn(f32) -> f32,
    y: &impl Fn(f32) -> f32,
    top_db: f32,
    offset_db: f32,
) {
    for (hz, name) in [(100.0, "100"), (1_000.0, "1k"), (10_000.0, "10k")] {
        painter.vline(x(hz), inner.y_range(), theme::line(theme::faint(theme::EDGE, 0.7)));
        number(painter, pos2(x(hz) + 3.0, inner.bottom() - 1.0), Align2::LEFT_BOTTOM, name.to_owned());
    }
    let first = ((top_db + offset_db) / 20.0).floor() * 20.0;
    for n in 0..5 {
        let level = first - 20.0 * n as f32;
        let height = y(level - offset_db);
        if height < inner.bottom() - 14.0 && height > inner.top() + 6.0 {
            painter.hline(inner.x_range(), height, theme::line(theme::faint(theme::EDGE, 0.6)));
            let at = pos2(inner.left() + 4.0, height);
            number(painter, at, Align2::LEFT_CENTER, format!("{level:.0}"));
        }
    }
}

/// A number of the scale, on a dark ground of its own: the picture is behind it.
fn number(painter: &Painter, at: Pos2, align: Align2, text: String) {
    let galley = painter.layout_no_wrap(text, theme::text(10.5), theme::QUIET);
    let place = align.anchor_size(at, galley.size());
    painter.rect_filled(place.expand2(vec2(2.0, -1.0)), 2, theme::faint(theme::WELL, 0.75));
    painter.galley(place.min, galley, theme::QUIET);
}

/// Marks at the top, each with a faint line down through the spectrum.
fn naturals(painter: &Painter, inner: Rect, x: &impl Fn(f32) -> f32, seen: &Snapshot) {
    let count = seen.contact.natural_count.min(seen.contact.natural_hz.len());
    let heard = seen.contact.natural_hz[..count].iter().filter(|hz| (LOWEST_HZ..=HIGHEST_HZ).contains(*hz));
    let (long, short) = (theme::line(theme::faint(theme::AMBER, 0.12)), theme::faint(theme::AMBER, 0.35));
    painter.extend(heard.flat_map(|hz| {
        let x = x(*hz);
        [
            Shape::vline(x, inner.y_range(), long),
            Shape::vline(x, inner.top()..=inner.top() + 9.0, Stroke::new(1.5, short)),
            Shape::circle_filled(pos2(x, inner.top() + 3.0), 2.0, theme::AMBER),
        ]
    }));
}

pub fn wave(ui: &Ui, rect: Rect, scope: &Scope, seen: &Snapshot, scale: &mut SoundScale) {
    let rate_hz = if seen.rate_hz > 0.0 { seen.rate_hz } else { 48_000.0 };
    let samples: Vec<f32> = scope.wave((WAVE_S * rate_hz) as usize).collect();
    let most = samples.iter().fold(1e-6, |most: f32, sample| most.max(sample.abs()));
    scale.most = if most > scale.most { most } else { scale.most + 0.03 * (most - scale.most) };
    let peak_db = 20.0 * scale.most.log10();
    let peak = if peak_db < QUIETEST_DB { "silent".to_owned() } else { format!("peak {peak_db:.0} dB FS") };
    let note = format!("{:.0} ms, {peak}", 1e3 * WAVE_S);
    let (painter, inner) = well(ui, rect, "Wave", &note, WAVE_HELP);
    let inner = inner.shrink2(vec2(0.0, 3.0));
    painter.hline(inner.x_range(), inner.center().y, theme::line(theme::EDGE));
    let step = inner.width() / samples.len().saturating_sub(1).max(1) as f32;
    let up = 0.5 * inner.height() / scale.most;
    let point = |(n, sample): (usize, f32)| {
        pos2(inner.left() + step * n as f32, inner.center().y - (sample * up).clamp(-1e4, 1e4))
    };
    let columns = (inner.width() * painter.pixels_per_point()) as usize;
    let line: Vec<Pos2> = thinned(&samples, columns).map(point).collect();
    painter.line(line, Stroke::new(1.2, theme::CYAN));
}
