//! Looks: which picture a genome has, without telling its code.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::genome::Genome;

/// 16 bits that choose a picture. Equal genomes look equal, in every game of one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look(pub u16);

impl Look {
    /// The look of a genome under a server's secret key: the first two bytes of the keyed hash of its SHA-256.
    pub fn of(genome: &Genome, server_key: &[u8]) -> Look {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(server_key).expect("HMAC takes keys of any length");
        mac.update(&genome.sha().0);
        let bytes: [u8; 32] = mac.finalize().into_bytes().into();
        Look(u16::from_be_bytes([bytes[0], bytes[1]]))
    }
}
