//! Rows held out of a fit: random rows, random groups of rows, or the latest rows.

use crate::stratified_folds::stratified_split;
use crate::time_splits::n_rows_before_gap;
use imbcore_core::{Error, Result, RowDependence, RowGroups, SeedKey, ThresholdTarget};

/// Removes those training rows whose group also has a test row.
pub(crate) fn drop_rows_of_test_groups(train: &mut Vec<u32>, test: &[u32], groups: &[u32]) {
    let mut tested: Vec<u32> = test.iter().map(|&row| groups[row as usize]).collect();
    tested.sort_unstable();
    tested.dedup();
    train.retain(|&row| tested.binary_search(&groups[row as usize]).is_err());
}

/// Rows held out of a fit, and the training rows.
/// Both lists are ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutSplit {
    /// Training rows.
    pub train: Vec<u32>,
    /// Held-out rows.
    pub test: Vec<u32>,
}

impl HeldOutSplit {
    /// Holds out about a fraction of the rows, or of the groups if rows have groups and no times.
    ///
    /// If rows have neither groups nor times, rows are drawn at random from each class. If rows have groups
    /// but no times, whole groups are drawn, separately from groups with and from groups without a row of
    /// the class `positive`. If rows have times, the latest rows are held out. Rows in the time gap before
    /// them, and earlier rows of the same groups, are then not used for training.
    ///
    /// # Errors
    /// Same errors as [`stratified_split`]; [`Error::Data`] if times allow no split.
    pub fn new(
        codes: &[u32],
        positive: u32,
        dependence: RowDependence<'_>,
        fraction: f64,
        key: SeedKey,
    ) -> Result<Self> {
        let groups = dependence.groups();
        if let Some(times) = dependence.times() {
            let (order, start) = split_latest_rows(times.values, fraction)?;
            let end = n_rows_before_gap(times.values, &order, start, times.gap);
            let ascending = |rows: &[u32]| {
                let mut rows = rows.to_vec();
                rows.sort_unstable();
                rows
            };
            let (mut train, later) = (ascending(&order[..end]), ascending(&order[start..]));
            if let Some(groups) = groups {
                drop_rows_of_test_groups(&mut train, &later, groups);
            }
            if train.is_empty() {
                return Err(Error::Data(
                    "no row is left for training before the held-out rows; shorten time_gap, or hold out fewer rows, so \
                     that rows of other groups come before them"
                        .into(),
                ));
            }
            return Ok(Self { train, test: later });
        }
        let Some(groups) = groups else {
            return Ok(Self::from_test_rows(codes.len(), stratified_split(codes, fraction, key)?));
        };
        let members = RowGroups::new(groups.iter().copied());
        let has_positive =
            |group: usize| members.rows(group).iter().any(|&row| codes[row as usize] == positive);
        let strata: Vec<u32> = (0..members.n_groups()).map(|group| u32::from(has_positive(group))).collect();
        let drawn = stratified_split(&strata, fraction, key)?;
        let mut test: Vec<u32> =
            drawn.iter().flat_map(|&group| members.rows(group as usize)).copied().collect();
        test.sort_unstable();
        Ok(Self::from_test_rows(codes.len(), test))
    }

    fn from_test_rows(n_rows: usize, test: Vec<u32>) -> Self {
        let mut is_test = vec![false; n_rows];
        for &row in &test {
            is_test[row as usize] = true;
        }
        Self { train: (0..n_rows as u32).filter(|&row| !is_test[row as usize]).collect(), test }
    }
}

/// Text with the assumption of a guarantee, and the rows to which the guarantee refers.
///
/// The text is `None` if rows have neither groups nor times. If the guarantee refers to all rows together,
/// `largest` is the maximum number of rows of a new group.
pub fn guarantee_assumption_text(
    aim: &ThresholdTarget,
    largest: Option<f64>,
    dependence: RowDependence<'_>,
) -> Option<String> {
    let (rows, of_all) = match aim {
        ThresholdTarget::Recall(_) => ("its positive rows; groups without one are left out", "positive rows"),
        ThresholdTarget::Fpr(_) => ("its negative rows; groups without one are left out", "negative rows"),
        _ => ("its rows", "rows"),
    };
    let limited = match aim {
        ThresholdTarget::Cost { costs, .. } => {
            let largest = costs.cells().iter().copied().fold(0.0, f64::max);
            format!("; a row costs at most {largest}, the largest entry of the cost matrix")
        }
        ThresholdTarget::Alerts { per: Some(_), .. } if largest.is_none() => {
            "; \"per\" counts rows drawn in this way, and \"max_group_size\" makes it count all rows"
                .to_owned()
        }
        _ => String::new(),
    };
    let of_groups = dependence.groups().map(|_| match largest {
        None => format!(
            "new groups come from the distribution of the training groups; the guarantee refers to a random row of a random new \
             group: a group is drawn uniformly, then a row uniformly among {rows}{limited}; \"expected_by_group\" has this \
             weighting, \"expected\" is per row"
        ),
        Some(largest) => format!(
            "new groups come from the distribution of the training groups and have at most {largest} rows each; the guarantee \
             refers to all {of_all} of new groups together, each row with equal weight{limited}; \"expected\" has this weighting, \
             \"expected_by_group\" is for a random row of a random new group"
        ),
    });
    let in_time = dependence.times().map(|_| {
        "no guarantee covers arbitrary changes over time: the latest rows were held out, and the confidence is valid only \
         if later rows are distributed like these"
            .to_owned()
    });
    let parts: Vec<String> = of_groups.into_iter().chain(in_time).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Rows in time order, and the position of the first row of the latest part.
///
/// The latest part has about a proportion `fraction` of the rows. Rows of equal time are in the same part.
fn split_latest_rows(times: &[f64], fraction: f64) -> Result<(Vec<u32>, usize)> {
    if !(fraction > 0.0 && fraction < 1.0) {
        return Err(Error::parameter("held-out rows", "fraction", "in (0, 1)", fraction));
    }
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.sort_by(|&a, &b| (times[a as usize] + 0.0).total_cmp(&(times[b as usize] + 0.0)));
    let time_of = |place: usize| times[order[place] as usize];
    #[allow(clippy::cast_sign_loss)] // The fraction is below 1.
    let wanted = times.len() - ((fraction * times.len() as f64).round() as usize).clamp(1, times.len());
    let changes = (1..times.len()).filter(|&place| time_of(place) > time_of(place - 1));
    let Some(start) = changes.min_by_key(|&place| place.abs_diff(wanted)) else {
        return Err(Error::Data(
            "time has 1 distinct value, so no later rows can be held out; provide other times, or omit time"
                .into(),
        ));
    };
    Ok((order, start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::TimeGap;

    fn split(groups: Option<&[u32]>, times: Option<&[f64]>, gap: Option<TimeGap>) -> Result<HeldOutSplit> {
        let codes: Vec<u32> = (0..40).map(|row| u32::from(row < 10)).collect();
        let dependence = RowDependence::new(groups, times, gap, 40).unwrap();
        HeldOutSplit::new(&codes, 1, dependence, 0.25, SeedKey::root(3))
    }

    #[test]
    fn groups_are_drawn_from_those_with_and_without_a_positive_row() {
        let groups: Vec<u32> = (0..40).map(|row| row / 2).collect();
        let HeldOutSplit { train, test } = split(Some(&groups), None, None).unwrap();
        assert_eq!((train.len(), test.len()), (30, 10));
        assert!(test.iter().all(|&row| test.contains(&(row ^ 1))));
        // Of 20 groups, 5 have positive rows. A quarter of 5 and of 15 groups, 1.25 and 3.75, is rounded to 1
        // and 4.
        assert_eq!(test.iter().filter(|&&row| row < 10).count(), 2);
    }

    #[test]
    fn the_latest_rows_are_held_out_after_the_gap() {
        let times: Vec<f64> = (0..40).map(|row| f64::from(row / 4)).collect();
        let HeldOutSplit { train, test } = split(None, Some(&times), None).unwrap();
        assert!(test.len() == 8 || test.len() == 12);
        assert_eq!(train.len() + test.len(), 40);
        let first = times[test[0] as usize];
        let gapped = split(None, Some(&times), Some(TimeGap::Time(2.0))).unwrap();
        assert_eq!(gapped.test, test);
        assert!(gapped.train.iter().all(|&row| times[row as usize] <= first - 2.0));
        assert_eq!(train.len() - gapped.train.len(), 4);
        let groups: Vec<u32> = (0..40).map(|row| row % 20).collect();
        let both = split(Some(&groups), Some(&times), None).unwrap();
        let tested: Vec<u32> = both.test.iter().map(|&row| groups[row as usize]).collect();
        assert!(both.test == test && both.train.iter().all(|&row| !tested.contains(&groups[row as usize])));
        assert!(split(None, Some(&[1.0; 40]), None).unwrap_err().to_string().contains("1 distinct value"));
    }
}
