//! One value for each game. What all games have alike is held once, and numbers that lie close together are held short:
//! a segment out of one file has one owner, one source, no accounts, and its numbers are neighbours.

use std::ops::Index;

/// Values in the order of the games.
#[derive(Debug, Clone)]
pub(crate) enum Column<T> {
    /// So many games have the same.
    Same(T, usize),
    Each(Vec<T>),
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column::Each(Vec::new())
    }
}

impl<T: Copy + PartialEq> Column<T> {
    pub(crate) fn push(&mut self, value: T) {
        match self {
            Column::Same(known, games) if *known == value => *games += 1,
            Column::Same(known, games) => {
                let mut each = vec![*known; *games];
                each.push(value);
                *self = Column::Each(each);
            }
            Column::Each(each) if each.is_empty() => *self = Column::Same(value, 1),
            Column::Each(each) => each.push(value),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Column::Same(_, games) => *games,
            Column::Each(each) => each.len(),
        }
    }

    /// The values one by one, as they are written.
    pub(crate) fn to_vec(&self) -> Vec<T> {
        match self {
            Column::Same(value, games) => vec![*value; *games],
            Column::Each(each) => each.clone(),
        }
    }
}

impl<T: Copy + PartialEq> From<Vec<T>> for Column<T> {
    fn from(each: Vec<T>) -> Column<T> {
        match each.first() {
            Some(first) if each.iter().all(|value| value == first) => {
                Column::Same(*first, each.len())
            }
            _ => Column::Each(each),
        }
    }
}

impl<T> Index<usize> for Column<T> {
    type Output = T;

    fn index(&self, game: usize) -> &T {
        match self {
            Column::Same(value, _) => value,
            Column::Each(each) => &each[game],
        }
    }
}

/// The numbers of games.
#[derive(Debug, Clone)]
pub(crate) enum Numbers {
    /// All of them lie this far behind the first.
    Near(u64, Vec<u32>),
    Far(Vec<u64>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Far(Vec::new())
    }
}

impl Numbers {
    pub(crate) fn push(&mut self, number: u64) {
        match self {
            Numbers::Far(numbers) => numbers.push(number),
            Numbers::Near(..) => {
                let mut numbers: Vec<u64> = self.iter().collect();
                numbers.push(number);
                *self = Numbers::Far(numbers);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::Near(_, steps) => steps.len(),
            Numbers::Far(numbers) => numbers.len(),
        }
    }

    pub(crate) fn get(&self, game: usize) -> u64 {
        match self {
            Numbers::Near(first, steps) => first + u64::from(steps[game]),
            Numbers::Far(numbers) => numbers[game],
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|game| self.get(game))
    }
}

impl From<Vec<u64>> for Numbers {
    fn from(numbers: Vec<u64>) -> Numbers {
        let first = numbers.iter().copied().min().unwrap_or(0);
        let steps: Result<Vec<u32>, _> =
            numbers.iter().map(|number| u32::try_from(number - first)).collect();
        steps.map_or(Numbers::Far(numbers), |steps| Numbers::Near(first, steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_what_was_put_in_however_it_is_held() {
        for values in [&[][..], &[7], &[7, 7, 7], &[7, 7, 8, 7], &[1, 2, 3]] {
            let mut column = Column::default();
            for value in values {
                column.push(*value);
            }
            let read = Column::from(values.to_vec());
            for column in [column, read] {
                assert_eq!((column.len(), column.to_vec()), (values.len(), values.to_vec()));
                assert!(values.iter().enumerate().all(|(game, value)| column[game] == *value));
            }
        }
        assert!(matches!(Column::from(vec![5; 9]), Column::Same(5, 9)));
    }

    #[test]
    fn numbers_are_what_they_were_however_far_apart() {
        let far = u64::from(u32::MAX) + 10;
        for numbers in [vec![], vec![9], vec![far + 3, far, far + 1], vec![3, far, 1, u64::MAX]] {
            let mut held = Numbers::from(numbers.clone());
            assert_eq!(held.iter().collect::<Vec<_>>(), numbers);
            held.push(4);
            assert_eq!(held.iter().collect::<Vec<_>>(), [numbers, vec![4]].concat());
        }
        assert!(matches!(Numbers::from(vec![far + 3, far]), Numbers::Near(..)));
    }
}
