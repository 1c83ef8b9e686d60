//! Files in: plain, `.zst`, `.gz` or `.zip`, of any size, piece by piece.

use std::io::{self, BufReader, Read, Seek};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use rules::pgn::{GameReader, Item, Keep, Limits};

/// Why a file is not read to its end. What came before stays.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The file, or what is packed in it, cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The archive is damaged or of a kind we do not know.
    #[error("the archive cannot be read: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// Unpacked it is bigger than is allowed.
    #[error("unpacked the file is bigger than {most} bytes")]
    TooBig {
        /// What is allowed.
        most: u64,
    },
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
/// `most` bounds the bytes after unpacking, so that a small archive cannot become an endless file.
pub fn read_file(
    mut file: impl Read + Seek,
    most: u64,
    progress: &Progress,
    take: &mut impl FnMut(Item) -> ControlFlow<()>,
) -> Result<(), IntakeError> {
    let mut head = [0; 4];
    let length = read_head(&mut file, &mut head)?;
    file.rewind()?;
    let mut counted = Counted { inner: file, progress: progress.clone() };
    let mut left = most;
    // Whether there may be more to read.
    let mut read = |plain: &mut dyn Read| match read_plain(plain, &mut left, take)? {
        Some(flow) => Ok(flow.is_continue()),
        None => Err(IntakeError::TooBig { most }),
    };
    match &head[..length] {
        [0x28, 0xb5, 0x2f, 0xfd] => {
            let mut decoder = zstd::Decoder::new(counted)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            read(&mut decoder)?;
        }
        [0x1f, 0x8b, ..] => {
            let buffered = BufReader::with_capacity(PIECE, counted);
            read(&mut MultiGzDecoder::new(buffered))?;
        }
        [b'P', b'K', 3 | 5, 4 | 6] => {
            let mut archive = zip::ZipArchive::new(BufReader::with_capacity(PIECE, counted))?;
            for entry in 0..archive.len() {
                let mut entry = archive.by_index(entry)?;
                let is_game_file = entry.name().to_ascii_lowercase().ends_with(".pgn");
                if is_game_file && !read(&mut entry)? {
                    break;
                }
            }
        }
        _ => {
            read(&mut counted)?;
        }
    }
    Ok(())
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

/// Reads games to the end; none if there is more than is left to read.
fn read_plain(
    plain: &mut dyn Read,
    left: &mut u64,
    take: &mut impl FnMut(Item) -> ControlFlow<()>,
) -> io::Result<Option<ControlFlow<()>>> {
    let mut flow = ControlFlow::Continue(());
    let mut sink = |item| {
        if flow.is_continue() {
            flow = take(item);
        }
        flow
    };
    let mut reader = GameReader::new(Limits::default(), Keep::Everything);
    let mut piece = vec![0; PIECE];
    loop {
        let read = plain.read(&mut piece)?;
        if read == 0 {
            break;
        }
        match left.checked_sub(read as u64) {
            Some(rest) => *left = rest,
            None => return Ok(None),
        }
        let mut is_enough = false;
        reader.feed(&piece[..read], &mut |item| is_enough |= sink(item).is_break());
        if is_enough {
            return Ok(Some(ControlFlow::Break(())));
        }
    }
    reader.finish(&mut |item| {
        let _ = sink(item);
    });
    Ok(Some(flow))
}
