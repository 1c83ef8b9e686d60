//! Who enters and who leaves.

use std::cmp::Reverse;

use super::{AnnouncedBye, Bye, PairingNumber, Player, Tournament};

/// Numbers players by strength, as the starting list has them (C.04.2): rating, title, name.
///
/// Only for events that have not begun: entries of rounds refer to numbers.
pub fn number_by_strength(players: &mut [Player]) {
    players.sort_by(|a, b| {
        let strength =
            |player: &Player| (Reverse(player.rating), player.title.is_none(), player.title);
        strength(a).cmp(&strength(b)).then_with(|| a.name.cmp(&b.name))
    });
    for (player, number) in players.iter_mut().zip(1..) {
        player.number = PairingNumber(number);
    }
}

impl Tournament {
    /// Lets a player be absent from all rounds that are still to be paired.
    pub fn withdraw(&mut self, player: PairingNumber) {
        let first = self.next_round();
        let last = self.rounds_in_all().max(first.0);
        self.byes.retain(|bye| bye.player != player || bye.round < first);
        let rounds = (first.0..=last).map(super::RoundNumber);
        self.byes.extend(rounds.map(|round| AnnouncedBye { round, player, bye: Bye::Zero }));
        self.byes.sort_by_key(|bye| (bye.round, bye.player));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RoundNumber, Title};
    use super::*;

    #[test]
    fn the_starting_list_goes_by_rating_title_and_name() {
        let player = |name: &str, rating, title| Player {
            title,
            ..Player::new(PairingNumber(9), name, rating)
        };
        let mut players = [
            player("E", None, None),
            player("D", Some(2000), None),
            player("B", Some(2000), Some(Title::Fm)),
            player("C", Some(2000), Some(Title::Wim)),
            player("A", Some(2100), None),
            player("B2", Some(2000), Some(Title::Fm)),
        ];
        number_by_strength(&mut players);
        let order: Vec<(u16, &str)> =
            players.iter().map(|player| (player.number.0, player.name.as_str())).collect();
        assert_eq!(order, [(1, "A"), (2, "B"), (3, "B2"), (4, "C"), (5, "D"), (6, "E")]);
    }

    #[test]
    fn who_withdraws_is_absent_to_the_end() {
        let mut tournament = Tournament { total_rounds: Some(3), ..Tournament::default() };
        tournament.withdraw(PairingNumber(2));
        let rounds: Vec<RoundNumber> = tournament.byes.iter().map(|bye| bye.round).collect();
        assert_eq!(rounds, [RoundNumber(1), RoundNumber(2), RoundNumber(3)]);
        assert_eq!(tournament.announced_bye(PairingNumber(2), RoundNumber(3)), Some(Bye::Zero));
    }
}
