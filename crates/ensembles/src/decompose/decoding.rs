//! Decoding: class probabilities from the probabilities of the members.

use super::code_book::CodeBook;
use super::pairwise_coupling::couple_pair_probabilities;
use imbcore_core::index_of_first_largest;
use serde::{Deserialize, Serialize};

/// Constant that keeps the logarithm finite if a member predicts the probability 0 or 1.
const EPS: f64 = 1e-6;

/// Number of classes whose scores are computed in one pass over the columns.
const CLASSES: usize = 8;

/// Method that combines the probabilities `p_j` of the columns into class probabilities.
/// `p_j` is the predicted probability that the class of a row is positive in column `j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decoding {
    /// For one against all: `p_k` divided by the sum of all `p_j`.
    /// If all `p_k` are 0, the result is the class proportions of the training data.
    Normalize,
    /// Score of each class, divided by the sum of all scores.
    /// `score_k = sum_j q_j`, where `q_j` is `p_j` if class k is positive in column j, and `1 - p_j`
    /// otherwise.
    Sum,
    /// Softmax of scores that are sums of logarithms.
    /// `score_k = sum_j ln(eps + (1 - 2 eps) q_j)` with `q_j` as in [`Self::Sum`] and `eps = 1e-6`.
    Log,
    /// Like `Sum`, but with each `p_j` rounded to 0 or 1.
    /// The score of a class is the number of columns that agree with its code word. A `p_j` of exactly 1/2
    /// stays 1/2.
    Hamming,
    /// For pairs: the fraction of all pairs that a class wins.
    /// A tie is half a win for both classes.
    Vote,
    /// For pairs: pairwise coupling after Wu, Lin and Weng 2004.
    Coupling,
}

impl Decoding {
    pub(crate) fn supports(self, book: &CodeBook) -> bool {
        let is = |code: imbcore_core::Result<CodeBook>| code.is_ok_and(|code| code == *book);
        match self {
            Self::Normalize => is(CodeBook::one_vs_all(book.n_classes())),
            Self::Sum | Self::Log | Self::Hamming => !book.cells().contains(&-1),
            Self::Vote | Self::Coupling => is(CodeBook::one_vs_one(book.n_classes())),
        }
    }

    /// Class probabilities of a row, from the probabilities `p` that the members predict for it.
    ///
    /// `shares` are the class proportions of the training data.
    pub fn decode(self, book: &CodeBook, p: &[f64], shares: &[f64]) -> Vec<f64> {
        match self {
            Self::Normalize if p.iter().all(|&p| p == 0.0) => shares.to_vec(),
            Self::Normalize => normalize(p.to_vec()),
            Self::Sum => normalize(sum_column_terms_by_class(book, p, |q| q)),
            Self::Log => softmax(&sum_column_terms_by_class(book, p, |q| (EPS + (1.0 - 2.0 * EPS) * q).ln())),
            Self::Hamming | Self::Vote => normalize(sum_column_terms_by_class(book, p, round_to_hard_vote)),
            Self::Coupling => couple_pair_probabilities(p, book.n_classes()),
        }
    }
}

fn round_to_hard_vote(q: f64) -> f64 {
    match q.total_cmp(&0.5) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 1.0,
    }
}

/// For each class, a sum over the columns that include the class.
///
/// The term of a column is `of(p)` if the class is positive in the column, and `of(1 - p)` if it is negative.
/// `p` is the probability that the member of the column predicts.
fn sum_column_terms_by_class(book: &CodeBook, p: &[f64], of: impl Fn(f64) -> f64) -> Vec<f64> {
    let terms: Vec<[f64; 3]> = p.iter().map(|&p| [0.0, of(1.0 - p), of(p)]).collect();
    let mut scores = vec![0.0; book.n_classes()];
    // The additions for several classes are independent, so the processor can execute them at the same time.
    for (block, scores) in scores.chunks_mut(CLASSES).enumerate() {
        let rows: Vec<&[i8]> = (0..scores.len()).map(|class| book.row(block * CLASSES + class)).collect();
        for (column, terms) in terms.iter().enumerate() {
            for (score, row) in scores.iter_mut().zip(&rows) {
                *score += terms[usize::try_from(row[column] + 1).unwrap_or_default()];
            }
        }
    }
    scores
}

fn normalize(mut scores: Vec<f64>) -> Vec<f64> {
    let total: f64 = scores.iter().sum();
    for score in &mut scores {
        *score /= total;
    }
    scores
}

fn softmax(scores: &[f64]) -> Vec<f64> {
    let largest = scores[index_of_first_largest(scores) as usize];
    normalize(scores.iter().map(|score| (score - largest).exp()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn votes_count_pairs() {
        let book = CodeBook::one_vs_one(3).unwrap();
        // Class 1 beats class 0, classes 0 and 2 tie, and class 1 beats class 2.
        let proba = Decoding::Vote.decode(&book, &[0.9, 0.5, 0.2], &[]);
        assert_eq!(proba, [0.5 / 3.0, 2.0 / 3.0, 0.5 / 3.0]);
    }

    #[test]
    fn hamming_counts_agreeing_columns() {
        let book = CodeBook::exhaustive(3).unwrap();
        // The probabilities 0.9, 0.2 and 0.6 are rounded to 101. The code words 111, 001 and 010 agree with
        // 101 in 2, 2 and 0 columns.
        let proba = Decoding::Hamming.decode(&book, &[0.9, 0.2, 0.6], &[]);
        assert_eq!(proba, [0.5, 0.5, 0.0]);
    }

    #[test]
    fn zero_probabilities_give_the_training_proportions() {
        let book = CodeBook::one_vs_all(3).unwrap();
        assert_eq!(Decoding::Normalize.decode(&book, &[0.0; 3], &[0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]);
        assert_eq!(Decoding::Normalize.decode(&book, &[0.0, 0.2, 0.2], &[]), [0.0, 0.5, 0.5]);
    }

    #[test]
    fn certain_members_give_finite_logarithms() {
        let book = CodeBook::exhaustive(3).unwrap();
        let proba = Decoding::Log.decode(&book, &[1.0, 1.0, 1.0], &[]);
        assert!(proba[0] > 0.999_999 && proba.iter().all(|p| p.is_finite()));
    }
}
