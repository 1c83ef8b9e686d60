//! What a disk may hold after its power was cut: all that was synced, and of the rest any part, torn and out of order.

use std::collections::{BTreeMap, HashMap};

use super::trace::Op;

/// Disks write whole sectors of this size, and nothing smaller.
const SECTOR: usize = 512;

/// The files of a disk by name.
pub(super) type Image = BTreeMap<String, Vec<u8>>;

/// Numbers that depend on a seed alone, so that an image can be made again.
pub(super) struct Lots(u64);

impl Lots {
    pub(super) fn new(seed: u64) -> Lots {
        Lots(seed)
    }

    /// A number below `bound`. (`SplitMix64`: any generator with equal chances would do.)
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound.max(1) as u64).unwrap_or(0)
    }
}

/// What became of the writes that nobody had synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// All of them are gone.
    Dropped,
    /// Some are there, in the order in which they were made.
    Some,
    /// Some are there in any order, and some of those in part.
    Torn,
}

impl Loss {
    pub(super) const ALL: [Loss; 3] = [Loss::Dropped, Loss::Some, Loss::Torn];
}

/// The disk that held `base`, after the first `cut` of these ops. The order of files being made and removed is kept, as file systems with
/// a journal do; what is in them is not.
pub(super) fn after_cut(
    base: &Image,
    ops: &[Op],
    cut: usize,
    loss: Loss,
    lots: &mut Lots,
) -> Image {
    let ops = &ops[..cut];
    let mut synced: HashMap<&str, usize> = HashMap::new();
    for op in ops {
        if let Op::Synced { file, before } = op {
            let place = synced.entry(file).or_default();
            *place = (*place).max(*before);
        }
    }
    let mut image = base.clone();
    let mut loose: Vec<&Op> = Vec::new();
    for (number, op) in ops.iter().enumerate() {
        match op {
            Op::Write { file, .. } | Op::Truncate { file, .. } => {
                if number < synced.get(file.as_str()).copied().unwrap_or(0) {
                    apply(&mut image, op, &[]);
                } else {
                    image.entry(file.clone()).or_default();
                    loose.push(op);
                }
            }
            Op::Remove { file } => {
                image.remove(file);
                loose.retain(|op| !concerns(op, file));
            }
            Op::Synced { .. } | Op::Sent(_) => {}
        }
    }
    if loss == Loss::Torn {
        for place in (1..loose.len()).rev() {
            loose.swap(place, lots.below(place + 1));
        }
    }
    for op in loose {
        if loss == Loss::Dropped || lots.below(2) == 0 {
            continue;
        }
        let is_torn = loss == Loss::Torn && lots.below(2) == 0;
        let missing = if is_torn { missing_sectors(op, lots) } else { Vec::new() };
        apply(&mut image, op, &missing);
    }
    image
}

fn concerns(op: &Op, name: &str) -> bool {
    matches!(op, Op::Write { file, .. } | Op::Truncate { file, .. } if file == name)
}

/// Sectors of a write that did not reach the disk.
fn missing_sectors(op: &Op, lots: &mut Lots) -> Vec<u64> {
    let Op::Write { offset, data, .. } = op else { return Vec::new() };
    let first = offset / SECTOR as u64;
    let last = (offset + data.len() as u64) / SECTOR as u64;
    (first..=last).filter(|_| lots.below(2) == 0).collect()
}

fn apply(image: &mut Image, op: &Op, missing: &[u64]) {
    match op {
        Op::Write { file, offset, data } => {
            let content = image.entry(file.clone()).or_default();
            let mut place = usize::try_from(*offset).expect("a file of a test fits into memory");
            let mut rest = &data[..];
            while !rest.is_empty() {
                let (part, others) = rest.split_at(rest.len().min(SECTOR - place % SECTOR));
                if !missing.contains(&((place / SECTOR) as u64)) {
                    content.resize(content.len().max(place + part.len()), 0);
                    content[place..place + part.len()].copy_from_slice(part);
                }
                (place, rest) = (place + part.len(), others);
            }
        }
        Op::Truncate { file, length } => {
            let length = usize::try_from(*length).expect("a file of a test fits into memory");
            image.entry(file.clone()).or_default().resize(length, 0);
        }
        Op::Synced { .. } | Op::Remove { .. } | Op::Sent(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_cut(ops: &[Op], cut: usize, loss: Loss, lots: &mut Lots) -> Image {
        super::after_cut(&Image::new(), ops, cut, loss, lots)
    }

    fn write(offset: u64, byte: u8, length: usize) -> Op {
        Op::Write { file: "f".to_owned(), offset, data: vec![byte; length] }
    }

    fn synced(before: usize) -> Op {
        Op::Synced { file: "f".to_owned(), before }
    }

    #[test]
    fn what_was_synced_is_in_every_image() {
        let ops = [
            write(0, 1, 1024),
            synced(1),
            write(0, 2, 1024),
            Op::Sent(vec![]),
            write(1024, 3, 512),
        ];
        for seed in 0..200 {
            for loss in Loss::ALL {
                let image = after_cut(&ops, 2, loss, &mut Lots::new(seed));
                assert_eq!(image["f"], [1; 1024]);
                let image = after_cut(&ops, 5, loss, &mut Lots::new(seed));
                assert!(image["f"].iter().take(1024).all(|byte| [1, 2].contains(byte)));
            }
        }
    }

    #[test]
    fn what_was_there_before_is_there_still() {
        let base = Image::from([("f".to_owned(), vec![7; 1536])]);
        let ops = [write(512, 1, 512), synced(1)];
        let image = super::after_cut(&base, &ops, 2, Loss::Dropped, &mut Lots::new(1));
        assert_eq!(image["f"], [[7; 512], [1; 512], [7; 512]].concat());
    }

    #[test]
    fn what_was_not_synced_may_be_there_whole_in_part_or_not_at_all() {
        let ops = [write(0, 1, 1024), synced(1), write(0, 2, 1024), write(0, 3, 1024)];
        let images = |loss| -> Vec<Vec<u8>> {
            (0..200)
                .map(|seed| after_cut(&ops, 4, loss, &mut Lots::new(seed))["f"].clone())
                .collect()
        };
        assert!(images(Loss::Dropped).iter().all(|file| *file == [1; 1024]));
        for byte in 1..=3 {
            assert!(images(Loss::Some).contains(&vec![byte; 1024]), "{byte}");
        }
        let torn = images(Loss::Torn);
        assert!(torn.iter().any(|file| file[..512] == [1; 512] && file[512..] == [3; 512]), "torn");
        assert!(torn.iter().any(|file| *file == [2; 1024]), "the later write came first, or not");
    }

    #[test]
    fn a_sync_that_began_before_a_write_does_not_cover_it() {
        let ops = [write(0, 1, 512), write(0, 2, 512), synced(1)];
        let image = after_cut(&ops, 3, Loss::Dropped, &mut Lots::new(1));
        assert_eq!(image["f"], [1; 512]);
    }

    #[test]
    fn a_removed_file_is_gone_with_all_that_was_written() {
        let ops = [write(0, 1, 512), Op::Remove { file: "f".to_owned() }];
        assert!(after_cut(&ops, 2, Loss::Some, &mut Lots::new(1)).is_empty());
    }
}
