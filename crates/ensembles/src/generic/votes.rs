//! Conversion of votes to probabilities.

/// Converts the fractions of the votes for each class to probabilities.
/// The result is the softmax of `f / (K - 1)` with `f_c = share_c - (1 - share_c) / (K - 1)`, as in
/// scikit-learn (Zhu, Zou, Rosset and Hastie 2009). `K` is the number of classes, and `share_c` is the
/// fraction of the votes for class c. For two classes the softmax is the logistic function of `f_1 - f_0`.
pub(super) fn votes_to_proba(shares: &mut [f64]) {
    let others = (shares.len() - 1) as f64;
    for share in &mut *shares {
        *share = ((*share - (1.0 - *share) / others) / others).exp();
    }
    let total: f64 = shares.iter().sum();
    for share in shares {
        *share /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vote_fractions_as_probabilities() {
        // The decision function of two classes is 2 (0.75 - 0.25) = 1.
        let mut proba = [0.25, 0.75];
        votes_to_proba(&mut proba);
        assert!((proba[1] - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-15);
        let mut proba = [0.0, 1.0, 0.0];
        votes_to_proba(&mut proba);
        // There are K = 3 classes. So f is 1 for the second class and -1/2 for the others. The softmax is
        // that of f / (K - 1) = f / 2.
        assert!((proba[1] / proba[0] - 0.75_f64.exp()).abs() < 1e-14 && proba[0] == proba[2]);
    }
}
