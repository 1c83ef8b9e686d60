//! Files of every form, whole and hostile.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;

use library::intake::{IntakeError, Progress, read_file, unpack_file};
use rules::pgn::Item;

use crate::corpus;

/// Reads a file and gives the number of its games.
fn count(bytes: Vec<u8>, most: u64) -> Result<usize, IntakeError> {
    let mut games = 0;
    let length = bytes.len() as u64;
    let progress = Progress::default();
    read_file(Cursor::new(bytes), most, &progress, &mut |item| {
        games += usize::from(matches!(item, Item::Game(_)));
        ControlFlow::Continue(())
    })?;
    assert!(progress.bytes() > 0 && progress.bytes() <= length + 64, "{}", progress.bytes());
    Ok(games)
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

#[test]
fn every_form_of_a_file_has_the_same_games() {
    let text = corpus::sample_text();
    let most = 10 << 20;
    assert_eq!(count(text.clone(), most).unwrap(), 301);
    assert_eq!(count(zstd::encode_all(&text[..], 3).unwrap(), most).unwrap(), 301);
    assert_eq!(count(gzipped(&text), most).unwrap(), 301);
    let two = zipped(&[("a.pgn", &text), ("notes.txt", b"1. e4 e5"), ("deep/B.PGN", &text)]);
    assert_eq!(count(two, most).unwrap(), 602);
    let utf16: Vec<u8> = [0xfeff_u16]
        .into_iter()
        .chain(String::from_utf8_lossy(&text).encode_utf16().collect::<Vec<_>>())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(count(utf16, most).unwrap(), 301);
    let mut twice = gzipped(&text);
    twice.extend(gzipped(&text));
    assert_eq!(count(twice, most).unwrap(), 602);
}

#[test]
fn every_form_of_a_file_unpacks_to_its_texts() {
    let text = b"1. e4 e5 *\n\n";
    let archive = zipped(&[("a.pgn", text), ("notes.txt", b"no games"), ("b.pgn", text)]);
    for (file, times) in [
        (text.to_vec(), 1),
        (zstd::encode_all(&text[..], 3).unwrap(), 1),
        (gzipped(text), 1),
        (archive, 2),
    ] {
        let mut out = Vec::new();
        unpack_file(Cursor::new(file), &mut out).unwrap();
        assert_eq!(out, text.repeat(times));
    }
}

#[test]
fn an_archive_that_grows_without_end_is_stopped() {
    let endless = vec![b' '; 50 << 20];
    let most = 1 << 20;
    let packed = [
        zstd::encode_all(&endless[..], 1).unwrap(),
        gzipped(&endless),
        zipped(&[("a.pgn", &endless)]),
    ];
    for file in packed {
        assert!(file.len() < 1 << 20);
        assert!(matches!(count(file, most), Err(IntakeError::TooBig { .. })));
    }
}

#[test]
fn a_damaged_archive_is_an_error_and_an_empty_file_is_not() {
    let text = corpus::sample_text();
    let packed =
        [zstd::encode_all(&text[..], 3).unwrap(), gzipped(&text), zipped(&[("a.pgn", &text)])];
    for mut file in packed {
        file.truncate(file.len() / 2);
        assert!(count(file, 10 << 20).is_err());
    }
    let mut games = 0;
    read_file(Cursor::new(Vec::new()), 1, &Progress::default(), &mut |_| {
        games += 1;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(games, 0);
}

/// Reads a file that ends too early: the games it gives, what else it tells, and the error.
fn salvage(bytes: Vec<u8>) -> (Vec<rules::pgn::Game>, Vec<String>, IntakeError) {
    let (mut games, mut told) = (Vec::new(), Vec::new());
    let error = read_file(Cursor::new(bytes), 10 << 20, &Progress::default(), &mut |item| {
        match item {
            Item::Game(read) => games.push(read.game),
            Item::Stray(problem) => told.push(problem.kind.to_string()),
        }
        ControlFlow::Continue(())
    })
    .unwrap_err();
    (games, told, error)
}

#[test]
fn of_a_file_that_is_cut_off_every_whole_game_is_kept_and_no_half_one() {
    let text = corpus::sample_text();
    let mut whole = Vec::new();
    read_file(Cursor::new(text.clone()), u64::MAX, &Progress::default(), &mut |item| {
        if let Item::Game(read) = item {
            whole.push(read.game);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let packed = [
        zstd::encode_all(&text[..], 3).unwrap(),
        gzipped(&text),
        zipped(&[("notes.txt", b"1. e4 e5"), ("a.pgn", &text)]),
    ];
    for file in packed {
        // The blocks of zstd are long: half of so small a file would have none whole.
        for part in [6, 7] {
            let mut cut = file.clone();
            cut.truncate(file.len() * part / 8);
            let (games, told, error) = salvage(cut);
            assert!(games.len() > 20 && games.len() < 301, "{} of 301 games", games.len());
            assert_eq!(games, whole[..games.len()], "only whole games, in their order");
            assert!(told.len() <= 1, "{told:?}");
            assert!(matches!(error, IntakeError::CutOff), "{error}");
        }
    }
}

#[test]
fn one_damaged_file_in_an_archive_does_not_keep_the_others_out() {
    let text = corpus::sample_text();
    let mut file = zipped(&[("a.pgn", &text), ("b.pgn", &text)]);
    let middle = file.len() / 4;
    file[middle..middle + 64].fill(0xff);
    let (games, _, error) = salvage(file);
    assert!(games.len() > 301, "{} games", games.len());
    assert!(error.to_string().contains("kept"), "{error}");
}

#[test]
fn whoever_has_enough_is_told_no_more() {
    let mut games = 0;
    let text = corpus::sample_text();
    read_file(Cursor::new(text), u64::MAX, &Progress::default(), &mut |_| {
        games += 1;
        if games == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(games, 10);
}

#[test]
fn an_archive_without_games_says_so() {
    let archive = zipped(&[("notes.txt", b"1. e4 e5 *"), ("games.pgn.bak", b"1. e4 e5 *")]);
    let error = count(archive, u64::MAX).unwrap_err();
    assert_eq!(error.to_string(), "the archive has no file that ends in .pgn");
}
