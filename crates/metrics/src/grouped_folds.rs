//! Cross-validation folds that keep groups of rows together.

use crate::stratified_folds::check_n_folds;
use imbcore_core::{Error, Result, SeedKey, shuffle, tags};

/// Returns the test fold of every row such that no group is split between folds.
///
/// Classes are spread over the folds as evenly as the groups allow. Groups are assigned greedily, large
/// groups first. The size of a group is the sum over its rows of the inverse frequency of their class. Groups
/// of similar size come in random order, so that another `repeat` gives other folds.
///
/// Each group is assigned to the fold in which it increases the sum of squared class proportions least. Ties
/// go to the fold with the fewest rows, then to the first fold.
pub(crate) fn grouped_folds(
    codes: &[u32],
    groups: &[u32],
    k: u32,
    repeat: u32,
    key: SeedKey,
) -> Result<Vec<u32>> {
    if groups.len() != codes.len() {
        return Err(Error::Data(format!(
            "groups has {} values, but there are {} rows",
            groups.len(),
            codes.len()
        )));
    }
    check_n_folds(k, codes.len())?;
    let (n_groups, n_classes) = (n_distinct(groups), n_distinct(codes));
    let mut of_class = vec![0.0; n_classes];
    let mut rows = vec![0.0; n_groups * n_classes];
    for (&group, &class) in groups.iter().zip(codes) {
        rows[group as usize * n_classes + class as usize] += 1.0;
        of_class[class as usize] += 1.0;
    }
    let of_group = |group: usize| &rows[group * n_classes..][..n_classes];
    let mut order: Vec<usize> =
        (0..n_groups).filter(|&group| of_group(group).iter().sum::<f64>() > 0.0).collect();
    if order.len() < k as usize {
        let found = match order.len() {
            1 => "groups has only one group".to_owned(),
            n => format!("groups has {n} groups"),
        };
        return Err(Error::Data(format!(
            "{found}, and every one of the {k} folds needs at least one; {}",
            if order.len() < 2 {
                "omit groups, or provide more of them".to_owned()
            } else {
                format!("lower folds to {} at most", order.len())
            }
        )));
    }
    shuffle(&mut key.child(tags::folds::GROUPS, repeat).rng(), &mut order);
    let size = |group: usize| -> f64 {
        of_group(group).iter().zip(&of_class).filter(|(_, all)| **all > 0.0).map(|(own, all)| own / all).sum()
    };
    // Groups are sorted by the binary logarithm of their size, rounded down. Groups of similar size thus keep
    // the random order.
    let step = |group: usize| size(group).log2().floor();
    order.sort_by(|&a, &b| step(b).total_cmp(&step(a)));
    let mut held = vec![vec![0.0; n_classes]; k as usize];
    let mut total = vec![0.0; k as usize];
    let mut fold_of_group = vec![0; n_groups];
    for group in order {
        let own = of_group(group);
        let growth = |fold: usize| -> f64 {
            own.iter()
                .zip(&held[fold])
                .zip(&of_class)
                .filter(|((own, _), _)| **own > 0.0)
                .map(|((own, held), all)| own * held / (all * all))
                .sum()
        };
        let worth: Vec<(f64, f64)> = (0..k as usize).map(|fold| (growth(fold), total[fold])).collect();
        let best = (0..k as usize)
            .min_by(|&a, &b| worth[a].0.total_cmp(&worth[b].0).then(worth[a].1.total_cmp(&worth[b].1)))
            .unwrap_or(0);
        held[best].iter_mut().zip(own).for_each(|(held, own)| *held += own);
        total[best] += own.iter().sum::<f64>();
        fold_of_group[group] = best as u32;
    }
    Ok(groups.iter().map(|&group| fold_of_group[group as usize]).collect())
}

fn n_distinct(codes: &[u32]) -> usize {
    codes.iter().max().map_or(0, |&largest| largest as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deal(codes: &[u32], groups: &[u32], k: u32, repeat: u32) -> Vec<u32> {
        grouped_folds(codes, groups, k, repeat, SeedKey::root(3)).unwrap()
    }

    #[test]
    fn a_group_lies_in_one_fold_and_no_fold_is_empty() {
        let groups: Vec<u32> = (0..200).map(|row| row * row % 23).collect();
        let codes: Vec<u32> = (0..200).map(|row| u32::from(row % 9 == 0)).collect();
        for repeat in 0..5 {
            let folds = deal(&codes, &groups, 5, repeat);
            let mut of_group = [None; 23];
            for (&group, &fold) in groups.iter().zip(&folds) {
                assert_eq!(*of_group[group as usize].get_or_insert(fold), fold);
            }
            assert!((0..5).all(|fold| folds.contains(&fold)));
        }
        assert_ne!(deal(&codes, &groups, 5, 0), deal(&codes, &groups, 5, 1));
    }

    #[test]
    fn groups_of_one_row_are_stratified_to_the_row() {
        let groups: Vec<u32> = (0..103).collect();
        let codes: Vec<u32> = (0..103).map(|row| u32::from(row % 10 == 0)).collect();
        let folds = deal(&codes, &groups, 5, 0);
        let rows = |class, fold| (0..103).filter(|&r| codes[r] == class && folds[r] == fold).count();
        for fold in 0..5 {
            assert!((2..=3).contains(&rows(1, fold)) && (18..=19).contains(&rows(0, fold)));
        }
    }

    #[test]
    fn the_rare_class_is_spread_before_the_rows_are() {
        // Of eight groups of ten rows, four have one positive row each, and four have no positive row. For
        // two stratified folds, each fold needs two groups of each kind.
        let groups: Vec<u32> = (0..80).map(|row| row / 10).collect();
        let codes: Vec<u32> = (0..80).map(|row| u32::from(row % 10 == 0 && row < 40)).collect();
        let folds = deal(&codes, &groups, 2, 0);
        let first: Vec<usize> = (0..80).filter(|&row| folds[row] == 0).collect();
        assert_eq!(first.len(), 40);
        assert_eq!(first.iter().filter(|&&row| codes[row] == 1).count(), 2);
    }

    #[test]
    fn too_few_groups_are_counted() {
        let message = |groups: &[u32]| {
            grouped_folds(&[0, 1, 0, 1], groups, 3, 0, SeedKey::root(0)).unwrap_err().to_string()
        };
        assert!(
            message(&[0, 0, 1, 1])
                .contains("2 groups, and every one of the 3 folds needs at least one; lower folds to 2")
        );
        assert!(message(&[0; 4]).contains("only one group"));
        assert!(message(&[0]).contains("groups has 1 values, but there are 4 rows"));
    }
}
