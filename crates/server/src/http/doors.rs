//! How many connections there may be, in all and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::networks::{Networks, neighbourhood};

/// Lets connections in as long as there is room. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Doors(Arc<Inner>);

struct Inner {
    seats: Arc<Semaphore>,
    places: u32,
    per_address: usize,
    /// Proxies and classrooms: many people behind one address.
    exempt: Vec<Networks>,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

/// The seat a connection takes. A WebSocket outlives the connection it began as, and keeps it.
#[derive(Clone)]
pub struct Seat {
    _place: Arc<(OwnedSemaphorePermit, Option<OfAddress>)>,
}

/// One of the seats of an address.
struct OfAddress {
    doors: Doors,
    address: IpAddr,
}

impl Doors {
    pub(crate) fn new(seats: usize, per_address: usize, exempt: Vec<Networks>) -> Doors {
        let places = u32::try_from(seats.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        let seats = Arc::new(Semaphore::new(places as usize));
        Doors(Arc::new(Inner { seats, places, per_address, exempt, taken: Mutex::default() }))
    }

    /// A seat for a newcomer; none if there are too many already.
    pub(crate) fn enter(&self, peer: IpAddr) -> Option<Seat> {
        let of_address =
            if self.is_counted(peer) { Some(self.count(neighbourhood(peer))?) } else { None };
        let place = self.0.seats.clone().try_acquire_owned().ok()?;
        Some(Seat { _place: Arc::new((place, of_address)) })
    }

    /// Waits until nobody is left.
    pub(crate) async fn empty(&self) {
        let _ = self.0.seats.acquire_many(self.0.places).await;
    }

    /// This machine itself is not: a proxy in front of us is often on it, and whoever else is can do worse.
    fn is_counted(&self, peer: IpAddr) -> bool {
        self.0.per_address > 0
            && !peer.to_canonical().is_loopback()
            && !self.0.exempt.iter().any(|networks| networks.contains(peer))
    }

    fn count(&self, address: IpAddr) -> Option<OfAddress> {
        let mut taken = self.0.taken.lock();
        let of_this = taken.entry(address).or_default();
        if *of_this >= self.0.per_address {
            return None;
        }
        *of_this += 1;
        Some(OfAddress { doors: self.clone(), address })
    }
}

impl Drop for OfAddress {
    fn drop(&mut self) {
        let mut taken = self.doors.0.taken.lock();
        if let Some(of_this) = taken.get_mut(&self.address) {
            *of_this -= 1;
            if *of_this == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors() -> Doors {
        let classroom = Networks::try_from(vec!["10.0.0.0/8".to_owned()]).unwrap();
        Doors::new(8, 3, vec![Networks::default(), classroom])
    }

    fn enter(doors: &Doors, address: &str, times: usize) -> Vec<Seat> {
        (0..times).filter_map(|_| doors.enter(address.parse().unwrap())).collect()
    }

    #[test]
    fn one_address_cannot_take_all_seats() {
        let doors = doors();
        let mut here = enter(&doors, "203.0.113.1", 10);
        assert_eq!(here.len(), 3);
        assert_eq!(enter(&doors, "203.0.113.2", 1).len(), 1, "others come in");
        here.pop();
        assert_eq!(enter(&doors, "203.0.113.1", 10).len(), 1, "a seat that is left is free");
        drop(here);
        assert!(doors.0.taken.lock().is_empty(), "nobody is remembered for nothing");
    }

    #[test]
    fn one_owner_of_many_addresses_is_one() {
        let doors = doors();
        let here = enter(&doors, "2001:db8:1:2::1", 2);
        assert_eq!((here.len(), enter(&doors, "2001:db8:1:2::ffff", 2).len()), (2, 1));
    }

    #[test]
    fn a_classroom_a_proxy_and_this_machine_are_many_people() {
        for address in ["10.1.2.3", "127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(
                enter(&doors(), address, 10).len(),
                8,
                "{address}: only all seats are a limit"
            );
        }
    }
}
