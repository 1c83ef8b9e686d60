//! Which games of a segment a view shows, and what they add up to: worked out once, for all questions that follow.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::columns::Columns;
use crate::filter::View;
use crate::query::Dead;
use crate::tally::{Last, Tally};

/// How many games lie between two sums: as many as a word has bits.
const STEP: usize = 64;
/// What the remembered views of one segment may take: a view of a million games is about a megabyte, one of a small
/// club's games next to nothing, and so is one that shows none of the segment's games.
const MOST_BYTES: usize = 16 << 20;
/// And how many they may be: each question looks through them.
const MOST: usize = 512;

/// The games of a segment that a view shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// One bit for each game; no word at all if none is shown.
    words: Vec<u64>,
    /// What the shown games before every 64th add up to, and the last day of each 64.
    sums: Vec<Tally>,
    days: Vec<i32>,
}

impl Shown {
    pub(crate) fn of(columns: &Columns, dead: &Dead, view: &View) -> Shown {
        let mut shown = Shown::default();
        let mut sum = Tally::default();
        for begin in (0..columns.len()).step_by(STEP) {
            let end = columns.len().min(begin + STEP);
            let seen = (begin..end).filter(|game| view.shows(columns, *game));
            let word = seen.fold(0_u64, |word, game| word | 1 << (game - begin));
            let word = word & !dead.get(begin / STEP).copied().unwrap_or(0);
            shown.words.push(word);
            shown.sums.push(sum);
            sum.last = Last::default();
            bits(word).for_each(|bit| columns.count_into(begin + bit, &mut sum));
            shown.days.push(sum.last.0);
        }
        shown.sums.push(sum);
        if sum.games == 0 { Shown::default() } else { shown }
    }

    /// Roughly how much memory it takes.
    fn bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.sums) + size_of_val(&*self.days)
    }

    /// Whether no game is shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn has(&self, game: usize) -> bool {
        self.words.get(game / STEP).is_some_and(|word| word >> (game % STEP) & 1 == 1)
    }

    /// The shown games of a range, in their order.
    pub(crate) fn games(&self, begin: usize, end: usize) -> impl Iterator<Item = usize> {
        (begin / STEP..end.div_ceil(STEP)).flat_map(move |at| {
            let first = at * STEP;
            let mut word = self.words.get(at).copied().unwrap_or(0);
            if first < begin {
                word &= u64::MAX << (begin - first);
            }
            if first + STEP > end {
                word &= u64::MAX >> (first + STEP - end);
            }
            bits(word).map(move |bit| first + bit)
        })
    }

    /// What the shown games of a range add up to.
    pub(crate) fn sum(&self, columns: &Columns, begin: usize, end: usize) -> Tally {
        let mut tally = Tally::default();
        let (first, last) = (begin.div_ceil(STEP), end / STEP);
        if first >= last || self.is_empty() {
            self.games(begin, end).for_each(|game| columns.count_into(game, &mut tally));
            return tally;
        }
        tally = self.sums[last].since(&self.sums[first]);
        tally.last.0 = self.days[first..last].iter().copied().max().unwrap_or(i32::MIN);
        self.games(begin, first * STEP)
            .chain(self.games(last * STEP, end))
            .for_each(|game| columns.count_into(game, &mut tally));
        tally
    }
}

/// The places of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then_some(word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(lowest)
    })
}

/// The views of one segment that were asked for last. They go when one of its games does.
#[derive(Debug, Default)]
pub(crate) struct Views(Mutex<Vec<(View, Arc<Shown>)>>);

impl Views {
    pub(crate) fn shown(&self, columns: &Columns, dead: &Dead, view: &View) -> Arc<Shown> {
        if let Some(shown) = self.find(view) {
            return shown;
        }
        // Nobody who asks for another view has to wait for this.
        let shown = Arc::new(Shown::of(columns, dead, view));
        let mut views = self.lock();
        views.push((view.clone(), shown.clone()));
        let mut bytes: usize = views.iter().map(|(_, shown)| shown.bytes()).sum();
        // This one stays, however big it is.
        let mut over = 0;
        while over + 1 < views.len() && (views.len() - over > MOST || bytes > MOST_BYTES) {
            bytes -= views[over].1.bytes();
            over += 1;
        }
        views.drain(..over);
        shown
    }

    fn find(&self, view: &View) -> Option<Arc<Shown>> {
        let mut views = self.lock();
        let at = views.iter().position(|(known, _)| known == view)?;
        let shown = views[at].1.clone();
        // Whoever was asked for last goes last.
        views[at..].rotate_left(1);
        Some(shown)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(View, Arc<Shown>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use rules::pgn::Game;

    use super::*;
    use crate::growing::Record;

    /// Games of three owners in turn, with ratings and days that differ.
    fn columns(games: u16) -> Columns {
        let mut columns = Columns::default();
        for game in 0..games {
            let mut facts = Record::of(&Game::default()).facts;
            facts.owner = u64::from(game % 3);
            facts.elos = [1_000 + game, 2_000];
            facts.played = i32::from(game * 37 % 101);
            columns.push(&facts);
        }
        columns
    }

    #[test]
    fn every_range_adds_up_like_its_games_one_by_one() {
        let columns = columns(200);
        let mut dead = vec![0; 4];
        dead[1] |= 0b1011;
        dead[2] = u64::MAX;
        let mine = View::Of { owner: 1, accounts: Vec::new(), looker: Vec::new() };
        for view in [View::Everything, mine.clone()] {
            let shown = Shown::of(&columns, &dead, &view);
            for begin in 0..=200 {
                for end in begin..=200 {
                    let seen = |game: &usize| {
                        let is_dead = dead[game / 64] >> (game % 64) & 1 == 1;
                        !is_dead && view.shows(&columns, *game)
                    };
                    let games: Vec<usize> = (begin..end).filter(seen).collect();
                    let mut tally = Tally::default();
                    for game in &games {
                        columns.count_into(*game, &mut tally);
                    }
                    assert_eq!(shown.games(begin, end).collect::<Vec<_>>(), games);
                    assert_eq!(shown.sum(&columns, begin, end), tally, "{begin}..{end}");
                    assert!(games.iter().all(|game| shown.has(*game)));
                }
            }
        }
        let nobody = View::Of { owner: 9, accounts: Vec::new(), looker: Vec::new() };
        assert!(Shown::of(&columns, &dead, &nobody).is_empty());
        assert_eq!(Shown::of(&columns, &dead, &nobody).sum(&columns, 0, 200).games, 0);
    }

    #[test]
    fn no_more_views_are_remembered_than_there_is_room_for_and_the_last_ones_stay() {
        let (columns, views) = (columns(10), Views::default());
        let of = |owner| View::Of { owner, accounts: Vec::new(), looker: Vec::new() };
        for owner in 1..1_000 {
            views.shown(&columns, &Dead::new(), &of(owner));
            views.shown(&columns, &Dead::new(), &of(1));
        }
        assert_eq!(views.lock().len(), MOST);
        assert!(views.find(&of(1)).is_some() && views.find(&of(999)).is_some());
        assert!(views.find(&of(2)).is_none());
    }

    #[test]
    fn big_views_make_room_for_one_another() {
        let views = Views::default();
        let big = || Shown { words: vec![1; MOST_BYTES / 8 / 3], ..Shown::default() };
        let of = |owner| View::Of { owner, accounts: Vec::new(), looker: Vec::new() };
        for owner in 1..=3 {
            views.lock().push((of(owner), Arc::new(big())));
        }
        // One that shows nothing needs no room.
        views.shown(&columns(0), &Dead::new(), &of(4));
        assert_eq!(views.lock().len(), 4);
        views.lock().push((of(5), Arc::new(big())));
        views.shown(&columns(0), &Dead::new(), &of(6));
        let kept: Vec<View> = views.lock().iter().map(|(view, _)| view.clone()).collect();
        assert_eq!(kept, [2, 3, 4, 5, 6].map(of));
    }
}
