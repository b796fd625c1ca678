//! MIDI inputs: every message becomes an event of the instrument; learned controllers turn their knobs.

use std::sync::Arc;

use midir::{Ignore, MidiInput, MidiInputConnection};

use super::hush::hush;
use super::learn::Learned;
use super::mail::Sender;
use super::shared::Shared;
use crate::instrument::Event;

const CLIENT: &str = "Asperity";

/// Which inputs the user wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Inputs {
    #[default]
    All,
    /// Those whose name holds one of these.
    Named(Vec<String>),
}

impl Inputs {
    /// Whether one of these inputs is wanted.
    pub fn any_of(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(wanted) => wanted.iter().any(|part| holds(name, part)),
        }
    }

    /// The same with one input of those that are there switched on or off. What is wanted but not plugged in now
    /// stays wanted.
    pub fn switched(&self, name: &str, on: bool, there: &[String]) -> Self {
        let wanted = if let Self::Named(wanted) = self { &wanted[..] } else { &[] };
        let absent = wanted.iter().filter(|part| !there.iter().any(|other| holds(other, part)));
        let others = there.iter().filter(|other| *other != name && self.has(other));
        let mut names: Vec<String> = absent.chain(others).cloned().collect();
        names.extend(on.then(|| name.to_owned()));
        Self::Named(names)
    }
}

/// Whether a name holds a part that somebody wrote, however it is written.
fn holds(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

/// Where messages go.
#[derive(Clone)]
pub struct Route {
    pub mail: Sender,
    pub learned: Arc<Learned>,
    pub shared: Arc<Shared>,
}

impl Route {
    /// One message of an input.
    pub fn take(&self, bytes: &[u8]) {
        let Some(event) = Event::from_midi(bytes) else { return };
        if let Event::Controller { channel, number, value } = event
            && let Some(param) = self.learned.moved((channel, number))
        {
            let value = param.entry().denormalise(f64::from(value));
            self.shared.knobs.set(param, value);
            // A ring that is full has a second of events in it; one less is not heard.
            self.mail.send(Event::Parameter { param, value });
            return;
        }
        self.mail.send(event);
    }
}

/// Names of all inputs, or why there are none.
pub fn names() -> Result<Vec<String>, String> {
    hush();
    let input = MidiInput::new(CLIENT).map_err(|error| format!("no MIDI on this system: {error}"))?;
    Ok(input.ports().iter().filter_map(|port| input.port_name(port).ok()).collect())
}

/// Inputs that are open, by name.
pub struct Midi {
    route: Route,
    open: Vec<(String, MidiInputConnection<Route>)>,
    /// A system without MIDI stays without: it is asked once.
    possible: bool,
}

impl Midi {
    pub fn new(route: Route) -> Self {
        Self { route, open: Vec::new(), possible: true }
    }

    pub fn is_possible(&self) -> bool {
        self.possible
    }

    pub fn open_names(&self) -> Vec<String> {
        self.open.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Opens what is wanted and there, closes what is not; may be called again at any time, and is, because
    /// keyboards are plugged in and out. Every trouble in words.
    pub fn connect(&mut self, wanted: &Inputs) -> Vec<String> {
        let there = match names() {
            Ok(names) => names,
            Err(why) => {
                self.possible = false;
                return vec![why];
            }
        };
        self.open.retain(|(name, _)| wanted.has(name) && there.contains(name));
        let mut troubles = Vec::new();
        for name in there.iter().filter(|name| wanted.has(name)) {
            if self.open.iter().any(|(open, _)| open == name) {
                continue;
            }
            match connect(name, self.route.clone()) {
                Ok(connection) => self.open.push((name.clone(), connection)),
                Err(why) => troubles.push(format!("{name}: {why}")),
            }
        }
        if let Inputs::Named(parts) = wanted {
            let missing = parts.iter().filter(|part| !there.iter().any(|name| holds(name, part)));
            troubles.extend(missing.map(|part| format!("no MIDI input answers to {part}")));
        }
        troubles
    }
}

fn connect(name: &str, route: Route) -> Result<MidiInputConnection<Route>, String> {
    let mut input = MidiInput::new(CLIENT).map_err(|error| error.to_string())?;
    input.ignore(Ignore::All);
    let ports = input.ports();
    let port = ports.iter().find(|port| input.port_name(port).is_ok_and(|known| known == name));
    let port = port.ok_or("it is gone")?;
    input.connect(port, CLIENT, |_, bytes, route| route.take(bytes), route).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::mail::mail;
    use crate::instrument::Patch;
    use crate::instrument::parameters::Param;

    #[test]
    fn messages_become_events_and_learned_controllers_turn_knobs() {
        let (sender, mut events) = mail();
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        let values = *patch.values();
        let shared = Arc::new(Shared::new(String::new(), patch, &values));
        let route = Route { mail: sender, learned: Arc::default(), shared };
        route.take(&[0x90, 60, 100]);
        route.take(&[0xB0, 21, 127]);
        assert!(matches!(events.pop().unwrap().event, Event::NoteOn { .. }));
        assert!(matches!(events.pop().unwrap().event, Event::Controller { number: 21, .. }));
        route.learned.wait_for(Param::Ra);
        route.take(&[0xB0, 21, 127]);
        let largest = Param::Ra.entry().range().1;
        assert_eq!(events.pop().unwrap().event, Event::Parameter { param: Param::Ra, value: largest });
        assert_eq!(route.shared.knobs.get(Param::Ra), largest);
        for nonsense in [&[][..], &[0xF8], &[0x90], &[0xB0, 21], &[0x00, 1, 2]] {
            route.take(nonsense);
        }
        assert!(events.pop().is_err());
    }

    #[test]
    fn inputs_are_meant_by_a_part_of_their_name() {
        assert!(Inputs::All.has("anything"));
        let named = Inputs::Named(vec!["launch".to_owned()]);
        assert!(named.has("Launchkey Mini MIDI 1") && !named.has("Midi Through"));
        assert!(!Inputs::Named(Vec::new()).has("anything"));
    }

    #[test]
    fn an_input_is_switched_and_those_that_are_unplugged_stay_wanted() {
        let there = ["Launchkey 1", "Launchkey 2", "Through"].map(str::to_owned);
        let wanted = Inputs::Named(vec!["launch".to_owned(), "Seaboard".to_owned()]);
        let without = wanted.switched("Launchkey 1", false, &there);
        assert_eq!(without, Inputs::Named(["Seaboard", "Launchkey 2"].map(str::to_owned).to_vec()));
        let with = without.switched("Through", true, &there);
        assert!(with.has("Through") && with.has("Seaboard") && !with.has("Launchkey 1"));
    }
}
