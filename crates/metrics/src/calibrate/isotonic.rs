//! Isotonic regression.

use super::groups::ScoreGroup;

/// Nondecreasing piecewise linear curve, constant beyond the first and last score.
///
/// Zadrozny and Elkan 2002.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Isotonic {
    scores: Vec<f64>,
    values: Vec<f64>,
}

impl Isotonic {
    /// Least-squares nondecreasing fit by pool adjacent violators (Ayer et al. 1955).
    pub(crate) fn fit(groups: &[ScoreGroup]) -> Self {
        struct Block {
            weight: f64,
            positive: f64,
            last: usize,
        }
        let mut blocks: Vec<Block> = Vec::new();
        for (last, group) in groups.iter().enumerate() {
            let mut block = Block { weight: group.weight, positive: group.positive, last };
            while let Some(before) = blocks.pop_if(|b| b.positive * block.weight >= block.positive * b.weight)
            {
                block.weight += before.weight;
                block.positive += before.positive;
            }
            blocks.push(block);
        }
        let (mut scores, mut values, mut first) = (Vec::new(), Vec::new(), 0);
        for block in blocks {
            let value = block.positive / block.weight;
            scores.push(groups[first].score);
            values.push(value);
            if block.last > first {
                scores.push(groups[block.last].score);
                values.push(value);
            }
            first = block.last + 1;
        }
        Self { scores, values }
    }

    pub(crate) fn calibrate(&self, score: f64) -> f64 {
        let next = self.scores.partition_point(|known| *known < score);
        let Some(&high) = self.scores.get(next) else { return self.values[self.values.len() - 1] };
        if next == 0 || high == score {
            return self.values[next];
        }
        let (low, from, to) = (self.scores[next - 1], self.values[next - 1], self.values[next]);
        // Rounding errors could make the interpolated value exceed the value at the next score. The curve
        // would then decrease.
        ((to - from) / (high - low) * (score - low) + from).min(to)
    }

    pub(super) fn interpolation_points(&self) -> (&[f64], &[f64]) {
        (&self.scores, &self.values)
    }

    pub(crate) fn parameters(&self) -> Vec<f64> {
        [&self.scores[..], &self.values].concat()
    }

    pub(crate) fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let (scores, values) = numbers.split_at_checked(numbers.len() / 2)?;
        let rising = scores.is_sorted_by(|a, b| a < b) && values.is_sorted();
        let inside = numbers.iter().all(|x| (0.0..=1.0).contains(x));
        let sound = !scores.is_empty() && scores.len() == values.len() && rising && inside;
        sound.then(|| Self { scores: scores.to_vec(), values: values.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_worked_pooling() {
        // The groups have the means 0, 1, 1/2, 1/2 and 1. The three groups in the middle are pooled to mean
        // 3/5.
        let rows = [(0.1, 1.0, 0.0), (0.2, 1.0, 1.0), (0.4, 2.0, 1.0), (0.6, 2.0, 1.0), (0.8, 3.0, 3.0)];
        let group = |&(score, weight, positive): &(f64, f64, f64)| ScoreGroup { score, weight, positive };
        let curve = Isotonic::fit(&rows.iter().map(group).collect::<Vec<_>>());
        assert_eq!(curve.scores, [0.1, 0.2, 0.6, 0.8]);
        assert_eq!(curve.values, [0.0, 0.6, 0.6, 1.0]);
        assert_eq!(
            (curve.calibrate(0.0), curve.calibrate(0.1), curve.calibrate(0.3), curve.calibrate(1.0)),
            (0.0, 0.0, 0.6, 1.0)
        );
        assert!((curve.calibrate(0.15) - 0.3).abs() < 1e-15 && (curve.calibrate(0.7) - 0.8).abs() < 1e-15);
    }
}
