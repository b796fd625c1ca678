//! Materials of the resonator by name. Young's modulus and density are room-temperature handbook values of
//! a common grade; how much a body of it loses belongs to its mounting as well and stays with ζ.

pub struct Material {
    pub name: &'static str,
    pub young_pa: f64,
    pub density_kg_m3: f64,
}

const fn material(name: &'static str, young_pa: f64, density_kg_m3: f64) -> Material {
    Material { name, young_pa, density_kg_m3 }
}

/// The first is the paper's steel (Dang 2013, Table 6).
pub const MATERIALS: [Material; 12] = [
    material("steel", 210e9, 7800.0),
    material("aluminium", 70e9, 2700.0),
    material("brass", 100e9, 8500.0),
    material("bronze", 110e9, 8800.0),
    material("titanium", 110e9, 4500.0),
    material("glass", 70e9, 2500.0),
    material("stone", 50e9, 2700.0),
    // Along the grain.
    material("rosewood", 16e9, 830.0),
    material("spruce", 11e9, 440.0),
    material("ice", 9e9, 917.0),
    material("acrylic", 3.2e9, 1180.0),
    material("rubber", 50e6, 1100.0),
];

/// Words of the choice: the materials, and numbers of one's own.
pub const WORDS: [&str; MATERIALS.len() + 1] = {
    let mut words = ["custom"; MATERIALS.len() + 1];
    let mut index = 0;
    while index < MATERIALS.len() {
        words[index] = MATERIALS[index].name;
        index += 1;
    }
    words
};

/// The place of the word `custom`.
pub const CUSTOM: usize = MATERIALS.len();

/// The material that has these numbers, or `custom`.
pub fn place_of(young_pa: f64, density_kg_m3: f64) -> usize {
    let same = |known: &Material| known.young_pa == young_pa && known.density_kg_m3 == density_kg_m3;
    MATERIALS.iter().position(same).unwrap_or(CUSTOM)
}
