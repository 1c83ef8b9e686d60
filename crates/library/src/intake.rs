//! Files in: plain, `.zst`, `.gz` or `.zip`, of any size, piece by piece.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use rules::pgn::{Follower, GameReader, Item, Keep, Limits, Problem, ProblemKind};

use crate::Trail;

/// Why a file is not read to its end. What came before stays.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The disk does not give the file.
    #[error("the file cannot be read: {0}")]
    Read(io::Error),
    /// It ends too early: the copy or the download was not finished.
    #[error("the file is cut off; the games before that place are kept. Try to get the whole file")]
    CutOff,
    /// What is packed in it makes no sense from some place on.
    #[error("the file is damaged ({0}); the games before that place are kept")]
    Damaged(String),
    /// The archive is damaged or of a kind we do not know.
    #[error("the archive cannot be read ({0}); what could be unpacked is kept")]
    Archive(#[from] zip::result::ZipError),
    /// An archive of something else.
    #[error("the archive has no file that ends in .pgn")]
    NoGames,
    /// Unpacked it is bigger than is allowed.
    #[error(
        "unpacked the file is bigger than {most} bytes, which is the most this club takes; the games before that place are kept"
    )]
    TooBig {
        /// What is allowed.
        most: u64,
    },
}

impl From<io::Error> for IntakeError {
    fn from(error: io::Error) -> IntakeError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => IntakeError::CutOff,
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                IntakeError::Damaged(error.to_string())
            }
            _ => IntakeError::Read(error),
        }
    }
}

/// How far a file is read: bytes as they lie on the disk.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A file that counts what is read of it.
struct Counted<R> {
    inner: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(piece)?;
        self.progress.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let at = self.inner.seek(to)?;
        self.progress.0.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

const PIECE: usize = 64 << 10;
/// A frame that asks for a longer memory than this is refused.
const ZSTD_WINDOW: u32 = 27;

/// Reads a file of any of the forms and hands over what is in it, until it ends or the taker has enough.
///
/// `most` bounds the bytes after unpacking, so that a small archive cannot become an endless file. A file that is cut
/// off or damaged gives every game before that place, and then the error.
pub fn read_file(
    file: impl Read + Seek,
    most: u64,
    progress: &Progress,
    take: &mut dyn FnMut(Item) -> ControlFlow<()>,
) -> Result<(), IntakeError> {
    read_followed(file, most, progress, &mut |item, (): &()| take(item))
}

/// The same with the trail of every game, noted while it is read: what an import is made of.
///
/// Of a file and nothing else, so that nothing of it is made anew where it is used: the scanner, the board and the
/// trail are built as this crate is, which is fast, and not as the server, which is small.
#[inline(never)]
pub fn read_trails(
    file: File,
    most: u64,
    progress: &Progress,
    take: &mut dyn FnMut(Item, &Trail) -> ControlFlow<()>,
) -> Result<(), IntakeError> {
    read_followed(file, most, progress, take)
}

/// Reads with somebody who goes along every game, and is handed over with it.
fn read_followed<F: Follower + Default>(
    file: impl Read + Seek,
    most: u64,
    progress: &Progress,
    take: &mut dyn FnMut(Item, &F) -> ControlFlow<()>,
) -> Result<(), IntakeError> {
    let mut left = most;
    let counted = Counted { inner: file, progress: progress.clone() };
    open_file(counted, &mut |plain: &mut dyn Read| match read_plain(plain, &mut left, take) {
        Ok(flow) => Ok(flow.is_continue()),
        Err(Broken::TooBig) => Err(IntakeError::TooBig { most }),
        Err(Broken::Unreadable(error)) => Err(error.into()),
    })
}

/// Writes what is packed in a file of any of the forms, as one text.
pub fn unpack_file(file: impl Read + Seek, out: &mut impl Write) -> Result<(), IntakeError> {
    open_file(file, &mut |plain: &mut dyn Read| {
        io::copy(plain, out)?;
        Ok(true)
    })
}

/// Hands over every text in a file, as long as more is wanted.
fn open_file(
    mut file: impl Read + Seek,
    read: &mut impl FnMut(&mut dyn Read) -> Result<bool, IntakeError>,
) -> Result<(), IntakeError> {
    let mut head = [0; 4];
    let length = read_head(&mut file, &mut head)?;
    file.rewind()?;
    match &head[..length] {
        [0x28, 0xb5, 0x2f, 0xfd] => {
            let mut decoder = zstd::Decoder::new(file)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            read(&mut decoder)?;
        }
        [0x1f, 0x8b, ..] => {
            let buffered = BufReader::with_capacity(PIECE, file);
            read(&mut MultiGzDecoder::new(buffered))?;
        }
        [b'P', b'K', 3 | 5, 4 | 6] => {
            read_archive(BufReader::with_capacity(PIECE, file), read)?;
        }
        _ => {
            read(&mut file)?;
        }
    }
    Ok(())
}

/// Reads every file of games in an archive. One that is damaged does not keep the others out.
fn read_archive(
    mut file: impl Read + Seek,
    read: &mut impl FnMut(&mut dyn Read) -> Result<bool, IntakeError>,
) -> Result<(), IntakeError> {
    let mut archive = match zip::ZipArchive::new(&mut file) {
        Ok(archive) => archive,
        // The list of what is in an archive stands at its end: without it the files are still there one by one.
        Err(error) => {
            file.rewind()?;
            read_listless(&mut file, read)?;
            return Err(error.into());
        }
    };
    if !archive.file_names().any(is_game_file) {
        return Err(IntakeError::NoGames);
    }
    let mut first_error = None;
    for entry in 0..archive.len() {
        let done = match archive.by_index(entry) {
            Ok(entry) if !is_game_file(entry.name()) => Ok(true),
            Ok(mut entry) => read(&mut entry),
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error @ IntakeError::TooBig { .. }) => return Err(error),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    first_error.map_or(Ok(()), Err)
}

/// Reads the files of an archive that has lost its end, as far as there are any.
fn read_listless(
    file: &mut impl Read,
    read: &mut impl FnMut(&mut dyn Read) -> Result<bool, IntakeError>,
) -> Result<(), IntakeError> {
    while let Ok(Some(mut entry)) = zip::read::read_zipfile_from_stream(file) {
        if is_game_file(entry.name()) && !read(&mut entry)? {
            break;
        }
    }
    Ok(())
}

fn is_game_file(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".pgn")
}

/// Why games are not read to the end.
enum Broken {
    TooBig,
    Unreadable(io::Error),
}

fn read_head(file: &mut impl Read, head: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < head.len() {
        match file.read(&mut head[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

/// Reads games to the end, or to where it cannot be read any further; what is whole until there is handed over.
fn read_plain<F: Follower + Default>(
    plain: &mut dyn Read,
    left: &mut u64,
    take: &mut dyn FnMut(Item, &F) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Broken> {
    let mut flow = ControlFlow::Continue(());
    let mut sink = |item, follower: &F| {
        if flow.is_continue() {
            flow = take(item, follower);
        }
        flow
    };
    let mut reader = GameReader::followed(Limits::default(), Keep::Everything, F::default());
    let mut piece = vec![0; PIECE];
    let mut broken = None;
    loop {
        let read = match plain.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                broken = Some(Broken::Unreadable(error));
                break;
            }
        };
        let Some(rest) = left.checked_sub(read as u64) else {
            broken = Some(Broken::TooBig);
            break;
        };
        *left = rest;
        let mut is_enough = false;
        reader.feed_followed(&piece[..read], &mut |item, follower| {
            is_enough |= sink(item, follower).is_break();
        });
        if is_enough {
            return Ok(ControlFlow::Break(()));
        }
    }
    let is_broken = broken.is_some();
    reader.finish_followed(&mut |item, follower| {
        let _ = sink(if is_broken { without_half(item) } else { item }, follower);
    });
    broken.map_or(Ok(flow), Err)
}

/// Where the file breaks off, a game without its result is half a game: it is told of and left out.
fn without_half(item: Item) -> Item {
    let Item::Game(read) = &item else { return item };
    let missing = read.problems.iter().find(|problem| problem.kind == ProblemKind::MissingResult);
    match missing {
        Some(problem) => Item::Stray(Problem { place: problem.place, kind: ProblemKind::CutOff }),
        None => item,
    }
}
