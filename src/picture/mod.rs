//! Pictures in one hand: PNG or SVG by the file's ending, one font, one palette, axes with units.
//! Uses numbers that others computed; computes nothing but where they go on the page.
//!
//! A figure implements [`Figure`] with any number of [`Plot`]s on its area and is written by [`save`].

pub mod axis;
mod canvas;
pub mod curves;
mod legend;
pub mod levels;
mod lines;
pub mod plot;
pub mod regimes;
pub mod shocks;
pub mod sound;
mod stroke;
pub mod style;
pub mod surface;

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend, IntoDrawingArea, SVGBackend};

use crate::error::{Error, Problem};
use crate::io::part::write_whole;

pub use axis::Axis;
pub use legend::Corner;
pub use plot::Plot;
pub use stroke::Stroke;

/// The sheet that figures are painted on.
pub type Area<DB> = DrawingArea<DB, Shift>;

/// What painting returns, whatever the backend.
pub type Painted<DB, T = ()> =
    Result<T, plotters::drawing::DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Something that can be drawn once and saved in any format.
pub trait Figure {
    /// Width and height in pixels. Text and strokes of [`style`] are sized for about 1600 across.
    fn size(&self) -> (u32, u32) {
        style::SIZE
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Png,
    Svg,
}

/// Draws the figure and writes it, whole or not at all.
pub fn save(path: &Path, figure: &impl Figure) -> Result<(), Error> {
    let format = format_of(path)?;
    style::register_font();
    let bytes = match format {
        Format::Png => png_bytes(figure),
        Format::Svg => svg_bytes(figure),
    }
    .map_err(|text| Error::Other(format!("{}: the picture could not be drawn: {text}", path.display())))?;
    write_whole(path, |out| out.write_all(&bytes))
}

/// Refuses a file ending that [`save`] could not serve, so that a command can say so before its work.
pub fn check_path(path: &Path) -> Result<(), Problem> {
    format_of(path).map(|_| ())
}

fn format_of(path: &Path) -> Result<Format, Problem> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "png" => Ok(Format::Png),
        "svg" => Ok(Format::Svg),
        _ => Err(Problem::new(
            path.display().to_string(),
            format!("the ending is `{ending}`"),
            "a picture is PNG or SVG",
            "end its name in .png or .svg",
        )),
    }
}

fn svg_bytes(figure: &impl Figure) -> Result<Vec<u8>, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, figure.size()).into_drawing_area();
        paint_on(&area, figure)?;
    }
    Ok(text.into_bytes())
}

fn png_bytes(figure: &impl Figure) -> Result<Vec<u8>, String> {
    let (width, height) = figure.size();
    let mut pixels = vec![0; width as usize * height as usize * 3];
    {
        let area = canvas::Canvas::new(&mut pixels, (width, height)).into_drawing_area();
        paint_on(&area, figure)?;
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()
        .and_then(|mut writer| {
            writer.write_image_data(&pixels)?;
            writer.finish()
        })
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn paint_on<DB: DrawingBackend>(area: &Area<DB>, figure: &impl Figure) -> Result<(), String> {
    area.fill(&style::PAPER)
        .and_then(|()| figure.paint(area))
        .and_then(|()| area.present())
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use plotters::style::RGBColor;

    use super::*;

    struct Diagonal;

    impl Figure for Diagonal {
        fn size(&self) -> (u32, u32) {
            (640, 400)
        }

        fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
            let mut plot =
                Plot::new(area, "Title", Axis::linear("x (m)", 0.0, 1.0), Axis::linear("y (m)", 0.0, 1.0))?;
            plot.line(
                (0..=10).map(|i| (i as f64 / 10.0, i as f64 / 10.0)),
                Stroke::series(0),
                Some("y = x"),
            )?;
            plot.finish(Corner::UpperLeft)
        }
    }

    #[test]
    fn both_formats_are_written_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let (png, svg) = (folder.path().join("a.PNG"), folder.path().join("a.svg"));
        save(&png, &Diagonal).unwrap();
        save(&svg, &Diagonal).unwrap();

        let file = std::io::BufReader::new(std::fs::File::open(&png).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!((reader.info().width, reader.info().height), (640, 400));
        // Ink: the line's own colour is on the page, and most of the page is paper.
        let RGBColor(r, g, b) = style::series(0);
        let ink = pixels.chunks(3).filter(|p| p == &[r, g, b]).count();
        let paper = pixels.chunks(3).filter(|p| p == &[255, 255, 255]).count();
        assert!(ink > 300, "{ink} pixels of the line");
        assert!(paper > 640 * 400 * 3 / 4, "{paper} pixels of paper");

        let text = std::fs::read_to_string(&svg).unwrap();
        assert!(text.contains("<svg") && text.contains("x (m)") && text.contains("y = x"));
    }

    #[test]
    fn another_ending_is_refused_with_a_cure() {
        for name in ["a.pdf", "a", "a.png.part"] {
            let failure = save(Path::new(name), &Diagonal).unwrap_err();
            assert_eq!(failure.exit_code(), 2);
            assert!(failure.to_string().contains(".svg"), "{failure}");
        }
    }
}
