//! The bundles as hosts meet them: how long one waits (scanning reads a description, opening makes an instance and
//! lists its parameters), and what is not inside.

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::time::Instant;

use clack_host::prelude::PluginEntry;
use libloading::{Library, Symbol};
use vst3::ComPtr;
use vst3::Steinberg::Vst::{
    IComponent, IComponent_iid, IEditController, IEditControllerTrait, ParameterInfo,
};
use vst3::Steinberg::{IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, PClassInfo, kResultOk};

use crate::host::Rack;

/// Milliseconds to scan and to open, and the number of parameters.
type Times = [f64; 3];

/// Milliseconds from an open instance to one that can play.
fn ready(bundle: &Path) -> f64 {
    // SAFETY: the file is a bundle of this very project.
    let mut rack = Rack::of(&unsafe { PluginEntry::load(bundle) }.unwrap());
    let start = Instant::now();
    rack.activate(48_000.0, 512);
    ms(start)
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn clap(bundle: &Path) -> Times {
    let start = Instant::now();
    // SAFETY: the file is a bundle of this very project.
    let entry = unsafe { PluginEntry::load(bundle) }.unwrap();
    let factory = entry.get_plugin_factory().unwrap();
    assert_eq!(factory.plugin_descriptors().count(), 1);
    let scan = ms(start);
    let start = Instant::now();
    // Lists every parameter.
    let rack = Rack::of(&entry);
    let count = rack.parameters();
    [scan, ms(start), count as f64]
}

/// Where the VST3 bundle keeps the library of this system.
const VST3_LIBRARY: &str = if cfg!(windows) {
    "Asperity.vst3/Contents/x86_64-win/Asperity.vst3"
} else {
    "Asperity.vst3/Contents/x86_64-linux/Asperity.so"
};

/// What a host calls first; Windows passes nothing, Linux its own handle of the library.
///
/// # Safety
/// The library is a VST3 plugin.
unsafe fn enter(library: &Library) -> bool {
    // SAFETY: the signatures are those of the standard.
    unsafe {
        if cfg!(windows) {
            let entry: Symbol<unsafe extern "system" fn() -> bool> = library.get(b"InitDll").unwrap();
            entry()
        } else {
            let entry: Symbol<unsafe extern "system" fn(*mut c_void) -> bool> =
                library.get(b"ModuleEntry").unwrap();
            entry(null_mut())
        }
    }
}

fn vst3(library: &Path) -> Times {
    let start = Instant::now();
    // SAFETY: calls as the standard has them, on a bundle of this very project, each pointer checked or its own.
    unsafe {
        let library = Library::new(library).unwrap();
        assert!(enter(&library));
        let factory: Symbol<unsafe extern "system" fn() -> *mut IPluginFactory> =
            library.get(b"GetPluginFactory").unwrap();
        let factory = ComPtr::from_raw(factory()).unwrap();
        let mut class: PClassInfo = std::mem::zeroed();
        assert_eq!(factory.countClasses(), 1);
        assert_eq!(factory.getClassInfo(0, &raw mut class), kResultOk);
        let scan = ms(start);
        let start = Instant::now();
        let mut object = null_mut();
        let made = factory.createInstance(class.cid.as_ptr(), IComponent_iid.as_ptr(), &raw mut object);
        assert_eq!(made, kResultOk);
        let component = ComPtr::from_raw(object.cast::<IComponent>()).unwrap();
        assert_eq!(component.initialize(null_mut()), kResultOk);
        let controller = component.cast::<IEditController>().unwrap();
        let count = controller.getParameterCount();
        for index in 0..count {
            let mut info: ParameterInfo = std::mem::zeroed();
            assert_eq!(controller.getParameterInfo(index, &raw mut info), kResultOk);
        }
        let open = ms(start);
        component.terminate();
        [scan, open, f64::from(count)]
    }
}

/// The folder that ASPERITY_BUNDLES names.
fn bundles() -> PathBuf {
    std::env::var_os("ASPERITY_BUNDLES").expect("ASPERITY_BUNDLES names the folder of the bundles").into()
}

/// cargo xtask bundle asperity --release
/// ASPERITY_BUNDLES=target/bundled cargo test --profile checked --test plugin loading -- --ignored --nocapture
#[test]
#[ignore = "needs the bundles and a quiet machine"]
fn the_bundle_scans_and_opens_at_once() {
    let folder = bundles();
    // The first time reads the file from the disk.
    for round in ["first", "again"] {
        let found =
            [("CLAP", clap(&folder.join("Asperity.clap"))), ("VST3", vst3(&folder.join(VST3_LIBRARY)))];
        for (format, [scan, open, count]) in found {
            println!("{format} {round}: scan {scan:.1} ms, open {open:.1} ms, {count} parameters");
            // Times under Wine say nothing about Windows.
            assert!(cfg!(windows) || scan < 100.0 && open < 1000.0, "{format}");
        }
    }
    let ready = ready(&folder.join("Asperity.clap"));
    println!("CLAP: surfaces and bodies made in {ready:.0} ms");
    assert!(cfg!(windows) || ready < 1000.0);
}

/// Crates leave their names in the places that panics report, which no linker strips.
#[test]
#[ignore = "needs the bundles, as above"]
fn the_bundle_holds_no_app_and_no_terminal() {
    let library = std::fs::read(bundles().join("Asperity.clap")).unwrap();
    let holds = |name: &str| library.windows(name.len()).any(|bytes| bytes == name.as_bytes());
    assert!(holds("nice-plug-") && holds("egui-0."), "names are not where this looks for them");
    for foreign in ["clap_builder-", "indicatif-", "plotters-", "cpal-", "midir-", "eframe-", "rfd-"] {
        assert!(!holds(foreign), "{foreign}");
    }
}
