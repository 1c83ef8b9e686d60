//! The rules of C.04.3 once more, by trying every pairing there is: slow, short, and written
//! from the text without a line of the engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::cmp::Reverse;
use std::collections::BTreeSet;

use pairing::dutch::Round;
use pairing::{Bye, Colour, Entry, PairingNumber, Player, Tournament};

/// What the criteria know about a player.
struct Person {
    number: PairingNumber,
    place: usize,
    score: i32,
    difference: i32,
    colours: Vec<Colour>,
    /// Float of the last round and of the one before: 1 down, -1 up.
    floats: [i32; 2],
    may_bye: bool,
    unplayed: i32,
    topscorer: bool,
}

impl Person {
    fn wants(&self) -> Option<Colour> {
        let last = *self.colours.last()?;
        Some(match self.difference {
            2.. => Colour::Black,
            ..=-2 => Colour::White,
            _ if self.repeats() => last.other(),
            1 => Colour::Black,
            -1 => Colour::White,
            _ => last.other(),
        })
    }

    fn repeats(&self) -> bool {
        matches!(self.colours[..], [.., before, last] if before == last)
    }

    fn is_absolute(&self) -> bool {
        self.difference.abs() > 1 || self.repeats()
    }

    fn is_strong(&self) -> bool {
        self.is_absolute() || self.difference != 0
    }
}

/// A complete pairing: opponents by place, oneself for the bye.
type Pairing = Vec<usize>;

/// The field of a small tournament.
pub(crate) struct Field {
    people: Vec<Person>,
    meet: Vec<Vec<bool>>,
}

impl Field {
    pub(crate) fn new(tournament: &Tournament) -> Field {
        let round = tournament.next_round();
        let paired = usize::from(tournament.rounds_paired());
        let is_last = tournament.total_rounds == Some(round.0);
        let present = |player: &&Player| tournament.announced_bye(player.number, round).is_none();
        let mut everybody: Vec<&Player> = tournament.players.iter().collect();
        everybody.sort_by_key(|player| player.number);
        let score_before = |number: PairingNumber, rounds: usize| {
            let player = everybody.iter().find(|player| player.number == number).unwrap();
            let points = tournament.score_after(player, u16::try_from(rounds).unwrap());
            let extra =
                tournament.fictitious_points(number, pairing::RoundNumber::from_index(rounds));
            (points + extra).tenths()
        };
        let scoring = &tournament.scoring;
        let float = |player: &Player, back: usize| {
            let Some(index) = paired.checked_sub(back) else { return 0 };
            let entry = &player.rounds[index];
            match entry {
                Entry::Game { opponent, .. } => {
                    (score_before(player.number, index) - score_before(*opponent, index)).signum()
                }
                Entry::Bye(Bye::PairingAllocated) => 1,
                entry => i32::from(scoring.points(entry) > scoring.loss),
            }
        };
        let mut people: Vec<Person> = everybody
            .iter()
            .copied()
            .filter(present)
            .map(|player| {
                let colours: Vec<Colour> =
                    player.rounds.iter().filter_map(Entry::colour_played).collect();
                let score = score_before(player.number, paired);
                let gift =
                    |entry: &Entry| !entry.is_played() && scoring.points(entry) >= scoring.win;
                let had_bye = player
                    .rounds
                    .iter()
                    .any(|entry| *entry == Entry::Bye(Bye::PairingAllocated) || gift(entry));
                Person {
                    number: player.number,
                    place: 0,
                    score,
                    difference: colours
                        .iter()
                        .map(|colour| if *colour == Colour::White { 1 } else { -1 })
                        .sum(),
                    unplayed: i32::try_from(paired - colours.len()).unwrap(),
                    colours,
                    floats: [float(player, 1), float(player, 2)],
                    may_bye: !had_bye,
                    topscorer: is_last
                        && 2 * score > scoring.win.tenths() * i32::try_from(paired).unwrap(),
                }
            })
            .collect();
        people.sort_by_key(|person| (Reverse(person.score), person.number));
        for (place, person) in people.iter_mut().enumerate() {
            person.place = place;
        }
        let meet = people
            .iter()
            .map(|one| people.iter().map(|other| may_meet(tournament, one, other)).collect());
        Field { meet: meet.collect(), people }
    }

    fn pairings(&self) -> Vec<Pairing> {
        let mut found = Vec::new();
        self.extend(&mut vec![usize::MAX; self.people.len()], &mut found);
        found
    }

    fn extend(&self, pairing: &mut Pairing, found: &mut Vec<Pairing>) {
        let Some(one) = pairing.iter().position(|&mate| mate == usize::MAX) else {
            found.push(pairing.clone());
            return;
        };
        let odd = self.people.len() % 2 == 1;
        let bye_given = pairing.iter().enumerate().any(|(place, &mate)| place == mate);
        for other in one..self.people.len() {
            let possible = if other == one {
                odd && !bye_given && self.people[one].may_bye
            } else {
                self.meet[one][other]
            };
            if pairing[other] == usize::MAX && possible {
                pairing[one] = other;
                pairing[other] = one;
                self.extend(pairing, found);
                pairing[one] = usize::MAX;
                pairing[other] = usize::MAX;
            }
        }
    }

    /// The right pairing, opponents only; nothing if there is none.
    pub(crate) fn best(&self) -> Option<BTreeSet<(PairingNumber, PairingNumber)>> {
        let mut left = self.pairings();
        let bye_score = |pairing: &Pairing| {
            (0..pairing.len())
                .find(|&place| pairing[place] == place)
                .map(|place| self.people[place].score)
        };
        let lowest = left.iter().map(bye_score).min()?;
        left.retain(|pairing| bye_score(pairing) == lowest);
        let mut movers: Vec<usize> = Vec::new();
        let mut scores: Vec<i32> = self.people.iter().map(|person| person.score).collect();
        scores.dedup();
        for (index, &score) in scores.iter().enumerate() {
            let group = |score: i32| {
                (0..self.people.len()).filter(move |&place| self.people[place].score == score)
            };
            let residents: Vec<usize> = group(score).collect();
            let next: Vec<usize> =
                scores.get(index + 1).into_iter().flat_map(|&score| group(score)).collect();
            let best = left
                .iter()
                .min_by_key(|pairing| self.key(pairing, &movers, &residents, &next))?
                .clone();
            let inside: BTreeSet<(usize, usize)> =
                bracket_pairs(&best, &movers, &residents).into_iter().collect();
            left.retain(|pairing| {
                bracket_pairs(pairing, &movers, &residents).into_iter().collect::<BTreeSet<_>>()
                    == inside
            });
            let is_paired =
                |place: &usize| inside.iter().any(|pair| pair.0 == *place || pair.1 == *place);
            movers =
                movers.into_iter().chain(residents).filter(|place| !is_paired(place)).collect();
        }
        assert_eq!(left.len(), 1);
        Some(as_set(
            left[0]
                .iter()
                .enumerate()
                .map(|(one, &other)| (self.people[one].number, self.people[other].number)),
        ))
    }

    /// Everything the rules compare about a bracket, in their order; smaller is better.
    fn key(
        &self,
        pairing: &Pairing,
        movers: &[usize],
        residents: &[usize],
        next: &[usize],
    ) -> Vec<Vec<i32>> {
        let person = |place: usize| &self.people[place];
        let pairs = bracket_pairs(pairing, movers, residents);
        let is_paired =
            |place: &usize| pairs.iter().any(|pair| pair.0 == *place || pair.1 == *place);
        let members: Vec<usize> = movers.iter().chain(residents).copied().collect();
        let floaters: Vec<usize> =
            members.iter().copied().filter(|place| !is_paired(place)).collect();
        let sorted_scores = |places: &mut dyn Iterator<Item = usize>| {
            let mut scores: Vec<i32> = places.map(|place| person(place).score).collect();
            scores.sort_by_key(|score| Reverse(*score));
            scores
        };
        let count = |number: usize| vec![i32::try_from(number).unwrap()];
        let next_pairs = bracket_pairs(pairing, &floaters, next);
        let next_left: Vec<usize> = floaters
            .iter()
            .chain(next)
            .copied()
            .filter(|place| !next_pairs.iter().any(|pair| pair.0 == *place || pair.1 == *place))
            .collect();
        let mut key = vec![
            count(floaters.len()),
            sorted_scores(&mut floaters.iter().copied()),
            count(next_left.len()),
            sorted_scores(&mut next_left.iter().copied()),
        ];
        key.push(match floaters[..] {
            [single] if pairing[single] == single => vec![person(single).unplayed],
            _ => vec![0],
        });
        let clashes = |what: &dyn Fn(&Person, &Person) -> bool| {
            let clash = |pair: &&(usize, usize)| {
                let (one, other) = (person(pair.0), person(pair.1));
                one.wants().is_some() && one.wants() == other.wants() && what(one, other)
            };
            count(pairs.iter().filter(clash).count())
        };
        key.push(clashes(&|one, other| one.difference.abs() > 1 && other.difference.abs() > 1));
        key.push(clashes(&third_colour));
        key.push(clashes(&|_, _| true));
        key.push(clashes(&|one, other| {
            one.is_strong() && other.is_strong() && !(one.is_absolute() && other.is_absolute())
        }));
        let upset = |ago: usize| {
            pairs
                .iter()
                .filter(move |pair| movers.contains(&pair.0) && person(pair.1).floats[ago] == -1)
                .map(|pair| pair.0)
        };
        let again = |ago: usize, of: &[usize]| -> Vec<usize> {
            floaters
                .iter()
                .copied()
                .filter(|place| of.contains(place) && person(*place).floats[ago] == 1)
                .collect()
        };
        for ago in [0, 1] {
            key.push(count(again(ago, residents).len()));
            key.push(count(upset(ago).count()));
        }
        for ago in [0, 1] {
            key.push(sorted_scores(&mut again(ago, movers).into_iter()));
            key.push(sorted_scores(&mut upset(ago)));
        }
        key.extend(order_key(&pairs, movers, residents));
        key
    }
}

/// Two absolute preferences for the same colour: whether somebody gets a colour for the third time.
fn third_colour(one: &Person, other: &Person) -> bool {
    if !one.is_absolute() || !other.is_absolute() {
        return false;
    }
    match one.difference.abs() - other.difference.abs() {
        0 => one.repeats() && other.repeats() && one.colours.last() == other.colours.last(),
        1.. => other.repeats() && other.colours.last() != other.wants().as_ref(),
        _ => one.repeats() && one.colours.last() != one.wants().as_ref(),
    }
}

/// Articles 3 and 4: which of equally good candidates comes first.
fn order_key(pairs: &[(usize, usize)], movers: &[usize], residents: &[usize]) -> Vec<Vec<i32>> {
    let number = |place: usize| i32::try_from(place).unwrap();
    let of_movers: Vec<&(usize, usize)> =
        pairs.iter().filter(|pair| movers.contains(&pair.0)).collect();
    let others: Vec<&(usize, usize)> =
        pairs.iter().filter(|pair| !movers.contains(&pair.0)).collect();
    let remainder: Vec<usize> = residents
        .iter()
        .copied()
        .filter(|place| !of_movers.iter().any(|pair| pair.1 == *place))
        .collect();
    let half = &remainder[..others.len()];
    let uppers: Vec<usize> = others.iter().map(|pair| pair.0).collect();
    let mut leaving: Vec<i32> =
        half.iter().filter(|place| !uppers.contains(place)).map(|&place| -number(place)).collect();
    leaving.sort_unstable();
    let coming: Vec<i32> =
        uppers.iter().filter(|place| !half.contains(place)).map(|&place| number(place)).collect();
    vec![
        of_movers.iter().map(|pair| number(pair.0)).collect(),
        of_movers.iter().map(|pair| number(pair.1)).collect(),
        vec![i32::try_from(coming.len()).unwrap()],
        vec![coming.iter().sum::<i32>() + leaving.iter().sum::<i32>()],
        leaving,
        coming,
        others.iter().map(|pair| number(pair.1)).collect(),
    ]
}

/// The pairs of a pairing that lie in a bracket, in order, the higher-ranked first.
fn bracket_pairs(pairing: &Pairing, movers: &[usize], residents: &[usize]) -> Vec<(usize, usize)> {
    let members = movers.iter().chain(residents).copied();
    members
        .map(|place| (place, pairing[place]))
        .filter(|pair| pair.0 < pair.1 && residents.contains(&pair.1))
        .collect()
}

fn may_meet(tournament: &Tournament, one: &Person, other: &Person) -> bool {
    let round = tournament.next_round();
    let player = tournament.players.iter().find(|player| player.number == one.number).unwrap();
    let met = player.rounds.iter().any(|entry| entry.opponent_met() == Some(other.number));
    let both =
        |group: &[PairingNumber]| group.contains(&one.number) && group.contains(&other.number);
    let forbidden =
        tournament.forbidden.iter().any(|group| group.holds_in(round) && both(&group.players));
    let clash = one.is_absolute() && other.is_absolute() && one.wants() == other.wants();
    one.number != other.number && !met && !forbidden && (!clash || one.topscorer || other.topscorer)
}

fn as_set(
    pairs: impl Iterator<Item = (PairingNumber, PairingNumber)>,
) -> BTreeSet<(PairingNumber, PairingNumber)> {
    pairs.map(|(one, other)| (one.min(other), one.max(other))).collect()
}

/// The opponents of a round, the bye as a game against oneself.
pub(crate) fn opponents(round: &Round) -> BTreeSet<(PairingNumber, PairingNumber)> {
    as_set(
        round
            .pairs
            .iter()
            .map(|pair| (pair.white, pair.black))
            .chain(round.bye.map(|bye| (bye, bye))),
    )
}
