//! How long a host waits for the bundle: scanning reads its description, opening makes an instance and lists its
//! parameters.

use std::ffi::c_void;
use std::path::Path;
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

fn vst3(library: &Path) -> Times {
    let start = Instant::now();
    // SAFETY: calls as the standard has them, on a bundle of this very project, each pointer checked or its own.
    unsafe {
        let library = Library::new(library).unwrap();
        let entry: Symbol<unsafe extern "system" fn(*mut c_void) -> bool> =
            library.get(b"ModuleEntry").unwrap();
        assert!(entry(null_mut()));
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

/// cargo xtask bundle asperity --release
/// ASPERITY_BUNDLES=target/bundled cargo test --profile checked --test plugin loading -- --ignored --nocapture
#[test]
#[ignore = "needs the bundles and a quiet machine"]
fn the_bundle_scans_and_opens_at_once() {
    let folder =
        std::env::var_os("ASPERITY_BUNDLES").expect("ASPERITY_BUNDLES names the folder of the bundles");
    let folder = Path::new(&folder);
    // The first time reads the file from the disk.
    for round in ["first", "again"] {
        let found = [
            ("CLAP", clap(&folder.join("Asperity.clap"))),
            ("VST3", vst3(&folder.join("Asperity.vst3/Contents/x86_64-linux/Asperity.so"))),
        ];
        for (format, [scan, open, count]) in found {
            println!("{format} {round}: scan {scan:.1} ms, open {open:.1} ms, {count} parameters");
            assert!(scan < 100.0 && open < 1000.0, "{format}");
        }
    }
}
