//! The panel without a window: pointer, keys and screen readers against knobs that write everything down.

mod bar;
mod bench;
mod controls;
mod each;
mod frames;
