//! The engine that plays live.
pub mod broad;
pub mod lanes;
pub mod meet;
pub mod modes;
pub mod nodes;
pub mod pass;
pub mod press;
pub mod quality;
pub mod stage;
pub mod texture;
pub mod voice;
