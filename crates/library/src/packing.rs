//! Numbers as bytes: the sections of a segment file.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::os::unix::fs::FileExt;

/// A number of fixed width, written with the smallest byte first.
pub(crate) trait Word: Copy {
    const SIZE: usize;
    fn put(self, out: &mut Vec<u8>);
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! word {
    ($($number:ty),*) => {$(
        impl Word for $number {
            const SIZE: usize = size_of::<$number>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, <$number>::from_le_bytes)
            }
        }
    )*};
}
word!(u8, u16, u32, u64, i32);

/// Where a section is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) stored: u64,
    /// The length before compression; the same as `stored` if it is not compressed.
    raw: u64,
}

const MAGIC: &[u8; 8] = b"rookery6";
/// No section of ours is longer: a damaged table must not ask for all memory.
const LONGEST: u64 = 1 << 34;

/// Writes sections one after the other and their table at the end.
pub(crate) struct SectionWriter<W> {
    out: W,
    at: u64,
    open: Option<u64>,
    table: Vec<Section>,
}

impl<W: Write> SectionWriter<W> {
    pub(crate) fn new(out: W) -> SectionWriter<W> {
        SectionWriter { out, at: 0, open: None, table: Vec::new() }
    }

    /// Adds to the section that grows, plain.
    pub(crate) fn stream(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.get_or_insert(self.at);
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Ends the section that grows.
    pub(crate) fn end(&mut self) {
        let offset = self.open.take().unwrap_or(self.at);
        let stored = self.at - offset;
        self.table.push(Section { offset, stored, raw: stored });
    }

    /// A section of numbers, compressed where that helps.
    pub(crate) fn numbers<T: Word>(&mut self, numbers: &[T]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(numbers.len() * T::SIZE);
        for number in numbers {
            number.put(&mut bytes);
        }
        self.bytes(&bytes)
    }

    /// A section of bytes, compressed where that helps.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let packed = zstd::bulk::compress(bytes, 1)?;
        let raw = bytes.len() as u64;
        let bytes = if packed.len() < bytes.len() { &packed } else { bytes };
        self.table.push(Section { offset: self.at, stored: bytes.len() as u64, raw });
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Writes the table and gives the file back.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        let mut table = Vec::new();
        for section in &self.table {
            for number in [section.offset, section.stored, section.raw] {
                number.put(&mut table);
            }
        }
        (self.table.len() as u64).put(&mut table);
        table.extend_from_slice(MAGIC);
        self.out.write_all(&table)?;
        Ok(self.out)
    }
}

/// Reads the sections of a file.
#[derive(Debug)]
pub(crate) struct Sections {
    pub(crate) file: File,
    table: Vec<Section>,
    next: usize,
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this is no segment of ours: {what}"))
}

impl Sections {
    pub(crate) fn open(file: File) -> io::Result<Sections> {
        let length = file.metadata()?.len();
        let end = length.checked_sub(16).ok_or_else(|| damaged("too short"))?;
        let mut tail = [0; 16];
        file.read_exact_at(&mut tail, end)?;
        let count = u64::get(&tail[..8]);
        let table_length = count.saturating_mul(24);
        if &tail[8..] != MAGIC || count > 100 || table_length > end {
            return Err(damaged("the end is wrong"));
        }
        let mut bytes = vec![0; usize::try_from(table_length).unwrap_or(0)];
        file.read_exact_at(&mut bytes, end - table_length)?;
        let table: Vec<Section> = bytes
            .chunks_exact(24)
            .map(|row| Section {
                offset: u64::get(&row[..8]),
                stored: u64::get(&row[8..16]),
                raw: u64::get(&row[16..]),
            })
            .collect();
        let fits = |section: &Section| {
            section.offset.checked_add(section.stored).is_some_and(|to| to <= end)
                && section.raw <= LONGEST
        };
        if table.iter().all(fits) {
            Ok(Sections { file, table, next: 0 })
        } else {
            Err(damaged("a section lies outside"))
        }
    }

    /// The next section without reading it.
    pub(crate) fn skip(&mut self) -> io::Result<Section> {
        let section = self.table.get(self.next).copied();
        self.next += 1;
        section.ok_or_else(|| damaged("a section is missing"))
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let section = self.skip()?;
        let mut bytes = vec![0; usize::try_from(section.stored).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, section.offset)?;
        if section.stored == section.raw {
            return Ok(bytes);
        }
        let length = usize::try_from(section.raw).map_err(io::Error::other)?;
        let mut plain = Vec::with_capacity(length);
        zstd::Decoder::new(&bytes[..])?.take(section.raw).read_to_end(&mut plain)?;
        if plain.len() == length { Ok(plain) } else { Err(damaged("a section is cut")) }
    }

    pub(crate) fn numbers<T: Word>(&mut self) -> io::Result<Vec<T>> {
        Ok(self.bytes()?.chunks_exact(T::SIZE).map(T::get).collect())
    }
}
