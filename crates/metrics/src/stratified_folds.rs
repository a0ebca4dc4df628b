//! Stratified folds and splits that depend only on the labels and a seed.

use imbcore_core::{Error, Result, SeedKey, shuffle, tags};

/// Returns the test fold of every row for stratified cross-validation (layout "deal").
///
/// The rows of each class are shuffled and assigned to the folds in turn. Each class starts at the fold after
/// the last fold of the previous class. Classes are ordered by their first rows, so renaming classes does not
/// change the folds. A fold gets `floor(n / k)` or `ceil(n / k)` of the n rows of a class, and fold sizes
/// differ by at most one. A class with fewer than `k` rows is missing in some folds. Folds of different
/// values of `repeat` are independent.
///
/// # Errors
/// Same errors as [`check_n_folds`].
pub fn stratified_folds(codes: &[u32], k: u32, repeat: u32, key: SeedKey) -> Result<Vec<u32>> {
    check_n_folds(k, codes.len())?;
    let mut folds = vec![0; codes.len()];
    let mut next = 0;
    let mut classes = rows_by_class(codes)?;
    classes.sort_by_key(|(_, rows)| rows[0]);
    for (class, (_, mut rows)) in classes.into_iter().enumerate() {
        shuffle(
            &mut key.child(tags::folds::FOLDS, repeat).child(tags::folds::CLASS, class as u32).rng(),
            &mut rows,
        );
        for row in rows {
            folds[row] = next;
            next = (next + 1) % k;
        }
    }
    Ok(folds)
}

/// Returns the test fold of every row (layout "blocks" of Zhu, Li and Dunson 2021).
///
/// All rows are put in one random order. The n rows of each class, in this order, are cut into `k` blocks,
/// one per fold. The first `n mod k` blocks have one row more. Therefore, the first folds are larger by up to
/// one row per class.
///
/// # Errors
/// Same errors as [`check_n_folds`].
pub fn stratified_block_folds(codes: &[u32], k: u32, repeat: u32, key: SeedKey) -> Result<Vec<u32>> {
    check_n_folds(k, codes.len())?;
    let mut place: Vec<usize> = (0..codes.len()).collect();
    shuffle(&mut key.child(tags::folds::FOLDS, repeat).rng(), &mut place);
    let mut folds = vec![0; codes.len()];
    for (_, mut rows) in rows_by_class(codes)? {
        rows.sort_by_key(|&row| place[row]);
        let (size, longer) = (rows.len() / k as usize, rows.len() % k as usize);
        let blocks = (0..k).flat_map(|fold| {
            let length = size + usize::from((fold as usize) < longer);
            std::iter::repeat_n(fold, length)
        });
        for (row, fold) in rows.into_iter().zip(blocks) {
            folds[row] = fold;
        }
    }
    Ok(folds)
}

/// Checks that `n_rows` rows can be divided into `k` folds.
///
/// # Errors
/// [`Error::Parameter`] unless `k` is at least 2 and at most the number of rows.
pub(crate) fn check_n_folds(k: u32, n_rows: usize) -> Result<()> {
    if k >= 2 && k as usize <= n_rows {
        return Ok(());
    }
    Err(Error::parameter("folds", "folds", &format!("at least 2 and at most the {n_rows} rows"), k))
}

/// Returns the test rows of a stratified split, ascending.
///
/// A class of n rows contributes `floor(test_fraction * n)` rows. If these are fewer than
/// `round(test_fraction * N)` of all N rows, the classes with the largest remainders contribute one row more;
/// ties go to the lower code. Every class keeps at least one training row.
///
/// # Errors
/// [`Error::Parameter`] unless `test_fraction` lies in (0, 1).
pub fn stratified_split(codes: &[u32], test_fraction: f64, key: SeedKey) -> Result<Vec<u32>> {
    if !(test_fraction > 0.0 && test_fraction < 1.0) {
        return Err(Error::parameter("stratified_split", "test_fraction", "in (0, 1)", test_fraction));
    }
    let classes = rows_by_class(codes)?;
    let wanted: Vec<f64> = classes.iter().map(|(_, rows)| test_fraction * rows.len() as f64).collect();
    #[allow(clippy::cast_sign_loss)]
    let whole = |x: f64| x as usize;
    let mut taken: Vec<usize> =
        wanted.iter().zip(&classes).map(|(w, (_, rows))| whole(*w).min(rows.len() - 1)).collect();
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by(|&a, &b| wanted[b].fract().total_cmp(&wanted[a].fract()));
    let total = whole((test_fraction * codes.len() as f64).round());
    let mut missing = total.saturating_sub(taken.iter().sum());
    for class in order {
        if missing > 0 && taken[class] + 1 < classes[class].1.len() {
            taken[class] += 1;
            missing -= 1;
        }
    }
    let mut test = Vec::with_capacity(total);
    for ((class, mut rows), n_test) in classes.into_iter().zip(taken) {
        shuffle(&mut key.child(tags::folds::SPLIT, 0).child(tags::folds::CLASS, class).rng(), &mut rows);
        test.extend(rows[..n_test].iter().map(|&row| row as u32));
    }
    test.sort_unstable();
    Ok(test)
}

fn rows_by_class(codes: &[u32]) -> Result<Vec<(u32, Vec<usize>)>> {
    if codes.len() >= 1 << 31 {
        return Err(Error::Data(format!("y has {} values; at most {} are supported", codes.len(), i32::MAX)));
    }
    let mut order: Vec<usize> = (0..codes.len()).collect();
    order.sort_by_key(|&row| codes[row]);
    Ok(order.chunk_by(|&a, &b| codes[a] == codes[b]).map(|rows| (codes[rows[0]], rows.to_vec())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deal_is_frozen() {
        let folds = stratified_folds(&[0, 0, 0, 0, 1, 1, 1, 1], 2, 0, SeedKey::root(7)).unwrap();
        assert_eq!(folds, [0, 1, 0, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn blocks_are_cut_class_by_class_and_the_first_are_longer() {
        let codes: Vec<u32> = (0..50).map(|row| u32::from(row % 7 == 3)).collect();
        let folds = stratified_block_folds(&codes, 3, 0, SeedKey::root(5)).unwrap();
        let sizes =
            |class| [0, 1, 2].map(|fold| (0..50).filter(|&r| codes[r] == class && folds[r] == fold).count());
        assert_eq!((sizes(0), sizes(1)), ([15, 14, 14], [3, 2, 2]));
        assert_ne!(folds, stratified_block_folds(&codes, 3, 1, SeedKey::root(5)).unwrap());
        let turned: Vec<u32> = codes.iter().map(|code| 4 - 3 * code).collect();
        assert_eq!(folds, stratified_block_folds(&turned, 3, 0, SeedKey::root(5)).unwrap());
        assert!(stratified_block_folds(&codes, 51, 0, SeedKey::root(5)).is_err());
    }

    #[test]
    fn other_codes_for_the_classes_give_the_same_folds() {
        let codes: Vec<u32> = (0..50).map(|row| u32::from(row % 7 == 3)).collect();
        let turned: Vec<u32> = codes.iter().map(|code| 4 - 3 * code).collect();
        let deal = |codes: &[u32]| stratified_folds(codes, 3, 0, SeedKey::root(5)).unwrap();
        assert_eq!(deal(&codes), deal(&turned));
    }

    #[test]
    fn seeds_and_repeats_give_other_folds_and_the_same_ones_the_same() {
        let codes: Vec<u32> = (0..60).map(|row| u32::from(row % 5 == 0)).collect();
        let deal = |seed, repeat| stratified_folds(&codes, 5, repeat, SeedKey::root(seed)).unwrap();
        assert_eq!(deal(3, 1), deal(3, 1));
        assert_ne!(deal(3, 1), deal(3, 2));
        assert_ne!(deal(3, 1), deal(4, 1));
    }

    #[test]
    fn a_class_of_one_row_is_tested_once() {
        let folds = stratified_folds(&[0, 0, 0, 5], 4, 0, SeedKey::root(0)).unwrap();
        let mut sorted = folds.clone();
        sorted.sort_unstable();
        assert_eq!((sorted, folds[3]), (vec![0, 1, 2, 3], 3));
    }

    #[test]
    fn impossible_numbers_of_folds_are_refused() {
        for k in [0, 1, 4] {
            assert!(matches!(
                stratified_folds(&[0, 1, 0], k, 0, SeedKey::root(0)),
                Err(Error::Parameter { .. })
            ));
        }
    }

    #[test]
    fn a_split_keeps_the_proportions() {
        let codes: Vec<u32> = (0..100).map(|row| u32::from(row < 10)).collect();
        let test = stratified_split(&codes, 0.25, SeedKey::root(1)).unwrap();
        // The fractions of the classes are 22.5 and 2.5 rows. The remainders are equal, so the 25th row comes
        // from the class with the lower code.
        let minority = test.iter().filter(|&&row| row < 10).count();
        assert_eq!((test.len(), minority), (25, 2));
        assert_eq!(test, stratified_split(&codes, 0.25, SeedKey::root(1)).unwrap());
        assert_ne!(test, stratified_split(&codes, 0.25, SeedKey::root(2)).unwrap());
    }

    #[test]
    fn a_split_leaves_a_training_row_of_every_class() {
        let test = stratified_split(&[0, 0, 0, 0, 1], 0.9, SeedKey::root(0)).unwrap();
        assert_eq!(test.len(), 3);
        assert!(!test.contains(&4));
        assert!(stratified_split(&[], 0.5, SeedKey::root(0)).unwrap().is_empty());
        assert!(stratified_split(&[0, 1], 1.0, SeedKey::root(0)).is_err());
    }
}
