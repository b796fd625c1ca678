//! What a host sees: names, ports, life cycle.

use std::sync::Arc;

use nice_plug::prelude::*;

use super::root::Root;
use super::state;
use crate::engine::realtime::{Engine, Settings};
use crate::scene::{DEFAULT_PRESET, find_preset};

/// `CONTROLLERS`: whether MIDI controllers and pitch bend come in beside notes.
pub struct Asperity<const CONTROLLERS: bool> {
    root: Arc<Root>,
    engine: Option<Engine>,
}

impl<const CONTROLLERS: bool> Default for Asperity<CONTROLLERS> {
    fn default() -> Self {
        Self { root: Arc::default(), engine: None }
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

    type Editor = ();
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.root.clone()
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
        let settings = Settings { host_rate_hz: f64::from(buffer.sample_rate), ..Settings::default() };
        let engine = find_preset(DEFAULT_PRESET)
            .and_then(|draft| draft.build())
            .and_then(|scene| Engine::new(&scene, settings));
        self.engine = engine.ok();
        if let Some(engine) = &self.engine {
            context.set_latency_samples(engine.latency_samples() as u32);
        }
        self.engine.is_some()
    }

    fn reset(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.reset();
        }
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _aux: &mut AuxiliaryBuffers,
        _context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let Some(engine) = &mut self.engine else { return ProcessStatus::Normal };
        if let [left, right] = buffer.as_slice() {
            engine.process(&mut [left]);
            right.copy_from_slice(left);
        }
        ProcessStatus::KeepAlive
    }
}

impl<const CONTROLLERS: bool> ClapPlugin for Asperity<CONTROLLERS> {
    const CLAP_ID: &'static str = "org.asperity.asperity";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Two rough surfaces rub");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Stereo];
}

impl<const CONTROLLERS: bool> Vst3Plugin for Asperity<CONTROLLERS> {
    const VST3_CLASS_ID: [u8; 16] = *b"AsperityRubbing1";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth, Vst3SubCategory::Stereo];
}
