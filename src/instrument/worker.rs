//! What is too slow for the audio thread: surfaces and engines are made here, and what the audio thread no
//! longer needs is freed here. Both sides talk through wait-free rings; the audio thread never waits, unless
//! the host renders offline and says so. Patches come through a buffer of which only the newest is ever seen: a
//! player may leaf through many while the host has stopped calling.

use super::parameters::Values;
use super::patch::Patch;
use super::rig::{Build, Rig};
use crate::engine::realtime::Surfaces;
use crate::error::Error;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use triple_buffer::{Input, Output, TripleBuffer};

/// How often the worker looks for orders while it has work, and how seldom once it has had none for a while:
/// the audio thread cannot wake it, since that would be a call to the system.
const NAP: Duration = Duration::from_millis(2);
const LONGEST_NAP: Duration = Duration::from_millis(32);
/// How often an offline host looks for what was made.
const OFFLINE_NAP: Duration = Duration::from_micros(100);
/// Things under way at once.
const SLOTS: usize = 8;

/// What the audio thread asks for.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub build: Build,
    /// The grid of the engine in use, where new surfaces for it would do.
    pub grid: Option<Grid>,
}

#[derive(Debug, Clone, Copy)]
pub struct Grid {
    pub grid_m: f64,
    pub step_m: f64,
}

/// What comes back of an order.
pub enum Product {
    Rig(Box<Rig>),
    Surfaces {
        surfaces: Arc<Surfaces>,
        lc_um: f64,
    },
    /// Could not be made; the old one goes on.
    Refused,
}

/// Another patch altogether, with its own values.
pub struct Loaded {
    pub rig: Box<Rig>,
    /// How many patches had been asked for when this one was.
    pub number: u64,
}

/// Old things on their way out.
pub enum Waste {
    Rig(Box<Rig>),
    Surfaces(Arc<Surfaces>),
}

enum Letter {
    Load(Box<Wish>),
    End,
}

struct Wish {
    patch: Patch,
    build: Build,
    number: u64,
}

/// The audio thread's end.
pub struct Desk {
    orders: Producer<Order>,
    products: Consumer<Product>,
    loaded: Output<Option<Loaded>>,
    waste: Producer<Waste>,
    asked: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
    letters: Sender<Letter>,
}

/// Any other thread's end: loads patches while the instrument plays. May be cloned and kept.
#[derive(Clone)]
pub struct Loader {
    letters: Sender<Letter>,
    rate_hz: f64,
    asked: Arc<AtomicU64>,
}

impl Loader {
    /// Builds the patch with its knobs at `values` off the audio thread; the instrument cross-fades to it.
    pub fn load(&self, patch: Patch, values: &Values) {
        let build = Build { values: *values, rate_hz: self.rate_hz, offline: false };
        let number = self.asked.fetch_add(1, Ordering::AcqRel) + 1;
        // An instrument that is gone has nothing to load.
        let _ = self.letters.send(Letter::Load(Box::new(Wish { patch, build, number })));
    }
}

impl Desk {
    pub fn new(patch: Patch, rate_hz: f64) -> Result<(Self, Loader), Error> {
        let (orders, order_inbox) = RingBuffer::new(SLOTS);
        let (product_outbox, products) = RingBuffer::new(SLOTS);
        let (waste, waste_inbox) = RingBuffer::new(SLOTS);
        let (letters, letter_inbox) = channel();
        let (loaded_outbox, loaded) = TripleBuffer::default().split();
        let worker = Worker {
            patch,
            orders: order_inbox,
            products: product_outbox,
            loaded: loaded_outbox,
            waste: waste_inbox,
            letters: letter_inbox,
        };
        let thread = std::thread::Builder::new()
            .name("asperity worker".to_owned())
            .spawn(move || worker.run())
            .map_err(|why| Error::Other(format!("no thread for the worker: {why}")))?;
        let asked = Arc::new(AtomicU64::new(0));
        let loader = Loader { letters: letters.clone(), rate_hz, asked: asked.clone() };
        Ok((Self { orders, products, loaded, waste, asked, thread: Some(thread), letters }, loader))
    }

    /// False when too much is under way.
    pub fn order(&mut self, order: Order) -> bool {
        self.orders.push(order).is_ok()
    }

    pub fn product(&mut self) -> Option<Product> {
        self.products.pop().ok()
    }

    /// The newest patch that was asked for, once it is made.
    pub fn loaded(&mut self) -> Option<Loaded> {
        if self.loaded.update() { self.loaded.output_buffer_mut().take() } else { None }
    }

    /// Patches asked for so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Acquire)
    }

    /// For offline hosts only.
    pub fn wait(&mut self) -> Option<Product> {
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            if let Some(product) = self.product() {
                return Some(product);
            }
            std::thread::sleep(OFFLINE_NAP);
        }
        None
    }

    /// Hands over what the worker is to free; comes back when there is no room for it yet, so that nothing is
    /// ever freed here.
    #[must_use]
    pub fn discard(&mut self, waste: Waste) -> Option<Waste> {
        self.waste.push(waste).err().map(|rtrb::PushError::Full(back)| back)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.letters.send(Letter::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The instrument is.
struct Gone;

struct Worker {
    patch: Patch,
    orders: Consumer<Order>,
    products: Producer<Product>,
    loaded: Input<Option<Loaded>>,
    waste: Consumer<Waste>,
    letters: Receiver<Letter>,
}

impl Worker {
    fn run(mut self) {
        let mut nap = NAP;
        while let Ok(wish) = self.read_letters(nap) {
            nap = (nap * 2).min(LONGEST_NAP);
            if let Some(wish) = wish {
                nap = NAP;
                self.load(*wish);
            }
            while let Ok(waste) = self.waste.pop() {
                nap = NAP;
                match waste {
                    Waste::Rig(rig) => drop(rig),
                    Waste::Surfaces(surfaces) => drop(surfaces),
                }
            }
            while let Ok(order) = self.orders.pop() {
                nap = NAP;
                let product = self.make(&order);
                // One order is under way at a time, so there is room for what comes of it.
                let _ = self.products.push(product);
            }
        }
    }

    /// Waits for a letter and reads all there are: of many patches the last is wanted. No more letters come
    /// when the instrument is gone.
    fn read_letters(&self, nap: Duration) -> Result<Option<Box<Wish>>, Gone> {
        let mut newest = match self.letters.recv_timeout(nap) {
            Ok(Letter::Load(wish)) => Some(wish),
            Ok(Letter::End) | Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            Err(RecvTimeoutError::Timeout) => None,
        };
        for letter in self.letters.try_iter() {
            match letter {
                Letter::Load(wish) => newest = Some(wish),
                Letter::End => return Err(Gone),
            }
        }
        Ok(newest)
    }

    fn make(&self, order: &Order) -> Product {
        let values = &order.build.values;
        if let Some(Grid { grid_m, step_m }) = order.grid
            && let Some(surfaces) = Rig::surfaces(&self.patch, values, grid_m, step_m)
        {
            return Product::Surfaces { surfaces, lc_um: values.get(super::parameters::Param::Lc) };
        }
        Rig::new(&self.patch, &order.build).map_or(Product::Refused, |rig| Product::Rig(Box::new(rig)))
    }

    fn load(&mut self, Wish { patch, build, number }: Wish) {
        if let Ok(rig) = Rig::new(&patch, &build) {
            self.patch = patch;
            self.loaded.write(Some(Loaded { rig: Box::new(rig), number }));
            // What came back is a patch that nobody has taken.
            *self.loaded.input_buffer_mut() = None;
        }
    }
}
