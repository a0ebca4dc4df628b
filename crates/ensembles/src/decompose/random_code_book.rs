//! Random dense codes (Dietterich and Bakiri 1995; Allwein, Schapire and Singer 2000).

use super::code_book::{CodeBook, MOST_COLUMNS};
use imbcore_core::{Error, Result, SeedKey, random_below, shuffle, tags};
use std::collections::BTreeSet;

/// Number of code books that are drawn, and maximum number of attempts to draw a new column.
const DRAWS: usize = 100;

/// Maximum number of classes for which all possible columns are listed before a draw.
/// 12 classes have 2047 possible columns.
const LISTED: usize = 12;

/// Rule for the number of columns of a random code.
///
/// [`Self::Default`] and [`Self::Dense`] give at most the number of possible columns, which is 3 for three
/// classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeColumnCountRule {
    /// Twice the number of classes, as in Weka.
    Default,
    /// `10 log2 c` for `c` classes, rounded up, as in Allwein et al. 2000, section 6.
    Dense,
    /// A fixed number of columns.
    Columns(usize),
}

impl CodeColumnCountRule {
    #[allow(clippy::cast_sign_loss)] // Logarithms of counts are positive.
    fn n_columns(self, n_classes: usize) -> usize {
        let most = n_possible_columns(n_classes).min(MOST_COLUMNS);
        match self {
            Self::Columns(columns) => columns,
            Self::Default => (2 * n_classes).min(most),
            Self::Dense => ((10.0 * (n_classes as f64).log2()).ceil() as usize).min(most),
        }
    }
}

/// Number of different columns of a code book of `n_classes` classes.
///
/// Constant columns are not counted. A column and its complement count as one column.
fn n_possible_columns(n_classes: usize) -> usize {
    (1_usize << n_classes.saturating_sub(1).min(62)) - 1
}

/// Smallest number of columns for which `n_classes` different code words exist.
/// Each code word must contain both values, 0 and 1.
fn min_columns_for_distinct_words(n_classes: usize) -> usize {
    (n_classes + 2).next_power_of_two().ilog2() as usize
}

impl CodeBook {
    /// A code book of random bits, where 0 and 1 have equal probability.
    ///
    /// No column is constant, and no two columns are equal or complementary. All code words are different and
    /// contain both values. Code books are drawn 100 times, and those that violate these rules are discarded.
    /// The result is the code book with the largest minimum distance between two code words, the first on
    /// ties. For two classes there is only one code book, which is returned without a draw.
    ///
    /// # Errors
    /// [`Error::Data`] if no valid code book has this number of columns, or if all drawn code books are
    /// discarded.
    pub fn random(n_classes: usize, size: CodeColumnCountRule, key: SeedKey) -> Result<Self> {
        if n_classes <= 2 {
            return Self::exhaustive(n_classes);
        }
        let n_columns = size.n_columns(n_classes);
        let (least, most) =
            (min_columns_for_distinct_words(n_classes), n_possible_columns(n_classes).min(MOST_COLUMNS));
        if !(least..=most).contains(&n_columns) {
            return Err(Error::Data(format!(
                "a random code of {n_classes} classes has {least} to {most} columns, but code_size requests {n_columns}"
            )));
        }
        let mut best: Option<(usize, Self)> = None;
        for draw in 0..DRAWS {
            let Some(book) = draw_book(n_classes, n_columns, key.child(tags::code_book::BOOK, draw as u32))
            else {
                continue;
            };
            let least = best.as_ref().map(|(least, _)| *least);
            if let Some(distance) = min_code_distance_if_above(&book, least) {
                best = Some((distance, book));
            }
        }
        best.map(|(_, book)| book).ok_or_else(|| {
            Error::Data(format!(
                "no random code of {n_columns} columns that distinguishes {n_classes} classes was found in {DRAWS} draws; increase code_size"
            ))
        })
    }
}

/// Draws a code book; `None` if it violates the rules of [`CodeBook::random`].
fn draw_book(n_classes: usize, n_columns: usize, key: SeedKey) -> Option<CodeBook> {
    let mut rng = key.rng();
    let mut columns: Vec<Vec<i8>> = if n_classes <= LISTED {
        let mut numbers: Vec<u32> = (0..n_possible_columns(n_classes) as u32).collect();
        shuffle(&mut rng, &mut numbers);
        numbers.truncate(n_columns);
        // Each number encodes one column: class 0 has the value 1, and the other classes have the bits of the
        // number. Not all bits are 1, so the column is not constant.
        let bits = |number: u32| (0..n_classes).map(move |c| i8::from(c == 0 || number >> (c - 1) & 1 == 1));
        numbers.into_iter().map(|number| bits(number).collect()).collect()
    } else {
        let mut seen = BTreeSet::new();
        let fresh = |_| {
            (0..DRAWS).find_map(|_| {
                let mut column: Vec<i8> = (1..n_classes).map(|_| random_below(&mut rng, 2) as i8).collect();
                column.insert(0, 1);
                (column.contains(&0) && seen.insert(column.clone())).then_some(column)
            })
        };
        (0..n_columns).map(fresh).collect::<Option<Vec<_>>>()?
    };
    for column in &mut columns {
        let turn = random_below(&mut rng, 2) as i8;
        for bit in column {
            *bit ^= turn;
        }
    }
    let cells = (0..n_classes).flat_map(|class| columns.iter().map(move |column| column[class])).collect();
    let book = CodeBook::new(cells, n_classes).ok()?;
    let both = |class| book.row(class).contains(&0) && book.row(class).contains(&1);
    (0..n_classes).all(both).then_some(book)
}

/// Minimum Hamming distance between two code words, if it is above `least`; otherwise `None`.
///
/// Code words are compared 64 bits at a time. The comparison stops at the first pair whose distance is at
/// most `least`.
fn min_code_distance_if_above(book: &CodeBook, least: Option<usize>) -> Option<usize> {
    let n_words = book.n_columns().div_ceil(64);
    let pack = |bits: &[i8]| bits.iter().fold(0_u64, |word, &bit| word << 1 | u64::from(bit == 1));
    let words: Vec<u64> =
        (0..book.n_classes()).flat_map(|class| book.row(class).chunks(64).map(pack)).collect();
    let row = |class: usize| &words[class * n_words..(class + 1) * n_words];
    let mut smallest = usize::MAX;
    for (a, b) in super::code_book::class_pairs(book.n_classes()) {
        let bits = row(a).iter().zip(row(b)).map(|(x, y)| (x ^ y).count_ones() as usize);
        smallest = smallest.min(bits.sum());
        if least.is_some_and(|least| smallest <= least) {
            return None;
        }
    }
    Some(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_by_rule() {
        assert_eq!(
            [CodeColumnCountRule::Default.n_columns(3), CodeColumnCountRule::Default.n_columns(9)],
            [3, 18]
        );
        assert_eq!(
            [CodeColumnCountRule::Dense.n_columns(4), CodeColumnCountRule::Dense.n_columns(16)],
            [7, 40]
        );
        assert_eq!(
            [
                min_columns_for_distinct_words(3),
                min_columns_for_distinct_words(6),
                min_columns_for_distinct_words(7)
            ],
            [3, 3, 4]
        );
    }

    #[test]
    fn impossible_lengths_are_refused() {
        let message = |n_classes, size| {
            CodeBook::random(n_classes, CodeColumnCountRule::Columns(size), SeedKey::root(0))
                .unwrap_err()
                .to_string()
        };
        assert!(message(4, 8).contains("has 3 to 7 columns"));
        assert!(message(4, 2).contains("requests 2"));
        assert!(message(30, 5).contains("increase code_size"));
        assert_eq!(
            CodeBook::random(2, CodeColumnCountRule::Default, SeedKey::root(0)).unwrap().n_columns(),
            1
        );
    }

    #[test]
    fn a_whole_set_of_columns_can_be_drawn() {
        let book = CodeBook::random(5, CodeColumnCountRule::Columns(15), SeedKey::root(3)).unwrap();
        // The code has all 2^(c-1) - 1 = 15 columns of c = 5 classes. Any two classes differ in 2^(c-2) = 8
        // columns.
        assert_eq!(min_code_distance_if_above(&book, None), Some(8));
        assert_eq!(min_code_distance_if_above(&book, Some(7)), Some(8));
        assert_eq!(min_code_distance_if_above(&book, Some(8)), None);
    }

    #[test]
    fn packed_code_words_have_the_distance_of_their_cells() {
        for n_columns in [20, 63, 64, 65, 130] {
            let book =
                CodeBook::random(40, CodeColumnCountRule::Columns(n_columns), SeedKey::root(1)).unwrap();
            let differ = |(a, b)| book.row(a).iter().zip(book.row(b)).filter(|(x, y)| x != y).count();
            let least = super::super::code_book::class_pairs(40).map(differ).min();
            assert_eq!(min_code_distance_if_above(&book, None), least);
        }
    }

    #[test]
    fn a_seed_gives_one_code() {
        let draw = |seed| CodeBook::random(20, CodeColumnCountRule::Default, SeedKey::root(seed)).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
