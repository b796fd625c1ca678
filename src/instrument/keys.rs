//! Which keys are down, in the order they were struck: what one body for all keys goes back to.

use super::events::{Address, Note};

/// More fingers than that have to wait.
const MOST: usize = 32;

#[derive(Debug, Clone, Copy)]
pub struct Keys {
    list: [Note; MOST],
    count: usize,
}

impl Keys {
    pub fn new() -> Self {
        Self { list: [Note { id: None, channel: 0, key: 0 }; MOST], count: 0 }
    }

    pub fn press(&mut self, note: Note) {
        if self.count == MOST {
            self.list.copy_within(1.., 0);
            self.count -= 1;
        }
        self.list[self.count] = note;
        self.count += 1;
    }

    pub fn release(&mut self, to: &Address) {
        let mut kept = 0;
        for index in 0..self.count {
            let note = self.list[index];
            if !to.matches(&note) {
                self.list[kept] = note;
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// All that are down, the one struck last at the end.
    pub fn list(&self) -> &[Note] {
        &self.list[..self.count]
    }

    pub fn last(&self) -> Option<Note> {
        self.list().last().copied()
    }

    pub fn holds(&self, note: &Note) -> bool {
        self.list().contains(note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_key_down_is_found_again() {
        let mut keys = Keys::new();
        let note = |key: u8| Note { id: None, channel: 0, key };
        for key in 0..100 {
            keys.press(note(key));
        }
        assert_eq!(keys.last(), Some(note(99)));
        keys.release(&Address::key(0, 99));
        keys.release(&Address::key(1, 98));
        assert_eq!(keys.last(), Some(note(98)));
        keys.release(&Address::ALL);
        assert_eq!(keys.last(), None);
    }
}
