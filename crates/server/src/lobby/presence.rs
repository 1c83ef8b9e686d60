//! Who is there: the accounts with an open socket, and since when the others are gone.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use rules::UnixMillis;
use store::{Account, AccountId, AccountKind};

use crate::live::outbox::{Outbox, SocketId};

/// How long somebody who has left is remembered: longer than anything waits for them.
const REMEMBERED: i64 = 600_000;

/// Who is there.
pub(super) struct Presence {
    /// Nobody was here before.
    opened_at: UnixMillis,
    people: Mutex<HashMap<AccountId, Person>>,
}

struct Person {
    account: Account,
    sockets: Vec<Outbox>,
    /// When the last socket closed; none while there is one.
    left_at: Option<UnixMillis>,
}

impl Presence {
    pub(super) fn new(opened_at: UnixMillis) -> Presence {
        Presence { opened_at, people: Mutex::default() }
    }

    /// A socket has come. Gives when the account's last one before it had gone, if nobody was there.
    pub(super) fn arrive(&self, account: Account, outbox: Outbox) -> Option<UnixMillis> {
        let mut people = self.people.lock();
        let new = || Person { account: account.clone(), sockets: Vec::new(), left_at: None };
        let person = people.entry(account.id).or_insert_with(new);
        person.account = account;
        person.sockets.retain(|other| other.socket() != outbox.socket());
        person.sockets.push(outbox);
        person.left_at.take()
    }

    /// A socket has gone; whether it was the account's last.
    pub(super) fn depart(&self, id: AccountId, socket: SocketId, now: UnixMillis) -> bool {
        let mut people = self.people.lock();
        let Some(person) = people.get_mut(&id) else { return false };
        person.sockets.retain(|other| other.socket() != socket);
        let is_last = person.sockets.is_empty() && person.left_at.is_none();
        if is_last {
            person.left_at = Some(now);
        }
        is_last
    }

    pub(super) fn is_present(&self, id: AccountId) -> bool {
        self.people.lock().get(&id).is_some_and(|person| person.left_at.is_none())
    }

    /// Since when somebody is away; none for who is there.
    pub(super) fn gone_since(&self, id: AccountId) -> Option<UnixMillis> {
        match self.people.lock().get(&id) {
            Some(person) => person.left_at,
            None => Some(self.opened_at),
        }
    }

    /// Tells all sockets of an account.
    pub(super) fn tell(&self, id: AccountId, frame: &Utf8Bytes) {
        for outbox in self.people.lock().get(&id).into_iter().flat_map(|person| &person.sockets) {
            outbox.push(frame.clone());
        }
    }

    /// How many are there.
    pub(super) fn count(&self) -> usize {
        self.people.lock().values().filter(|person| person.left_at.is_none()).count()
    }

    /// How many are there, and the first of them: those with a name of their own before guests, by name.
    pub(super) fn online(&self, limit: usize) -> (usize, Vec<Account>) {
        let people = self.people.lock();
        let present = people.values().filter(|person| person.left_at.is_none());
        let mut present: Vec<&Account> = present.map(|person| &person.account).collect();
        present.sort_by_cached_key(|account| {
            (account.kind == AccountKind::Guest, account.name.to_lowercase(), account.id)
        });
        (present.len(), present.into_iter().take(limit).cloned().collect())
    }

    /// Forgets those who left long ago.
    pub(super) fn tidy(&self, now: UnixMillis) {
        let recent = |left: UnixMillis| now.0 - left.0 < REMEMBERED;
        self.people.lock().retain(|_, person| person.left_at.is_none_or(recent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_many_are_members_by_name() {
        let presence = Presence::new(UnixMillis(5));
        let mut lines = Vec::new();
        for (n, name) in (1..).zip(["zoe", "Guest 1", "Bert", "Guest 0", "anna"]) {
            let kind =
                if name.starts_with("Guest") { AccountKind::Guest } else { AccountKind::Player };
            let (outbox, keep) = Outbox::new(SocketId(n));
            lines.push(keep);
            let account = Account { id: AccountId::from_bits(n), kind, name: name.to_owned() };
            presence.arrive(account, outbox);
        }
        let (count, first) = presence.online(4);
        let names: Vec<&str> = first.iter().map(|account| &*account.name).collect();
        assert_eq!((count, names), (5, vec!["anna", "Bert", "zoe", "Guest 0"]));
        assert_eq!(presence.count(), 5);
    }

    #[test]
    fn somebody_is_there_while_one_socket_is_open() {
        let presence = Presence::new(UnixMillis(5));
        let id = AccountId::from_bits(1);
        let account = Account { id, kind: AccountKind::Guest, name: "Guest 1".to_owned() };
        let [(one, _keep_one), (two, _keep_two)] = [1, 2].map(|n| Outbox::new(SocketId(n)));
        assert_eq!(presence.gone_since(id), Some(UnixMillis(5)));
        assert_eq!(presence.arrive(account.clone(), one), None);
        assert_eq!(presence.arrive(account.clone(), two), None);
        assert!(!presence.depart(id, SocketId(1), UnixMillis(10)));
        assert_eq!((presence.is_present(id), presence.online(9).0), (true, 1));
        assert!(presence.depart(id, SocketId(2), UnixMillis(20)));
        assert!(!presence.depart(id, SocketId(2), UnixMillis(30)), "it left once");
        assert_eq!(presence.gone_since(id), Some(UnixMillis(20)));
        assert_eq!((presence.is_present(id), presence.online(9).0), (false, 0));
        let (again, _keep_again) = Outbox::new(SocketId(3));
        assert_eq!(presence.arrive(account, again), Some(UnixMillis(20)));
        presence.depart(id, SocketId(3), UnixMillis(40));
        presence.tidy(UnixMillis(40 + REMEMBERED));
        assert_eq!(presence.gone_since(id), Some(UnixMillis(5)), "forgotten is as never seen");
    }
}
