//! Who comes, who goes, who is free in which round.

use std::collections::BTreeSet;

use pairing::PairingNumber;
use rules::UnixMillis;
use store::{AccountId, EntryState, EventState};

use super::super::{
    ByeKind, Command, Details, Entrant, EntryNumber, Event, EventRound, Member, Person,
    RequestedBye, System, Withdrawal,
};
use super::stages::{parse_title, strength};
use super::{Deed, Refused};
use crate::accounts::fields::FieldProblem;
use crate::tournaments::event::regulations::{MOST_PLAYERS, MOST_ROUNDS};

/// The longest name of a player, and of what else is written about one.
const LONGEST_NAME: usize = 80;
/// People that are entered at once.
const MOST_AT_ONCE: usize = 1_000;

impl Event {
    pub(super) fn enter(&mut self, people: Vec<Person>, now: UnixMillis) -> Result<Deed, Refused> {
        let detail = match people.as_slice() {
            [one] => one.name.trim().to_owned(),
            many => format!("{} players", many.len()),
        };
        let players = self.enter_people(people, now)?;
        Ok(Deed::new("entered", detail).undone_by(Command::Remove { players }))
    }

    fn enter_people(
        &mut self,
        people: Vec<Person>,
        now: UnixMillis,
    ) -> Result<Vec<EntryNumber>, Refused> {
        if people.is_empty() || people.len() > MOST_AT_ONCE {
            let problem =
                FieldProblem::new("people", "out_of_range", "enter 1 to 1000 people at once");
            return Err(Refused::Fields(vec![problem]));
        }
        let mut entered = Vec::with_capacity(people.len());
        for person in people {
            self.check_room(true)?;
            let person = check_person(person)?;
            let is_same = |other: &Entrant| {
                other.account.is_none()
                    && other.name == person.name
                    && other.details.fide_id == person.details.fide_id
            };
            if self.players.iter().any(is_same) {
                return Err(Refused::Twice(person.name));
            }
            entered.push(self.add(None, person.name, person.details, now));
        }
        Ok(entered)
    }

    /// Members and others together. Who had withdrawn comes back.
    pub(super) fn enlist(
        &mut self,
        members: Vec<Member>,
        people: Vec<Person>,
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        if members.is_empty() {
            return self.enter(people, now);
        }
        let mut seen = BTreeSet::new();
        let is_in = |member: &&Member| {
            let plays = self.player_of(member.account).is_some_and(Entrant::plays);
            plays || !seen.insert(member.account)
        };
        let twice: Vec<&str> =
            members.iter().filter(is_in).map(|member| member.name.as_str()).collect();
        if !twice.is_empty() {
            return Err(Refused::Twice(twice.join(", ")));
        }
        let all = members.len() + people.len();
        if all > MOST_AT_ONCE {
            let problem =
                FieldProblem::new("members", "out_of_range", "enter 1 to 1000 people at once");
            return Err(Refused::Fields(vec![problem]));
        }
        let mut entered = Vec::with_capacity(all);
        let mut last = None;
        for Member { account, name, rating } in members {
            let known = self.player_of(account).map(|old| old.number);
            last = Some(if let Some(old) = known {
                self.come_back(old, true)?
            } else {
                let deed = self.join(account, name, rating, true, now)?;
                entered.extend(self.players.last().map(|player| player.number));
                deed
            });
        }
        if let Some(one) = last.filter(|_| all == 1) {
            return Ok(one);
        }
        if !people.is_empty() {
            entered.extend(self.enter_people(people, now)?);
        }
        let deed = Deed::new("entered", format!("{all} players"));
        // Who came back was here before: taking them out would be something else.
        let is_undone = entered.len() == all;
        Ok(if is_undone { deed.undone_by(Command::Remove { players: entered }) } else { deed })
    }

    pub(super) fn join(
        &mut self,
        account: AccountId,
        name: String,
        rating: Option<u16>,
        by_staff: bool,
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        self.check_room(by_staff)?;
        if self.player_of(account).is_some() {
            return Err(Refused::Twice(name));
        }
        let details = Details { rating, ..Details::default() };
        let number = self.add(Some(account), name.clone(), details, now);
        Ok(Deed::new("joined", name).undone_by(Command::Remove { players: vec![number] }))
    }

    /// Whether somebody may enter now. A director may at any stage before the last, but not into a bracket that is drawn.
    fn check_room(&self, by_staff: bool) -> Result<(), Refused> {
        let next = self.next_round();
        let entry = &self.regulations.entry;
        let is_open = match self.state {
            EventState::Draft => by_staff,
            EventState::Registration | EventState::CheckIn => true,
            EventState::Running => match self.regulations.system {
                System::Arena => true,
                System::Swiss => by_staff || next <= entry.late_until,
                // A table or a bracket is drawn with the first round.
                _ => by_staff && self.rounds.is_empty(),
            },
            EventState::Finished => false,
        };
        if !is_open || (!by_staff && entry.invite_only) {
            return Err(Refused::EntryClosed);
        }
        let most = entry.most_players.unwrap_or(MOST_PLAYERS);
        let playing = self.players.iter().filter(|player| player.plays()).count();
        if playing >= usize::from(most) { Err(Refused::Full(most)) } else { Ok(()) }
    }

    fn add(
        &mut self,
        account: Option<AccountId>,
        name: String,
        details: Details,
        now: UnixMillis,
    ) -> EntryNumber {
        let last = self.players.last().map_or(0, |last| last.number);
        let number = last.max(self.last_entry) + 1;
        self.last_entry = number;
        let late = self.state == EventState::Running;
        let seed = late.then(|| self.last_seed());
        let state = if late { EntryState::CheckedIn } else { EntryState::Entered };
        self.players.push(Entrant { number, account, name, seed, state, details, entered_at: now });
        self.number_anew();
        number
    }

    /// The pairing number behind everybody else's.
    fn last_seed(&self) -> PairingNumber {
        let last = self.players.iter().filter_map(|player| player.seed).max();
        PairingNumber(last.map_or(1, |last| last.0 + 1))
    }

    /// Pairing numbers by strength, with those who came late in their places (C.04.2: numbers are provisional until the
    /// list of participants is closed, and stay once round 4 is paired).
    ///
    /// Boards and byes name players by entry, so that nothing that was played changes. A table or a bracket is drawn
    /// by the numbers: there they stay from the first round on.
    pub(super) fn number_anew(&mut self) {
        let is_open = match self.regulations.system {
            System::Swiss => self.rounds.len() < 4,
            System::Arena => false,
            _ => self.rounds.is_empty(),
        };
        if self.state == EventState::Running && is_open {
            self.number_by_strength();
        }
    }

    /// Pairing numbers in the order that was drawn; who was not there then, by strength behind it.
    pub(in super::super) fn number_by_strength(&mut self) {
        let mut seeded: Vec<&mut Entrant> =
            self.players.iter_mut().filter(|player| player.seed.is_some()).collect();
        let place = |player: &Entrant| self.drawn.iter().position(|it| *it == player.number);
        seeded.sort_by_cached_key(|player| (place(player).unwrap_or(usize::MAX), strength(player)));
        for (player, seed) in seeded.into_iter().zip(1..) {
            player.seed = Some(PairingNumber(seed));
        }
    }

    /// Gives the numbers of a table or a bracket as they were drawn, or as the director wants them.
    pub(super) fn number(
        &mut self,
        order: Vec<EntryNumber>,
        by_lot: bool,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        if !self.decisions.is_empty() {
            return Err(Refused::DecidedSince);
        }
        let seeded: BTreeSet<EntryNumber> =
            self.seeded().into_iter().map(|player| player.number).collect();
        let named: BTreeSet<EntryNumber> = order.iter().copied().collect();
        let is_whole = order.is_empty() || (named == seeded && order.len() == seeded.len());
        if !self.is_bound() || !self.rounds.is_empty() || !is_whole {
            return Err(Refused::NoNumbers);
        }
        if order == self.drawn {
            return Err(Refused::NothingToDo);
        }
        let detail = match (by_lot, order.is_empty()) {
            (true, _) => "by lot",
            (false, true) => "by strength",
            (false, false) => "by hand",
        };
        let left = Command::Number { order: order.clone(), by_lot };
        let before = std::mem::replace(&mut self.drawn, order);
        self.number_by_strength();
        Ok(Deed::new("numbered", detail)
            .undone_by(left.put_back_to(Command::Number { order: before, by_lot: false })))
    }

    fn entrant(&mut self, number: EntryNumber) -> Result<&mut Entrant, Refused> {
        let found = self.players.iter_mut().find(|player| player.number == number);
        found.ok_or(Refused::UnknownPlayer(number))
    }

    fn has_a_seat(&self, number: EntryNumber) -> bool {
        let mut rounds = self.rounds.iter();
        rounds.any(|round| round.board_of(number).is_some() || round.bye_of(number).is_some())
    }

    /// How many rounds of a Swiss were paired before somebody came.
    pub fn missed_by(&self, player: EntryNumber) -> u16 {
        if self.regulations.system != System::Swiss {
            return 0;
        }
        let has_a_place =
            |round: &EventRound| round.board_of(player).is_some() || round.bye_of(player).is_some();
        let first = self.rounds.iter().find(|round| has_a_place(round));
        first.map_or_else(|| self.next_round(), |round| round.number) - 1
    }

    /// Whether the regulations let a player withdraw now without asking anybody.
    pub fn may_withdraw(&self, player: EntryNumber) -> Result<(), Refused> {
        let mut boards = self.rounds.iter().filter_map(|round| round.board_of(player));
        match self.regulations.entry.withdrawal {
            Withdrawal::AnyTime => Ok(()),
            Withdrawal::BetweenGames if boards.all(|board| board.result.is_some()) => Ok(()),
            Withdrawal::BetweenGames => Err(Refused::GameFirst),
            Withdrawal::ByDirector => Err(Refused::DirectorWithdraws),
        }
    }

    pub(super) fn edit(&mut self, player: EntryNumber, person: Person) -> Result<Deed, Refused> {
        self.in_state(&[
            EventState::Draft,
            EventState::Registration,
            EventState::CheckIn,
            EventState::Running,
        ])?;
        let entrant = self.entrant(player)?;
        let has_account = entrant.account.is_some();
        let name = if has_account { entrant.name.clone() } else { person.name };
        let person = check_person(Person { name, details: person.details })?;
        let byes = entrant.details.byes.clone();
        let before = Person {
            name: std::mem::replace(&mut entrant.name, person.name),
            details: std::mem::replace(&mut entrant.details, Details { byes, ..person.details }),
        };
        let (name, details) = (entrant.name.clone(), entrant.details.clone());
        self.number_anew();
        let left = Command::Edit { player, person: Person { name: name.clone(), details } };
        Ok(Deed::new("edited", name)
            .undone_by(left.put_back_to(Command::Edit { player, person: before })))
    }

    pub(super) fn remove(&mut self, players: &[EntryNumber]) -> Result<Deed, Refused> {
        let mut names = Vec::new();
        for &player in players {
            // Numbers of those who are gone are not given again, even where none were counted yet.
            self.last_entry = self.last_entry.max(player);
            let name = self.entrant(player)?.name.clone();
            let is_drawn = self.is_bound() && !self.rounds.is_empty();
            if self.has_a_seat(player) || is_drawn {
                return Err(Refused::HasPlayed(name));
            }
            self.players.retain(|other| other.number != player);
            self.barred.retain(|other| *other != player);
            self.absent.retain(|other| *other != player);
            self.drawn.retain(|other| *other != player);
            let forbidden = &mut self.regulations.forbidden;
            for group in forbidden.iter_mut() {
                group.retain(|other| *other != player);
            }
            forbidden.retain(|group| group.len() > 1);
            names.push(name);
        }
        if self.state == EventState::Running {
            self.close_gaps();
        }
        Ok(Deed::new("removed", names.join("; ")))
    }

    /// Whether the system rests on the number of players.
    fn is_bound(&self) -> bool {
        !matches!(self.regulations.system, System::Swiss | System::Arena)
    }

    /// Pairing numbers without gaps, in the same order. Only those who never had a seat move up.
    fn close_gaps(&mut self) {
        let mut seeded: Vec<&mut Entrant> =
            self.players.iter_mut().filter(|player| player.seed.is_some()).collect();
        seeded.sort_by_key(|player| player.seed);
        for (player, seed) in seeded.into_iter().zip(1..) {
            player.seed = Some(PairingNumber(seed));
        }
    }

    pub(super) fn check_in(&mut self, player: EntryNumber, present: bool) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Registration, EventState::CheckIn])?;
        let entrant = self.entrant(player)?;
        let state = if present { EntryState::CheckedIn } else { EntryState::Entered };
        if entrant.state == state || entrant.state == EntryState::Withdrawn {
            return Err(Refused::NothingToDo);
        }
        entrant.state = state;
        let act = if present { "checked_in" } else { "checked_out" };
        let undo = Command::CheckIn { player, present: !present };
        Ok(Deed::new(act, entrant.name.clone()).undone_by(undo))
    }

    pub(super) fn withdraw(
        &mut self,
        player: EntryNumber,
        by_staff: bool,
        absent: bool,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Registration, EventState::CheckIn, EventState::Running])?;
        let allowed = if by_staff || absent { Ok(()) } else { self.may_withdraw(player) };
        let played = u16::try_from(self.played_by(player).count()).unwrap_or(u16::MAX);
        let entrant = self.entrant(player)?;
        if !entrant.plays() {
            return Err(Refused::NothingToDo);
        }
        allowed?;
        entrant.state = EntryState::Withdrawn;
        let name = entrant.name.clone();
        if by_staff {
            self.barred.push(player);
        }
        if self.regulations.at_once {
            // The games that are open now are lost: they do not make it half of the games.
            self.left_after.push((player, played));
        }
        let undo = Command::Return { player, by_staff: true };
        Ok(Deed::new("withdrew", name).undone_by(undo))
    }

    pub(super) fn come_back(
        &mut self,
        player: EntryNumber,
        by_staff: bool,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Registration, EventState::CheckIn, EventState::Running])?;
        let running = self.state == EventState::Running;
        let is_drawn = self.is_bound() && !self.rounds.is_empty();
        let (last, is_barred) = (self.last_seed(), self.barred.contains(&player));
        let entrant = self.entrant(player)?;
        let (name, has_number) = (entrant.name.clone(), entrant.seed.is_some());
        if entrant.plays() {
            return Err(Refused::NothingToDo);
        }
        if !by_staff {
            if is_barred {
                return Err(Refused::Barred(name));
            }
            self.check_room(false)?;
        }
        if running && !has_number && is_drawn {
            return Err(Refused::EntryClosed);
        }
        if self.is_out_of_bracket(player) {
            return Err(Refused::IsOut(name));
        }
        let entrant = self.entrant(player)?;
        if running && !has_number {
            entrant.seed = Some(last);
        }
        entrant.state = if running { EntryState::CheckedIn } else { EntryState::Entered };
        self.barred.retain(|other| *other != player);
        self.absent.retain(|other| *other != player);
        self.left_after.retain(|(other, _)| *other != player);
        if !has_number {
            self.number_anew();
        }
        let undo = Command::Withdraw { player, by_staff: is_barred, absent: false };
        Ok(Deed::new("returned", name).undone_by(undo))
    }

    pub(super) fn set_bye(
        &mut self,
        player: EntryNumber,
        round: u16,
        bye: Option<ByeKind>,
    ) -> Result<Deed, Refused> {
        self.in_state(&[
            EventState::Draft,
            EventState::Registration,
            EventState::CheckIn,
            EventState::Running,
        ])?;
        if self.regulations.system != System::Swiss || bye == Some(ByeKind::Pairing) {
            return Err(Refused::NoByes);
        }
        if round < self.next_round() && !(1..=self.missed_by(player)).contains(&round) {
            return Err(Refused::RoundPaired(round));
        }
        if round > MOST_ROUNDS {
            return Err(Refused::UnknownBoard);
        }
        let entrant = self.entrant(player)?;
        let before = entrant.bye_in(round);
        if before == bye {
            return Err(Refused::NothingToDo);
        }
        let byes = &mut entrant.details.byes;
        byes.retain(|other| other.round != round);
        byes.extend(bye.map(|bye| RequestedBye { round, bye }));
        byes.sort_by_key(|bye| bye.round);
        let word = bye.map_or("none", ByeKind::as_str);
        let detail = format!("{}, round {round}: {word}", entrant.name);
        let left = Command::SetBye { player, round, bye };
        Ok(Deed::new("bye_set", detail).undone_by(left.put_back_to(Command::SetBye {
            player,
            round,
            bye: before,
        })))
    }
}

/// A person whose every field fits.
fn check_person(mut person: Person) -> Result<Person, Refused> {
    let name = person.name.trim().to_owned();
    person.name = name;
    let is_name =
        |text: &str| text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control);
    if person.name.is_empty() || !is_name(&person.name) {
        return Err(Refused::BadName);
    }
    let details = &mut person.details;
    details.title =
        details.title.take().filter(|title| !title.is_empty()).map(|title| title.to_uppercase());
    details.federation = details.federation.trim().to_uppercase();
    details.fide_id = details.fide_id.trim().to_owned();
    details.club = details.club.trim().to_owned();
    details.sex = details.sex.take().filter(|sex| !sex.is_empty());
    details
        .byes
        .retain(|bye| bye.bye != ByeKind::Pairing && (1..=MOST_ROUNDS).contains(&bye.round));
    let mut problems = Vec::new();
    let mut need = |holds: bool, field: &str, detail: &str| {
        if !holds {
            problems.push(FieldProblem::new(
                field,
                "bad_value",
                format!("{}: {detail}", person.name),
            ));
        }
    };
    need(details.rating.is_none_or(|rating| rating <= 4_000), "rating", "a rating is at most 4000");
    let title = details.title.as_deref().is_none_or(|title| parse_title(title).is_some());
    need(title, "title", "titles are GM, IM, WGM, FM, WIM, CM, WFM and WCM");
    let federation = details.federation.len() <= 3
        && details.federation.chars().all(|c| c.is_ascii_alphabetic());
    need(federation, "federation", "a federation is written with three letters");
    let fide_id =
        details.fide_id.len() <= 11 && details.fide_id.chars().all(|c| c.is_ascii_digit());
    need(fide_id, "fide_id", "a FIDE number has at most 11 digits");
    let born = details.birth_year.is_none_or(|year| (1900..=2100).contains(&year));
    need(born, "birth_year", "a year of birth has four digits");
    need(is_name(&details.club), "club", "a club has a name of at most 80 characters");
    let sex = details.sex.as_deref().is_none_or(|sex| sex == "m" || sex == "w");
    need(sex, "sex", "write m or w");
    if problems.is_empty() { Ok(person) } else { Err(Refused::Fields(problems)) }
}
