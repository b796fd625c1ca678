//! The sound devices of this machine, over all sound systems that cpal knows (on Linux ALSA, PulseAudio and
//! JACK). Nothing here is remembered: devices come and go.

use cpal::traits::{DeviceTrait, HostTrait};
use cpal::{Device, DeviceDirection, HostId};

use super::hush::hush;

/// A device that can play.
pub struct Output {
    /// `host:device`, the same in every session; what `--audio-device` takes and settings remember.
    pub id: String,
    /// For people.
    pub name: String,
    pub device: Device,
}

impl Output {
    fn new(device: Device) -> Option<Self> {
        let (id, about) = (device.id().ok()?.to_string(), device.description().ok()?);
        // JACK offers its inputs, too.
        let plays = about.direction() != DeviceDirection::Input;
        plays.then(|| Self { id, name: about.name().to_owned(), device })
    }

    /// Whether a person who wrote `wanted` means this one: its id, its name, or a part of either.
    fn is_meant(&self, wanted: &str) -> Match {
        let wanted = wanted.to_lowercase();
        let [id, name] = [&self.id, &self.name].map(|text| text.to_lowercase());
        if id == wanted {
            Match::Id
        } else if name == wanted {
            Match::Name
        } else if id.contains(&wanted) || name.contains(&wanted) {
            Match::Part
        } else {
            Match::None
        }
    }
}

/// How well a device answers to a name, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    None,
    Part,
    Name,
    Id,
}

/// All that can play now. A sound system that does not run has no devices.
pub fn outputs() -> Vec<Output> {
    hush();
    cpal::available_hosts().into_iter().flat_map(outputs_of).collect()
}

fn outputs_of(host: HostId) -> Vec<Output> {
    let Ok(host) = cpal::host_from_id(host) else { return Vec::new() };
    let Ok(devices) = host.output_devices() else { return Vec::new() };
    devices.filter_map(Output::new).collect()
}

/// Devices to try, the most fitting first: those that answer to a name, or each sound system's default.
pub fn candidates(wanted: Option<&str>) -> Vec<Output> {
    hush();
    let Some(wanted) = wanted else {
        let hosts = cpal::available_hosts().into_iter();
        return hosts.filter_map(default_of).collect();
    };
    // A whole id says which sound system it is, and asking the others takes time.
    let host = wanted.split(':').next().unwrap_or_default();
    let named = cpal::available_hosts().into_iter().find(|id| id.to_string().eq_ignore_ascii_case(host));
    let known = named.map_or_else(outputs, outputs_of);
    let mut fitting: Vec<(Match, Output)> =
        known.into_iter().map(|output| (output.is_meant(wanted), output)).collect();
    fitting.retain(|(fit, _)| *fit != Match::None);
    fitting.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
    fitting.into_iter().map(|(_, output)| output).collect()
}

fn default_of(host: HostId) -> Option<Output> {
    cpal::host_from_id(host).ok()?.default_output_device().and_then(Output::new)
}
