//! Games by their facts: filters, views, pages, deletions.

use std::collections::HashSet;

use library::filter::Score;
use library::{Filter, Found, Index, Record, Side, Source, Speed, Subject, TagNumber, View};
use rules::pgn::GameResult;
use rules::shakmaty::Chess;

use crate::corpus;

/// The sample in a segment, half of it with ratings of one owner, and the odd games in memory.
fn index(folder: &tempfile::TempDir) -> (Index, Vec<Record>) {
    let mut records = corpus::records(&corpus::games(&corpus::sample_text()));
    for (number, record) in (0_u32..).zip(&mut records) {
        match number % 3 {
            0 => record.facts.owner = 7,
            1 => record.facts.accounts = [number % 5 + 1, 99],
            _ => record.facts.source = Source::Here,
        }
    }
    let index = Index::open(folder.path()).unwrap();
    index.add(records.iter().take(200).cloned());
    index.flush().unwrap();
    index.add(records.iter().skip(200).cloned());
    (index, records)
}

fn check(filter: &Filter, view: &View, wanted: impl Fn(&Record) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let (index, records) = index(&folder);
    let mut expected: Vec<Found> = records
        .iter()
        .filter(|record| wanted(record))
        .map(|record| Found { played: record.facts.played, seq: record.facts.seq })
        .collect();
    expected.sort_unstable();
    expected.reverse();
    assert!(!expected.is_empty(), "a test of nothing");
    let mut found = Vec::new();
    loop {
        let page = index.list(None, view, filter, found.last().copied(), 17).unwrap();
        assert_eq!(page.total, expected.len() as u64);
        if page.games.is_empty() {
            break;
        }
        found.extend(page.games);
    }
    assert_eq!(found, expected);
    let all = index.explore(&Chess::default(), view, filter).unwrap().total.games;
    assert_eq!(u64::from(all), expected.len() as u64);
}

#[test]
fn each_filter_finds_what_it_says() {
    let everything = &View::Everything;
    check(&Filter::default(), everything, |_| true);
    let white_wins = Filter { result: Some(GameResult::WhiteWins), ..Filter::default() };
    check(&white_wins, everything, |record| record.facts.result == GameResult::WhiteWins);
    let strong = Filter { elo: Some(2_500..=2_700), ..Filter::default() };
    check(&strong, everything, |record| {
        record.facts.elos.iter().all(|elo| (2_500..=2_700).contains(elo))
    });
    let nineties = 10_957 * 1_440;
    let old = Filter { played: Some(i32::MIN + 1..=nineties), ..Filter::default() };
    check(&old, everything, |record| (i32::MIN + 1..=nineties).contains(&record.facts.played));
    let short = Filter { plies: Some(0..=40), ..Filter::default() };
    check(&short, everything, |record| record.facts.plies <= 40);
    let here = Filter { source: Some(Source::Here), ..Filter::default() };
    check(&here, everything, |record| record.facts.source == Source::Here);
    let sicilian = Filter { opening: Some("sicilian".to_owned()), ..Filter::default() };
    check(&sicilian, everything, |record| opening(record).1.contains("Sicilian"));
    let b = Filter { opening: Some("B9".to_owned()), ..Filter::default() };
    check(&b, everything, |record| opening(record).0.starts_with("B9"));
}

#[test]
fn any_tag_is_found_in_segments_and_in_memory_and_stays_through_merges() {
    let games = corpus::games(&corpus::sample_text());
    let event = games[0].tags.get("Event").unwrap().to_owned();
    let has = |record: &Record, tag: TagNumber| record.tags.contains(&tag);
    let number = TagNumber::of("EVENT", &event.to_lowercase());
    let by_event = Filter { tags: vec![number], ..Filter::default() };
    check(&by_event, &View::Everything, |record| has(record, number));
    let white = TagNumber::of("White", games[0].tags.get("White").unwrap());
    let both = Filter { tags: vec![number, white], ..Filter::default() };
    check(&both, &View::Everything, |record| has(record, number) && has(record, white));
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let records = corpus::records(&games);
    // Eight segments of like size become one.
    for part in records.chunks(records.len().div_ceil(8)) {
        index.add(part.iter().cloned());
        index.flush().unwrap();
    }
    assert_eq!(index.counts().segments, 1);
    let found = index.list(None, &View::Everything, &by_event, None, 1).unwrap().total;
    assert_eq!(found, records.iter().filter(|record| has(record, number)).count() as u64);
}

fn opening(record: &Record) -> (&'static str, &'static str) {
    record.facts.opening.and_then(rules::opening::by_number).unwrap_or_default()
}

#[test]
fn people_are_found_by_side_and_score() {
    let name = corpus::records(&corpus::games(&corpus::sample_text()))[0].facts.names[0].clone();
    let is = |record: &Record, side: usize| record.facts.names[side] == name;
    let player = Filter { player: Some(name.to_uppercase()), ..Filter::default() };
    check(&player, &View::Everything, |record| is(record, 0) || is(record, 1));
    let white = Filter { side: Some(Side::White), ..player.clone() };
    check(&white, &View::Everything, |record| is(record, 0));
    let opponent = Filter { opponent: Some(name.clone()), ..Filter::default() };
    check(&opponent, &View::Everything, |record| is(record, 0) || is(record, 1));
    let draws = Filter { score: Some(Score::Draw), ..Filter::default() };
    check(&draws, &View::Everything, |record| record.facts.result == GameResult::Draw);
}

#[test]
fn without_a_name_side_and_score_are_those_of_whose_games_are_asked_for() {
    let name = corpus::records(&corpus::games(&corpus::sample_text()))[0].facts.names[0].clone();
    let subject = Subject::new(vec![2], &name.to_uppercase());
    let is = |record: &Record, side: usize| match record.facts.accounts[side] {
        0 => record.facts.names[side] == name,
        account => account == 2,
    };
    let all = Filter { subject: Some(subject), ..Filter::default() };
    check(&all, &View::Everything, |_| true);
    let white = Filter { side: Some(Side::White), ..all.clone() };
    check(&white, &View::Everything, |record| is(record, 0));
    let wins = Filter { score: Some(Score::Win), ..all.clone() };
    check(&wins, &View::Everything, |record| {
        is(record, 0) && record.facts.result == GameResult::WhiteWins
            || is(record, 1) && record.facts.result == GameResult::BlackWins
    });
}

#[test]
fn a_view_shows_own_games_and_those_of_linked_accounts_and_no_others() {
    let mine = View::Of { owner: 7, accounts: vec![2], looker: vec![2] };
    check(&Filter::default(), &mine, |record| {
        record.facts.owner == 7 || record.facts.owner == 0 && record.facts.accounts.contains(&2)
    });
    check(&Filter::default(), &View::Club, |record| record.facts.source == Source::Here);
    let nobody = View::Of { owner: 0, accounts: Vec::new(), looker: Vec::new() };
    let folder = tempfile::tempdir().unwrap();
    let (index, _) = index(&folder);
    assert_eq!(index.list(None, &nobody, &Filter::default(), None, 10).unwrap().total, 0);
}

#[test]
fn a_private_game_is_shown_to_those_who_played_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let mut record = corpus::records(&corpus::games(corpus::ODD.as_bytes())).remove(0);
    record.facts.source = Source::Here;
    record.facts.accounts = [3, 4];
    record.facts.is_private = true;
    index.add([record]);
    let of = |accounts: u32, looker: u32| View::Of {
        owner: 0,
        accounts: vec![accounts],
        looker: vec![looker],
    };
    for (view, games) in
        [(View::Club, 0), (of(3, 3), 1), (of(3, 4), 1), (of(3, 5), 0), (of(5, 3), 0)]
    {
        assert_eq!(
            index.list(None, &view, &Filter::default(), None, 9).unwrap().total,
            games,
            "{view:?}"
        );
    }
    index.flush().unwrap();
    assert_eq!(index.list(None, &of(3, 5), &Filter::default(), None, 9).unwrap().total, 0);
}

#[test]
fn marks_on_letters_and_case_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    index.add(corpus::records(&corpus::games(corpus::ODD.as_bytes())));
    for (words, games) in
        [("muller", 1), ("Müller hans", 1), ("ŽIŽKA", 1), ("zizka muller", 0), ("again", 4)]
    {
        let filter = Filter { player: Some(words.to_owned()), ..Filter::default() };
        assert_eq!(
            index.list(None, &View::Everything, &filter, None, 9).unwrap().total,
            games,
            "{words}"
        );
    }
    let blitz = Filter { speed: Some(Speed::Blitz), ..Filter::default() };
    assert_eq!(index.list(None, &View::Everything, &blitz, None, 9).unwrap().total, 1);
}

#[test]
fn deleted_games_are_gone_and_stay_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (index, records) = index(&folder);
    let gone: HashSet<u64> =
        records.iter().map(|record| record.facts.seq).filter(|seq| seq % 2 == 0).collect();
    index.remove(&gone).unwrap();
    let left = |index: &Index| {
        let explored =
            index.explore(&Chess::default(), &View::Everything, &Filter::default()).unwrap();
        let page = index.list(None, &View::Everything, &Filter::default(), None, 400).unwrap();
        assert!(page.games.iter().all(|found| found.seq % 2 == 1));
        assert_eq!(u64::from(explored.total.games), page.total);
        assert_eq!(index.counts().games, page.total);
        page.total
    };
    assert_eq!(left(&index), 151);
    index.flush().unwrap();
    drop(index);
    let again = Index::open(folder.path()).unwrap();
    assert_eq!(left(&again), 151);
    for seq in 1_000..1_008 {
        let mut record = records[0].clone();
        record.facts.seq = seq * 2 + 1;
        again.add([record]);
        again.flush().unwrap();
    }
    assert_eq!(left(&again), 159);
}
