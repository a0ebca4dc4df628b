//! Fitted decompositions: a code book, one member per column, and a decoding.

use super::code_book::CodeBook;
use super::decoding::Decoding;
use imbcore_core::{Classifier, Error, Frame, Result, RunContext, memory, parallel};

const BLOCK: usize = 64;

/// Maximum number of member probabilities that are in memory at a time (32 MB).
const HELD: usize = 1 << 22;

/// Predictor of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnPredictor<M> {
    /// A two-class model.
    Fitted(M),
    /// Constant probability of the positive classes, used instead of a fitted model.
    ///
    /// It is used if the training rows with positive weight are all of positive classes, or all of negative
    /// classes. If there are no such rows, the constant is 1/2.
    Constant(f64),
}

/// A multiclass classifier composed of two-class members.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassDecomposition<M> {
    book: CodeBook,
    decoding: Decoding,
    members: Vec<ColumnPredictor<M>>,
    shares: Vec<f64>,
}

impl<M> ClassDecomposition<M> {
    /// Combines code book, members and decoding to a classifier.
    ///
    /// # Errors
    /// [`Error::Format`] unless there is one member per column, the decoding supports the code book,
    /// constants are in [0, 1], and `shares` is a distribution over the classes.
    pub fn new(
        book: CodeBook,
        decoding: Decoding,
        members: Vec<ColumnPredictor<M>>,
        shares: Vec<f64>,
    ) -> Result<Self> {
        let broken = |what: &str| Err(Error::damaged(what));
        if members.len() != book.n_columns() {
            return broken("its numbers of members and columns differ");
        }
        if !decoding.supports(&book) {
            return broken("its decoding does not support its code book");
        }
        let probability = |p: &f64| (0.0..=1.0).contains(p);
        if members.iter().any(|member| matches!(member, ColumnPredictor::Constant(p) if !probability(p))) {
            return broken("a constant is not a probability");
        }
        let is_distribution =
            shares.iter().all(probability) && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        if shares.len() != book.n_classes() || !is_distribution {
            return broken("the proportions of the classes do not sum to 1");
        }
        Ok(Self { book, decoding, members, shares })
    }

    /// Code book, which determines the positive classes of each member.
    pub fn book(&self) -> &CodeBook {
        &self.book
    }

    /// Decoding of the members' probabilities.
    pub fn decoding(&self) -> Decoding {
        self.decoding
    }

    /// Members, one per column.
    pub fn members(&self) -> &[ColumnPredictor<M>] {
        &self.members
    }

    /// For each class, the fraction of the total training weight.
    pub fn class_proportions(&self) -> &[f64] {
        &self.shares
    }
}

impl<M: Classifier> ClassDecomposition<M> {
    fn column_probabilities(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let predict = |member: &ColumnPredictor<M>| match member {
            ColumnPredictor::Constant(p) => Ok(vec![*p; frame.n_rows()]),
            ColumnPredictor::Fitted(model) => Ok(model
                .proba(frame, ctl.without_observer())?
                .chunks_exact(2)
                .map(|proba| proba[1])
                .collect()),
        };
        let columns = parallel::try_map(&self.members, predict)?;
        Ok(decode_rows(self.decoding, &self.book, &columns, &self.shares))
    }
}

/// Class probabilities, row-major, from the probabilities of the members.
/// `columns` has one list of member probabilities per column of the code book, all of equal length.
pub fn decode_rows<C: AsRef<[f64]> + Sync>(
    decoding: Decoding,
    book: &CodeBook,
    columns: &[C],
    shares: &[f64],
) -> Vec<f64> {
    let n_rows = columns.first().map_or(0, |column| column.as_ref().len());
    let decode = |row: usize| {
        let p: Vec<f64> = columns.iter().map(|column| column.as_ref()[row]).collect();
        decoding.decode(book, &p, shares)
    };
    let block = |start: usize| (start..n_rows.min(start + BLOCK)).flat_map(decode).collect::<Vec<f64>>();
    parallel::map((0..n_rows).step_by(BLOCK), block).concat()
}

impl<M: Classifier> Classifier for ClassDecomposition<M> {
    fn n_classes(&self) -> usize {
        self.book.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let most = (HELD / self.members.len()).max(1);
        if frame.n_rows() <= most {
            return self.column_probabilities(frame, ctl);
        }
        let mut proba = memory::try_with_capacity(frame.n_rows() * self.n_classes(), "predictions")?;
        for start in (0..frame.n_rows()).step_by(most) {
            ctl.check()?;
            let rows: Vec<u32> = (start as u32..frame.n_rows().min(start + most) as u32).collect();
            let part = frame.take(&rows, ctl)?;
            proba.extend(self.column_probabilities(&part.borrow()?, ctl)?);
        }
        Ok(proba)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(p: [f64; 3], shares: [f64; 3]) -> Result<ClassDecomposition<never::Never>> {
        let book = CodeBook::one_vs_all(3)?;
        ClassDecomposition::new(
            book,
            Decoding::Normalize,
            p.map(ColumnPredictor::Constant).into(),
            shares.to_vec(),
        )
    }

    mod never {
        use imbcore_core::{Classifier, Frame, Result, RunContext};

        #[derive(Debug)]
        pub(super) enum Never {}

        impl Classifier for Never {
            fn n_classes(&self) -> usize {
                2
            }

            fn proba(&self, _: &Frame<'_>, _: RunContext<'_>) -> Result<Vec<f64>> {
                match *self {}
            }
        }
    }

    #[test]
    fn inconsistent_parts_are_rejected() {
        assert!(constants([0.2; 3], [0.5, 0.25, 0.25]).is_ok());
        assert!(constants([0.2, 1.5, 0.2], [0.5, 0.25, 0.25]).is_err());
        assert!(constants([0.2, f64::NAN, 0.2], [0.5, 0.25, 0.25]).is_err());
        assert!(constants([0.2; 3], [0.5, 0.25, 0.5]).is_err());
        let pairs = CodeBook::one_vs_one(3).unwrap();
        let members: Vec<ColumnPredictor<never::Never>> = [0.2; 3].map(ColumnPredictor::Constant).into();
        assert!(ClassDecomposition::new(pairs, Decoding::Sum, members, vec![0.5, 0.25, 0.25]).is_err());
    }

    #[test]
    fn a_row_of_constants_is_decoded() {
        let x = [1.0, 2.0];
        let frame = Frame::new(vec![imbcore_core::Column::from_numbers(&x)]).unwrap();
        let model = constants([0.1, 0.1, 0.2], [0.5, 0.25, 0.25]).unwrap();
        let proba = model.proba(&frame, RunContext::silent()).unwrap();
        assert_eq!(proba, [0.25, 0.25, 0.5, 0.25, 0.25, 0.5]);
    }
}
