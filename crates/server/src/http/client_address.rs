//! Whose request it is, by address: the other end of the connection, or whom a trusted proxy names.
//!
//! Anybody can write `X-Forwarded-For`. It counts only from a proxy in `trusted_proxies`, and only as far back as the
//! chain of trusted proxies reaches: what stands before that is the client's own invention.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;

use super::serve::Peer;
use crate::config::WebConfig;
use crate::networks::Networks;

/// The address a request came from, as far as we can trust anybody on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// Finds out the address and notes it in the request, for the limits, the list of sessions and the log.
pub(crate) async fn note_client_address(
    State(web): State<WebConfig>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(ConnectInfo(Peer(peer))) = request.extensions().get::<ConnectInfo<Peer>>().copied()
    {
        let address = client_address(peer.ip(), request.headers(), &web.trusted_proxies);
        request.extensions_mut().insert(ClientAddress(address));
    }
    next.run(request).await
}

fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &Networks) -> IpAddr {
    let mut client = peer.to_canonical();
    for named in named_addresses(headers).iter().rev() {
        if !proxies.contains(client) {
            break;
        }
        // A proxy that names nobody we understand is the last one we can believe.
        let Some(named) = named else { break };
        client = named.to_canonical();
    }
    client
}

/// The addresses that proxies have noted, nearest to us last; `None` for what is no address.
fn named_addresses(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = |name: &str| -> Vec<String> {
        let texts = headers.get_all(name).into_iter().map(|value| value.to_str().unwrap_or("?"));
        texts.flat_map(|text| text.split(',')).map(|text| text.trim().to_owned()).collect()
    };
    let x_forwarded_for = values("x-forwarded-for");
    if !x_forwarded_for.is_empty() {
        return x_forwarded_for.iter().map(|text| address(text)).collect();
    }
    values(header::FORWARDED.as_str()).iter().map(|element| forwarded_for(element)).collect()
}

/// The `for` of one element of `Forwarded` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let (_, value) = element
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address(value.trim_matches('"'))
}

/// An address, perhaps with a port, perhaps in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let alone = text.trim_start_matches('[').trim_end_matches(']');
    alone.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(peer: &str, sent: &[(&'static str, &str)], expected: &str) {
        let proxies = Networks::try_from(vec!["10.0.0.0/8".to_owned()]).unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        let found = client_address(peer.parse().unwrap(), &headers, &proxies);
        assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{peer} {sent:?}");
    }

    #[test]
    fn a_stranger_cannot_name_another_address() {
        check("203.0.113.5", &[], "203.0.113.5");
        check("203.0.113.5", &[("x-forwarded-for", "198.51.100.1")], "203.0.113.5");
        check("203.0.113.5", &[("forwarded", "for=198.51.100.1")], "203.0.113.5");
    }

    #[test]
    fn a_trusted_proxy_names_its_client_and_the_client_s_own_inventions_do_not_count() {
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.5")], "203.0.113.5");
        check("10.0.0.1", &[("x-forwarded-for", "1.2.3.4, 203.0.113.5")], "203.0.113.5");
        check("10.0.0.1", &[("x-forwarded-for", "1.2.3.4, 203.0.113.5, 10.0.0.2")], "203.0.113.5");
        let two_lines = [("x-forwarded-for", "1.2.3.4"), ("x-forwarded-for", "203.0.113.5")];
        check("10.0.0.1", &two_lines, "203.0.113.5");
        check("::ffff:10.0.0.1", &[("x-forwarded-for", "203.0.113.5")], "203.0.113.5");
    }

    #[test]
    fn the_forms_of_an_address_are_understood_and_nonsense_ends_the_chain() {
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.5:4711")], "203.0.113.5");
        check("10.0.0.1", &[("x-forwarded-for", "2001:db8::7")], "2001:db8::7");
        check(
            "10.0.0.1",
            &[("forwarded", "for=\"[2001:db8::7]:4711\";proto=https")],
            "2001:db8::7",
        );
        check("10.0.0.1", &[("forwarded", "for=1.2.3.4, For=203.0.113.5")], "203.0.113.5");
        check("10.0.0.1", &[("x-forwarded-for", "unknown")], "10.0.0.1");
        check("10.0.0.1", &[("x-forwarded-for", "1.2.3.4, garbage, 10.0.0.2")], "10.0.0.2");
        check("10.0.0.1", &[("x-forwarded-for", "")], "10.0.0.1");
    }
}
