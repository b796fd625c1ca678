//! What a host sees: names, ports, life cycle. Sound and notes go through to the instrument.

use std::sync::Arc;

use nice_plug::prelude::*;
use nice_plug_egui::EguiEditor;

use super::player::Player;
use super::root::Root;
use super::state;
use super::window::{self, Window};

/// As the table has it for the parameter `voices`.
const MOST_VOICES: u32 = 16;

/// The instrument as the framework wants it. `CONTROLLERS`: whether MIDI controllers and pitch bend come in
/// beside notes.
#[derive(Default)]
pub struct Asperity<const CONTROLLERS: bool> {
    root: Arc<Root>,
    /// From activation to deactivation.
    player: Option<Player>,
}

impl<const CONTROLLERS: bool> Drop for Asperity<CONTROLLERS> {
    fn drop(&mut self) {
        self.root.window_threads.wait();
    }
}

impl<const CONTROLLERS: bool> Plugin for Asperity<CONTROLLERS> {
    const NAME: &'static str = "Asperity";
    const VENDOR: &'static str = "Asperity";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] =
        &[AudioIOLayout { main_output_channels: NonZeroU32::new(2), ..AudioIOLayout::const_default() }];
    const MIDI_INPUT: MidiConfig = if CONTROLLERS { MidiConfig::MidiCCs } else { MidiConfig::Basic };
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    /// The framework's queue grows on the audio thread when it is full: more than any host sends in a block.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = EguiEditor<Window>;
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.root.clone()
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        window::editor(self.root.clone())
    }

    fn filter_state(state: &mut PluginState) {
        state::filter(state);
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        buffer: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let offline = buffer.process_mode == ProcessMode::Offline;
        let block = buffer.max_buffer_size as usize;
        let player = Player::new(self.player.take(), &self.root, buffer.sample_rate.into(), block, offline);
        let Ok(player) = player else { return false };
        context.set_latency_samples(player.latency_samples());
        self.player = Some(player);
        true
    }

    fn reset(&mut self) {
        if let Some(player) = &mut self.player {
            player.reset();
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let (Some(player), [left, right]) = (&mut self.player, buffer.as_slice()) else {
            return ProcessStatus::Normal;
        };
        player.process(&self.root, context, left, right)
    }
}

impl<const CONTROLLERS: bool> ClapPlugin for Asperity<CONTROLLERS> {
    const CLAP_ID: &'static str = "org.asperity.asperity";
    const CLAP_DESCRIPTION: Option<&'static str> =
        Some("Two rough surfaces rub, computed from first principles");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> =
        Some(PolyModulationConfig { max_voice_capacity: MOST_VOICES, supports_overlapping_voices: true });
}

impl<const CONTROLLERS: bool> Vst3Plugin for Asperity<CONTROLLERS> {
    const VST3_CLASS_ID: [u8; 16] = *b"AsperityRubbing1";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth, Vst3SubCategory::Stereo];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::parameters::Param;

    #[test]
    fn hosts_know_how_many_voices_there_can_be() {
        assert_eq!(Param::Voices.entry().range().1, f64::from(MOST_VOICES));
    }
}
