//! Pixels with smooth lines.
//!
//! The drawing library's own bitmap fills a thick line as one polygon: a dense spectrum gets holes where
//! the outline crosses itself and spikes at sharp corners. Here a line covers each pixel by its distance
//! to the line, with round joints and soft edges, and is laid down once however often it crosses itself.

use std::convert::Infallible;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, rasterizer,
    text_anchor::{HPos, VPos},
};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

pub struct Canvas<'a> {
    size: (u32, u32),
    /// Red, green, blue, row by row.
    pixels: &'a mut [u8],
}

impl<'a> Canvas<'a> {
    /// A canvas over `width · height · 3` bytes.
    pub fn new(pixels: &'a mut [u8], size: (u32, u32)) -> Self {
        assert_eq!(pixels.len(), size.0 as usize * size.1 as usize * 3, "three bytes for each pixel");
        Self { size, pixels }
    }
}

/// Where the text's middle lies below the middle of its layout box, as a share of the font size: the
/// library hangs letters too high by this much.
const TEXT_DROP: f64 = 0.2;

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        let (width, height) = (self.size.0 as i32, self.size.1 as i32);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            let start = (y as usize * width as usize + x as usize) * 3;
            let (r, g, b) = color.rgb;
            for (below, above) in self.pixels[start..start + 3].iter_mut().zip([r, g, b]) {
                let mixed = f64::from(*below) * (1.0 - color.alpha) + f64::from(above) * color.alpha;
                *below = mixed.round().clamp(0.0, 255.0) as u8;
            }
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        // Upright and level hairlines fall on whole pixels: sharp grids, seamless fills.
        if style.stroke_width() <= 1 && (from.0 == to.0 || from.1 == to.1) {
            return rasterizer::draw_line(self, from, to, style);
        }
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        let color = style.color();
        if let [from, to] = points[..]
            && style.stroke_width() <= 1
            && (from.0 == to.0 || from.1 == to.1)
        {
            return rasterizer::draw_line(self, from, to, style);
        }
        let cover = Cover::of(&points, f64::from(style.stroke_width()), self.size);
        for (pixel, share) in cover.pixels() {
            self.draw_pixel(pixel, color.mix(f64::from(share)))?;
        }
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, pos: BackendCoord) -> Drawn {
        let box_of_text =
            style.layout_box(text).map_err(|error| DrawingErrorKind::FontError(Box::new(error)))?;
        let ((left, top), (right, bottom)) = box_of_text;
        let dx = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => -(right - left) / 2,
            HPos::Right => left - right,
        };
        let dy = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -(bottom - top) / 2,
            VPos::Bottom => top - bottom,
        };
        let drop = (TEXT_DROP * style.size()).round() as i32;
        let turn = style.transform();
        style
            .draw(text, (0, 0), |x, y, color| {
                let (x, y) = turn.transform(x + dx - left, y + dy - top + drop);
                self.draw_pixel((pos.0 + x, pos.1 + y), color)
            })
            .map_err(|error| DrawingErrorKind::FontError(Box::new(error)))?
    }
}

/// How much of each pixel a line covers, over the rectangle that the line can reach.
struct Cover {
    left: i32,
    top: i32,
    width: usize,
    shares: Vec<f32>,
}

impl Cover {
    fn of(points: &[BackendCoord], line_width: f64, size: (u32, u32)) -> Self {
        let reach = (line_width / 2.0 + 1.0).ceil() as i32;
        // Limits of what is reached, cut to the canvas.
        let span = |values: &mut dyn Iterator<Item = i32>, end: u32| {
            let (low, high) =
                values.fold((i32::MAX, i32::MIN), |(low, high), value| (low.min(value), high.max(value)));
            let low = low.saturating_sub(reach).clamp(0, end as i32);
            (low, high.saturating_add(reach + 1).clamp(low, end as i32))
        };
        let (left, right) = span(&mut points.iter().map(|point| point.0), size.0);
        let (top, bottom) = span(&mut points.iter().map(|point| point.1), size.1);
        let width = (right - left) as usize;
        let mut cover = Self { left, top, width, shares: vec![0.0; width * (bottom - top) as usize] };
        for pair in points.windows(2) {
            cover.add_segment(pair[0], pair[1], line_width / 2.0, reach, (right, bottom));
        }
        cover
    }

    fn add_segment(&mut self, a: BackendCoord, b: BackendCoord, half: f64, reach: i32, end: (i32, i32)) {
        let ((ax, ay), (bx, by)) = ((f64::from(a.0), f64::from(a.1)), (f64::from(b.0), f64::from(b.1)));
        let (dx, dy) = (bx - ax, by - ay);
        let length_squared = dx * dx + dy * dy;
        for y in (a.1.min(b.1) - reach).max(self.top)..(a.1.max(b.1) + reach + 1).min(end.1) {
            for x in (a.0.min(b.0) - reach).max(self.left)..(a.0.max(b.0) + reach + 1).min(end.0) {
                let (px, py) = (f64::from(x) - ax, f64::from(y) - ay);
                // Foot of the perpendicular, kept on the segment.
                let along = if length_squared > 0.0 {
                    ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let distance = (px - along * dx).hypot(py - along * dy);
                let share = (half + 0.5 - distance).clamp(0.0, 1.0) as f32;
                let place = (y - self.top) as usize * self.width + (x - self.left) as usize;
                self.shares[place] = self.shares[place].max(share);
            }
        }
    }

    fn pixels(&self) -> impl Iterator<Item = (BackendCoord, f32)> {
        self.shares.iter().enumerate().filter(|(_, share)| **share > 0.0).map(|(place, share)| {
            let (row, column) = (place / self.width, place % self.width);
            ((self.left + column as i32, self.top + row as i32), *share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pen(u32);

    impl BackendStyle for Pen {
        fn color(&self) -> BackendColor {
            BackendColor { alpha: 1.0, rgb: (0, 0, 0) }
        }

        fn stroke_width(&self) -> u32 {
            self.0
        }
    }

    /// Black laid down on white, in pixels.
    fn ink(size: (u32, u32), path: &[BackendCoord], width: u32) -> (f64, Vec<u8>) {
        let mut pixels = vec![255; size.0 as usize * size.1 as usize * 3];
        Canvas::new(&mut pixels, size).draw_path(path.iter().copied(), &Pen(width)).unwrap();
        (pixels.iter().map(|byte| f64::from(255 - byte) / 255.0).sum::<f64>() / 3.0, pixels)
    }

    #[test]
    fn a_line_covers_its_length_times_its_width() {
        // 50 long (3-4-5), 3 wide, with a round cap of radius 1.5 at each end.
        let (area, _) = ink((80, 80), &[(10, 10), (40, 50)], 3);
        assert!((area - (150.0 + 7.07)).abs() < 2.0, "{area}");
    }

    #[test]
    fn crossing_itself_leaves_no_hole_and_no_spike() {
        let zigzag: Vec<BackendCoord> = (0..40).map(|i| (10 + i, if i % 2 == 0 { 20 } else { 60 })).collect();
        let (_, pixels) = ink((80, 80), &zigzag, 3);
        let dark = |x: usize, y: usize| pixels[(y * 80 + x) * 3];
        assert!((15..45).all(|x| (25..55).all(|y| dark(x, y) < 40)), "a hole");
        assert!((0..80).all(|x| (0..17).all(|y| dark(x, y) == 255)), "a spike");
    }

    #[test]
    fn outside_the_canvas_is_no_place() {
        let far = [(-1_000_000, -1_000_000), (-900_000, -900_000)];
        assert_eq!(ink((20, 20), &far, 3).0, 0.0);
        let (area, _) = ink((20, 20), &[(-500, 10), (500, 10)], 1);
        assert!((area - 20.0).abs() < 0.1, "{area}");
        assert_eq!(ink((20, 20), &[], 3).0, 0.0);
    }
}
