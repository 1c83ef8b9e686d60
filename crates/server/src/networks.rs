//! Lists of networks, as settings name them: `["10.0.0.0/8", "192.168.1.7"]`.

use std::net::IpAddr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// Some networks; an address alone is a network of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Networks(Vec<IpNet>);

/// A text that names no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no network: write an address, or one with a length such as 10.0.0.0/8")]
pub struct NotANetwork(String);

impl Networks {
    /// Whether an address is in one of them. An IPv4 address that came in over IPv6 counts as what it is.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl TryFrom<Vec<String>> for Networks {
    type Error = NotANetwork;
    fn try_from(texts: Vec<String>) -> Result<Self, NotANetwork> {
        let parse = |text: &String| {
            let alone = text.parse::<IpAddr>().map(IpNet::from);
            text.parse::<IpNet>().or(alone).map_err(|_| NotANetwork(text.clone()))
        };
        texts.iter().map(parse).collect::<Result<_, _>>().map(Networks)
    }
}

impl From<Networks> for Vec<String> {
    fn from(networks: Networks) -> Self {
        networks.0.iter().map(ToString::to_string).collect()
    }
}

/// What counts as one household or classroom where addresses are counted: an IPv4 address, or the half of an IPv6
/// address that its owner cannot choose freely.
pub fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let mut segments = address.segments();
            segments[4..].fill(0);
            IpAddr::from(segments)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_knows_its_addresses_in_either_form() {
        let list = ["10.0.0.0/8", "192.168.1.7", "fd00::/8"].map(str::to_owned).to_vec();
        let networks = Networks::try_from(list).unwrap();
        for (address, expected) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("192.168.1.7", true),
            ("192.168.1.8", false),
            ("fd12::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(networks.contains(address.parse().unwrap()), expected, "{address}");
        }
        let bad = Networks::try_from(vec!["office".to_owned()]);
        assert_eq!(bad, Err(NotANetwork("office".to_owned())));
    }

    #[test]
    fn one_owner_of_many_ipv6_addresses_is_one_neighbourhood() {
        let of = |text: &str| neighbourhood(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
