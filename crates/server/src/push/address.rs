//! Where push services are, and where they may not be: a browser's word must not lead us into our own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::Uri;

use crate::line::Host;

/// The address of a push service, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Endpoint {
    pub(super) host: Host,
    /// The path with what follows it.
    pub(super) path: String,
}

impl Endpoint {
    /// Reads an address. `https` on the usual port with a name of the Internet; anything goes if local services may be
    /// used.
    pub(super) fn parse(text: &str, allows_local: bool) -> Result<Endpoint, &'static str> {
        let uri: Uri = text.parse().map_err(|_| "it cannot be read")?;
        let authority = uri.authority().ok_or("it has no host")?;
        if authority.as_str().contains('@') {
            return Err("it holds a password");
        }
        let host = Host::of(&uri)
            .filter(|host| host.is_tls || allows_local)
            .ok_or("it does not begin with https")?;
        if !allows_local {
            if host.port != 443 {
                return Err("it is not on the usual port");
            }
            match host.name.parse::<IpAddr>() {
                Ok(address) if !is_public(address) => return Err("it is not on the Internet"),
                Err(_) if !host.name.contains('.') || is_private_name(&host.name) => {
                    return Err("it is not on the Internet");
                }
                _ => {}
            }
        }
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Endpoint { host, path })
    }

    /// What a signature is for: scheme and host.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.host.is_tls { "https" } else { "http" };
        format!("{scheme}://{}", self.host.authority())
    }
}

fn is_private_name(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    ["localhost", "local", "internal", "lan", "home", "intranet", "arpa"]
        .iter()
        .any(|ending| host == *ending || host.ends_with(&format!(".{ending}")))
}

/// Whether an address is somewhere on the Internet, and not in this machine or in somebody's network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        // This network, shared between providers, protocols, 6to4 relays, benchmarks, reserved.
        (0 | 240..=255, _, _)
            | (100, 64..=127, _)
            | (192, 0, 0)
            | (192, 88, 99)
            | (198, 18 | 19, _)
    );
    !(special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    match segments {
        // An IPv4 address in another form counts as what it is; in the other wrappings nobody offers a service.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            let [.., a, b] = segments;
            let (a, b) = (a.to_be_bytes(), b.to_be_bytes());
            is_public_v4(Ipv4Addr::new(a[0], a[1], b[0], b[1]))
        }
        // Documentation, 6to4, Teredo and its neighbours.
        [0x2001, 0xdb8 | 0..=0x1ff, ..] | [0x2002 | 0x3fff, ..] => false,
        // What is given out for the Internet so far is 2000::/3.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, is_fine: bool) {
        assert_eq!(Endpoint::parse(text, false).is_ok(), is_fine, "{text}");
    }

    #[test]
    fn a_push_service_is_on_the_internet_and_speaks_https() {
        check("https://updates.push.services.mozilla.com/wpush/v2/abc", true);
        check("https://fcm.googleapis.com/fcm/send/abc:def", true);
        check("https://web.push.apple.com/QGabc?x=1", true);
        for bad in [
            "",
            "fcm.googleapis.com",
            "http://fcm.googleapis.com/x",
            "ftp://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://user:pass@fcm.googleapis.com/x",
            "https://localhost/x",
            "https://router.lan/x",
            "https://intranet/x",
            "https://metadata.google.internal/x",
            "https://127.0.0.1/x",
            "https://10.1.2.3/x",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/x",
            "https://[::ffff:192.168.1.1]/x",
            "https://[fd00::1]/x",
        ] {
            check(bad, false);
        }
    }

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        let public = |text: &str| is_public(text.parse().unwrap());
        for good in ["8.8.8.8", "142.250.1.1", "2a00:1450:4001::1", "64:ff9b::808:808"] {
            assert!(public(good), "{good}");
        }
        for bad in [
            "0.0.0.0",
            "127.0.0.53",
            "10.0.0.1",
            "172.16.5.5",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.8",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "2001:db8::1",
            "2002:7f00:1::1",
        ] {
            assert!(!public(bad), "{bad}");
        }
    }

    #[test]
    fn the_origin_names_the_port_only_where_it_is_unusual() {
        let origin = |text: &str| Endpoint::parse(text, true).unwrap().origin();
        assert_eq!(origin("https://push.example:443/a/b"), "https://push.example");
        assert_eq!(origin("http://127.0.0.1:8080/a"), "http://127.0.0.1:8080");
        assert_eq!(origin("https://[::1]:9/a"), "https://[::1]:9");
    }
}
