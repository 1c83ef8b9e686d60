//! The sites that accounts can be connected at.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use utoipa::ToSchema;

use super::client::Client;
use crate::config::ConnectionsConfig;
use crate::world::Time;

/// A site that accounts can be connected at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Service {
    /// lichess.org.
    Lichess,
    /// chess.com.
    Chesscom,
}

impl Service {
    const ALL: [Service; 2] = [Service::Lichess, Service::Chesscom];

    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Service::Lichess => "lichess",
            Service::Chesscom => "chesscom",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Service> {
        Service::ALL.into_iter().find(|service| service.name() == name)
    }

    /// The name of somebody at a site, if it can be one. It becomes part of a path: nothing else may be in it.
    pub(super) fn user_name(text: &str) -> Option<String> {
        let text = text.trim();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_good = (2..=30).contains(&text.len()) && text.bytes().all(is_letter);
        is_good.then(|| text.to_owned())
    }
}

/// The page of a game at its site.
pub(crate) fn game_url(service: &str, external_id: &str) -> Option<String> {
    match Service::parse(service)? {
        Service::Lichess => Some(format!("https://lichess.org/{external_id}")),
        // A few old games have no address there, only a number of their own.
        Service::Chesscom => {
            external_id.contains('/').then(|| format!("https://www.chess.com/game/{external_id}"))
        }
    }
}

/// A site and the way to it. Cheap to clone.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) service: Service,
    pub(super) client: Client,
    /// Rings when somebody wants something of it.
    pub(super) bell: Arc<Notify>,
}

impl Site {
    /// The sites of the settings; those without an address are left out.
    pub(super) fn all(config: &ConnectionsConfig, contact: &str, time: &Time) -> Vec<Site> {
        if !config.enabled {
            return Vec::new();
        }
        let agent = match contact {
            "" => format!("Rookery/{} (chess club)", crate::VERSION),
            contact => format!("Rookery/{} (chess club; {contact})", crate::VERSION),
        };
        let site = |service: Service| {
            let url = match service {
                Service::Lichess => &config.lichess,
                Service::Chesscom => &config.chesscom,
            };
            let client = Client::new(url, &agent, time.clone());
            if client.is_none() && !url.is_empty() {
                tracing::error!(
                    url,
                    "an address under [connections] is none; the site is left out"
                );
            }
            client.map(|client| Site { service, client, bell: Arc::default() })
        };
        Service::ALL.into_iter().filter_map(site).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_could_be_a_path_is_no_name() {
        let name = |text: &str| Service::user_name(text);
        assert_eq!(name(" Anna_B-9 ").as_deref(), Some("Anna_B-9"));
        for bad in ["", "a", "a/b", "..", "a?b", "a b", "a%2f", "ä", &"x".repeat(31)] {
            assert_eq!(name(bad), None, "{bad}");
        }
    }
}
