//! What a server did to its disk and told its clients, in order, read from the text that `strace -f -xx` writes.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;

/// One thing that the server did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Op {
    /// It wrote into a file. What was written is not yet on the disk.
    Write { file: String, offset: u64, data: Vec<u8> },
    /// It cut a file, or made it longer.
    Truncate { file: String, length: u64 },
    /// All that was done to a file before this place in the list is now on the disk.
    Synced { file: String, before: usize },
    /// It removed a file.
    Remove { file: String },
    /// It sent this to somebody: from here on it is acknowledged.
    Sent(Vec<u8>),
}

/// Reads a trace. Files are those of the database in `data`, by their names there.
pub(super) fn read(text: &str, data: &Path) -> anyhow::Result<Vec<Op>> {
    let mut reader = Reader { data, files: HashMap::new(), begun: HashMap::new(), ops: Vec::new() };
    for line in text.lines() {
        reader
            .line(line)
            .with_context(|| format!("a line of the trace makes no sense: {line:.200}"))?;
    }
    Ok(reader.ops)
}

struct Reader<'a> {
    data: &'a Path,
    /// The database's files that are open, and where the next plain write goes.
    files: HashMap<i64, (String, u64)>,
    /// Calls of each thread that have begun: their text so far, and how many ops there were.
    begun: HashMap<String, (String, usize)>,
    ops: Vec<Op>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Option<()> {
        let (thread, rest) = line.split_once(' ')?;
        let rest = rest.trim_start();
        if rest.starts_with("+++") || rest.starts_with("---") {
            return Some(());
        }
        if let Some(resumed) = rest.strip_prefix("<... ") {
            let (_, tail) = resumed.split_once(" resumed>")?;
            // A call that had begun before the trace did is none of ours.
            let Some((call, begun)) = self.begun.remove(thread) else { return Some(()) };
            return self.ended(&format!("{call}{tail}"), begun);
        }
        let begun = self.ops.len();
        if let Some(call) = rest.strip_suffix(" <unfinished ...>") {
            self.entered(call)?;
            self.begun.insert(thread.to_owned(), (call.to_owned(), begun));
            return Some(());
        }
        self.entered(rest)?;
        self.ended(rest, begun)
    }

    /// A call begins: what it writes may reach the disk, and what it sends may reach somebody, from now on.
    fn entered(&mut self, call: &str) -> Option<()> {
        let (name, arguments) = call.split_once('(')?;
        let descriptor = || arguments.split([',', ')', ' ']).next()?.parse::<i64>().ok();
        match name {
            "write" | "pwrite64" | "writev" | "sendto" | "sendmsg" => {
                let data = strings(arguments);
                match self.files.get_mut(&descriptor()?) {
                    None => self.ops.push(Op::Sent(data)),
                    Some((file, place)) => {
                        let offset = if name == "pwrite64" {
                            let end = arguments.rfind('"')?;
                            let numbers =
                                arguments[end + 1..].split([')', ' ']).collect::<Vec<_>>();
                            numbers
                                .iter()
                                .filter_map(|it| it.trim_end_matches(',').parse().ok())
                                .nth(1)?
                        } else {
                            std::mem::replace(place, *place + data.len() as u64)
                        };
                        self.ops.push(Op::Write { file: file.clone(), offset, data });
                    }
                }
            }
            "ftruncate" => {
                if let Some((file, _)) = self.files.get(&descriptor()?) {
                    let length =
                        arguments.split([',', ')', ' ']).filter(|it| !it.is_empty()).nth(1)?;
                    let (file, length) = (file.clone(), length.parse().ok()?);
                    self.ops.push(Op::Truncate { file, length });
                }
            }
            "unlink" | "unlinkat" => {
                if let Some(file) = self.name_of(arguments) {
                    self.ops.push(Op::Remove { file });
                }
            }
            _ => {}
        }
        Some(())
    }

    /// A call has ended: a file is open, or what was done before the call began is on the disk.
    fn ended(&mut self, call: &str, begun: usize) -> Option<()> {
        let (name, arguments) = call.split_once('(')?;
        let result = call.rsplit_once(" = ").and_then(|(_, result)| result.split(' ').next());
        let result: Option<i64> = result.and_then(|text| text.parse().ok());
        let descriptor = || arguments.split([',', ')', ' ']).next()?.parse::<i64>().ok();
        match name {
            "openat" => {
                if let (Some(opened @ 0..), Some(file)) = (result, self.name_of(arguments)) {
                    self.files.insert(opened, (file, 0));
                }
            }
            "close" => drop(self.files.remove(&descriptor()?)),
            "lseek" => {
                if let (Some(place), Some(result)) = (self.files.get_mut(&descriptor()?), result) {
                    place.1 = u64::try_from(result).ok()?;
                }
            }
            "fsync" | "fdatasync" if result == Some(0) => {
                if let Some((file, _)) = self.files.get(&descriptor()?) {
                    self.ops.push(Op::Synced { file: file.clone(), before: begun });
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The name of one of the database's files.
    fn name_of(&self, arguments: &str) -> Option<String> {
        let path = String::from_utf8(strings(arguments)).ok()?;
        let name = Path::new(&path).strip_prefix(self.data).ok()?.to_str()?.to_owned();
        is_kept(&name).then_some(name)
    }
}

/// Whether this is the name of one of the database's files; the index of its log is shared memory, not a file, and made
/// anew.
pub(super) fn is_kept(name: &str) -> bool {
    name.starts_with("rookery.db") && !name.ends_with("-shm")
}

/// All texts between quotation marks, one after the other; every byte is written `\xNN`.
fn strings(arguments: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(arguments.len() / 4);
    for text in arguments.split('"').skip(1).step_by(2) {
        let digits = text.split("\\x").skip(1);
        bytes.extend(digits.filter_map(|pair| u8::from_str_radix(pair, 16).ok()));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> String {
        text.bytes()
            .flat_map(|byte| format!("\\x{byte:02x}").into_bytes())
            .map(char::from)
            .collect()
    }

    #[test]
    fn calls_of_several_threads_are_put_in_order() {
        let (db, other, data) = (hex("/d/rookery.db-wal"), hex("/d/rookery.db-shm"), hex("ab"));
        let trace = format!(
            "7  openat(AT_FDCWD, \"{db}\", O_RDWR|O_CREAT, 0644) = 12\n\
             7  openat(AT_FDCWD, \"{other}\", O_RDWR|O_CREAT, 0644) = 13\n\
             7  pwrite64(12, \"{data}\", 2, 4096) = 2\n\
             7  fdatasync(12 <unfinished ...>\n\
             8  pwrite64(12, \"{data}\", 2, 0 <unfinished ...>\n\
             9  sendto(20, \"{data}\", 2, MSG_NOSIGNAL, NULL, 0) = 2\n\
             8  <... pwrite64 resumed>) = 2\n\
             7  <... fdatasync resumed>) = 0\n\
             7  lseek(12, 7, SEEK_SET) = 7\n\
             7  write(12, \"{data}\", 2) = 2\n\
             7  ftruncate(12, 3) = 0\n\
             7  writev(20, [{{iov_base=\"{data}\", iov_len=2}}, {{iov_base=\"{data}\", iov_len=2}}], 2) = 4\n\
             7  fsync(13) = 0\n\
             7  unlink(\"{db}\") = 0\n\
             7  +++ exited with 0 +++\n"
        );
        let file = || "rookery.db-wal".to_owned();
        let write = |offset| Op::Write { file: file(), offset, data: b"ab".to_vec() };
        let expected = [
            write(4096),
            write(0),
            Op::Sent(b"ab".to_vec()),
            Op::Synced { file: file(), before: 1 },
            write(7),
            Op::Truncate { file: file(), length: 3 },
            Op::Sent(b"abab".to_vec()),
            Op::Remove { file: file() },
        ];
        assert_eq!(read(&trace, Path::new("/d")).unwrap(), expected);
    }

    #[test]
    fn a_line_that_makes_no_sense_is_told() {
        assert!(read("nonsense", Path::new("/d")).is_err());
        assert!(read("7  pwrite64(x, \"\", 0, 0) = 0", Path::new("/d")).is_err());
    }
}
