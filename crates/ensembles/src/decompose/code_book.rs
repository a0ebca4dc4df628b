//! Code books of decompositions into two-class tasks.

use imbcore_core::{Error, Result};

/// Maximum number of columns of an exhaustive, random or user-defined code book.
pub(super) const MOST_COLUMNS: usize = 1023;

/// Maximum number of cells of a user-defined code book.
/// The header of a model file contains such a code book as text.
const MOST_CELLS: usize = 1 << 18;

/// Maximum number of classes of a code book of pairs, which has `c (c - 1) / 2` columns.
const MOST_PAIRED: usize = 256;

/// Code matrix with one row per class and one column per two-class task.
/// A cell is 1 if the class is positive in the task, 0 if it is negative, and -1 if the task omits it.
///
/// Every column has a positive and a negative class, and no two rows are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBook {
    cells: Vec<i8>,
    n_columns: usize,
}

impl CodeBook {
    /// One column per class: that class against all others.
    ///
    /// # Errors
    /// [`Error::Data`] for fewer than two classes.
    pub fn one_vs_all(n_classes: usize) -> Result<Self> {
        let cells = (0..n_classes * n_classes).map(|cell| i8::from(cell / n_classes == cell % n_classes));
        Self::new(cells.collect(), n_classes)
    }

    /// One column per pair `i < j` of classes, in lexicographic order.
    /// In the column of a pair, `j` is positive, `i` is negative, and all other classes are omitted.
    ///
    /// # Errors
    /// [`Error::Data`] for fewer than two or more than 256 classes.
    pub fn one_vs_one(n_classes: usize) -> Result<Self> {
        if n_classes > MOST_PAIRED {
            return Err(Error::Data(format!(
                "a decomposition into pairs fits one model per pair of classes and supports at most {MOST_PAIRED} classes, but there are \
                 {n_classes}; use ova, or merge classes"
            )));
        }
        let pairs: Vec<(usize, usize)> = class_pairs(n_classes).collect();
        let bit = |class, &(low, high): &(usize, usize)| match class {
            _ if class == high => 1,
            _ if class == low => 0,
            _ => -1,
        };
        let cells = (0..n_classes).flat_map(|class| pairs.iter().map(move |pair| bit(class, pair)));
        Self::new(cells.collect(), n_classes)
    }

    /// All `2^(c - 1) - 1` partitions of `c` classes into two nonempty sets.
    /// Class 0 has 1 in every column, and class `i` has bit `c - 1 - i` of the column index (Dietterich and
    /// Bakiri 1995, section 2.3.1, in the order of Weka).
    ///
    /// # Errors
    /// [`Error::Data`] for fewer than two or more than 11 classes.
    pub fn exhaustive(n_classes: usize) -> Result<Self> {
        // 11 classes have 1023 columns, not 1024 as stated by Hoens, Qian, Chawla and Zhou 2012, section 2.1.
        if n_classes > MOST_COLUMNS.ilog2() as usize + 2 {
            return Err(Error::Data(format!(
                "an exhaustive code of {n_classes} classes has more than {MOST_COLUMNS} columns; use code=\"random\""
            )));
        }
        let n_columns = (1_usize << n_classes.saturating_sub(1)) - 1;
        let bit = |class: usize, column: usize| match class {
            0 => 1,
            _ => i8::from(column >> (n_classes - 1 - class) & 1 == 1),
        };
        let cells = (0..n_classes).flat_map(|class| (0..n_columns).map(move |column| bit(class, column)));
        Self::new(cells.collect(), n_classes)
    }

    /// User-defined code book: one row of zeros and ones per class, all rows of equal length.
    ///
    /// # Errors
    /// [`Error::Data`] with the row or column that is invalid. A column must contain both values. No two
    /// columns may be equal or complementary, because two members would solve the same task. No two rows may
    /// be equal, because two classes could not be distinguished.
    pub fn from_rows(rows: &[Vec<u8>], n_classes: usize) -> Result<Self> {
        let wrong = |what: String| Err(Error::Data(format!("the code matrix {what}")));
        if rows.len() != n_classes {
            return wrong(format!(
                "has {} rows, but there are {n_classes} classes; it must have one row per class",
                rows.len()
            ));
        }
        let n_columns = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != n_columns) {
            return wrong(format!("has {} values in row {row}, but {n_columns} in row 0", rows[row].len()));
        }
        if n_columns > MOST_COLUMNS || n_columns * n_classes > MOST_CELLS {
            return wrong(format!(
                "has {n_columns} columns for {n_classes} classes; at most {MOST_COLUMNS} columns and {MOST_CELLS} cells are supported"
            ));
        }
        if let Some(row) = rows.iter().position(|row| row.iter().any(|&bit| bit > 1)) {
            return wrong(format!("must contain 0 and 1 only; row {row} does not"));
        }
        let book = Self::new(rows.iter().flatten().map(|&bit| bit.cast_signed()).collect(), n_classes)?;
        let columns: Vec<Vec<i8>> =
            (0..n_columns).map(|column| book.column_with_class_0_positive(column)).collect();
        let mut order: Vec<usize> = (0..n_columns).collect();
        order.sort_by(|&a, &b| columns[a].cmp(&columns[b]).then(a.cmp(&b)));
        match order.windows(2).find(|pair| columns[pair[0]] == columns[pair[1]]) {
            Some(&[a, b]) => wrong(format!(
                "has equal or complementary columns {a} and {b}, which define the same task; remove one"
            )),
            _ => Ok(book),
        }
    }

    /// Creates a code book from row-major cells.
    ///
    /// # Errors
    /// [`Error::Data`], which names the requirement that the cells violate.
    pub fn new(cells: Vec<i8>, n_classes: usize) -> Result<Self> {
        let wrong = |what: String| Err(Error::Data(format!("the code matrix {what}")));
        if n_classes < 2 || cells.is_empty() || !cells.len().is_multiple_of(n_classes) {
            return wrong(format!(
                "needs a row for each of at least 2 classes, and a column; got {} cells in {n_classes} rows",
                cells.len()
            ));
        }
        let book = Self { n_columns: cells.len() / n_classes, cells };
        if book.cells.iter().any(|bit| !(-1..=1).contains(bit)) {
            return wrong("must contain 1 (positive), 0 (negative) and -1 (omitted) only".into());
        }
        for column in 0..book.n_columns {
            if !book.column(column).any(|bit| bit == 0) || !book.column(column).any(|bit| bit == 1) {
                return wrong(format!("has a constant column, {column}; every column must contain 0 and 1"));
            }
        }
        let mut order: Vec<usize> = (0..n_classes).collect();
        order.sort_by(|&a, &b| book.row(a).cmp(book.row(b)).then(a.cmp(&b)));
        match order.windows(2).find(|pair| book.row(pair[0]) == book.row(pair[1])) {
            Some(&[a, b]) => {
                wrong(format!("has equal rows {a} and {b}, so these classes cannot be distinguished"))
            }
            _ => Ok(book),
        }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.cells.len() / self.n_columns
    }

    /// Number of two-class tasks.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// All cells, row-major.
    pub fn cells(&self) -> &[i8] {
        &self.cells
    }

    /// Code word of a class.
    pub fn row(&self, class: usize) -> &[i8] {
        &self.cells[class * self.n_columns..(class + 1) * self.n_columns]
    }

    /// Column of a task: 1, 0 or -1 for each class.
    pub fn column(&self, column: usize) -> impl Iterator<Item = i8> + '_ {
        self.cells.iter().skip(column).step_by(self.n_columns).copied()
    }

    /// A column, complemented if necessary so that class 0 is positive.
    ///
    /// Complementary columns define the same task.
    fn column_with_class_0_positive(&self, column: usize) -> Vec<i8> {
        let turn = i8::from(self.cells[column] == 0);
        self.column(column).map(|bit| bit ^ turn).collect()
    }
}

pub(crate) fn class_pairs(n_classes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_classes).flat_map(move |low| (low + 1..n_classes).map(move |high| (low, high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_books_by_hand() {
        assert_eq!(CodeBook::one_vs_all(3).unwrap().cells(), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(CodeBook::exhaustive(3).unwrap().cells(), [1, 1, 1, 0, 0, 1, 0, 1, 0]);
        assert_eq!(CodeBook::exhaustive(2).unwrap().cells(), [1, 0]);
        assert_eq!(CodeBook::one_vs_one(3).unwrap().cells(), [0, 0, -1, 1, -1, 0, -1, 1, 1]);
        assert_eq!(CodeBook::exhaustive(11).unwrap().n_columns(), 1023);
        assert!(CodeBook::exhaustive(12).is_err() && CodeBook::exhaustive(1).is_err());
        assert!(CodeBook::one_vs_one(300).is_err() && CodeBook::one_vs_all(1).is_err());
    }

    #[test]
    fn errors_name_the_invalid_row_or_column() {
        let message = |rows: &[&[u8]]| {
            let rows: Vec<Vec<u8>> = rows.iter().map(|row| row.to_vec()).collect();
            CodeBook::from_rows(&rows, 3).unwrap_err().to_string()
        };
        assert!(message(&[&[1, 0], &[0, 1]]).contains("has 2 rows, but there are 3 classes"));
        assert!(message(&[&[1, 0], &[0, 1], &[1]]).contains("has 1 values in row 2"));
        assert!(message(&[&[1, 0], &[0, 2], &[1, 1]]).contains("0 and 1 only; row 1"));
        assert!(message(&[&[1, 0, 1], &[0, 1, 1], &[1, 1, 1]]).contains("constant column, 2"));
        assert!(message(&[&[1, 0], &[0, 1], &[1, 0]]).contains("equal rows 0 and 2"));
        assert!(message(&[&[1, 0, 0], &[0, 1, 1], &[1, 1, 0]]).contains("columns 0 and 2"));
        assert!(message(&[&[], &[], &[]]).contains("and a column"));
        let fine: [Vec<u8>; 3] = [vec![1, 0], vec![0, 1], vec![1, 1]];
        assert_eq!(CodeBook::from_rows(&fine, 3).unwrap().row(2), [1, 1]);
    }
}
