//! Reference implementations of the published methods, for tests of the fast ones.

use super::{ColumnStates, DiscretizerInput};
use super::{CutMethod, DiscretizeParams};
use imbcore_core::{Column, Frame, RunContext, midpoint};
use proptest::prelude::*;

type Rows = Vec<(f64, u32)>;

fn table(rows: &Rows, cuts: &[f64], n_classes: usize) -> Vec<Vec<f64>> {
    let mut table = vec![vec![0.0; n_classes]; cuts.len() + 1];
    for &(value, class) in rows {
        table[cuts.iter().filter(|&&cut| cut < value).count()][class as usize] += 1.0;
    }
    table
}

fn criterion(method: CutMethod, r_compat: bool, mut table: Vec<Vec<f64>>) -> f64 {
    let sum = |cells: &[f64]| cells.iter().sum::<f64>();
    let k = table.len() as f64;
    let count: f64 = table.iter().map(|interval| sum(interval)).sum();
    if method == CutMethod::Caim {
        let part =
            |interval: &Vec<f64>| interval.iter().fold(0.0_f64, |a, &b| a.max(b)).powi(2) / sum(interval);
        return table.iter().map(part).sum::<f64>() / k;
    }
    if r_compat {
        table.iter_mut().flatten().for_each(|cell| *cell += 1e-4);
    }
    let of_class: Vec<f64> =
        (0..table[0].len()).map(|class| table.iter().map(|interval| interval[class]).sum()).collect();
    let terms: f64 = table
        .iter()
        .map(|interval| {
            let cells = interval.iter().zip(&of_class).map(|(cell, class)| cell * cell / class);
            cells.sum::<f64>() / sum(interval)
        })
        .sum();
    let excess = if terms - 1.0 <= 64.0 * f64::EPSILON { 0.0 } else { terms - 1.0 };
    let chi2 = sum(&of_class) * excess;
    let intervals = if r_compat { k + 1.0 } else { k };
    match method {
        CutMethod::Cacc => (chi2 / (chi2 + count * intervals.ln())).sqrt(),
        _ => chi2 / (k * (of_class.len() as f64 - 1.0)),
    }
}

fn topdown(rows: &Rows, candidates: &[f64], n_classes: usize, method: CutMethod, r_compat: bool) -> Vec<f64> {
    let (mut cuts, mut reached) = (Vec::new(), 0.0);
    loop {
        let mut best = (0.0, None);
        for &candidate in candidates.iter().filter(|candidate| !cuts.contains(*candidate)) {
            let mut with = cuts.clone();
            with.push(candidate);
            with.sort_by(f64::total_cmp);
            let value = criterion(method, r_compat, table(rows, &with, n_classes));
            if value > best.0 + 1e-10 {
                best = (value, Some(candidate));
            }
        }
        let Some(cut) = best.1 else { return cuts };
        if best.0 <= reached + 1e-10 && cuts.len() + 1 >= n_classes {
            return cuts;
        }
        reached = best.0;
        cuts.push(cut);
        cuts.sort_by(f64::total_cmp);
    }
}

fn entropy(rows: &[(f64, u32)]) -> (f64, f64) {
    let mut counts = std::collections::BTreeMap::new();
    for &(_, class) in rows {
        *counts.entry(class).or_insert(0.0_f64) += 1.0;
    }
    let n = rows.len() as f64;
    (counts.values().map(|&count| -count / n * (count / n).ln()).sum(), counts.len() as f64)
}

/// Recursive minimal entropy that also tries cut points between rows of the same class.
fn mdlp(rows: &[(f64, u32)], cuts: &mut Vec<f64>) {
    let n = rows.len() as f64;
    let mut best = (f64::INFINITY, 0);
    for at in (1..rows.len()).filter(|&at| rows[at - 1].0 < rows[at].0) {
        let weighted = (at as f64 * entropy(&rows[..at]).0 + (n - at as f64) * entropy(&rows[at..]).0) / n;
        if weighted < best.0 - 1e-12 {
            best = (weighted, at);
        }
    }
    if best.1 == 0 {
        return;
    }
    let (left, right) = rows.split_at(best.1);
    let [(e, k), (e1, k1), (e2, k2)] = [rows, left, right].map(entropy);
    let delta = (3.0_f64.powf(k) - 2.0).ln() - (k * e - k1 * e1 - k2 * e2);
    if e - best.0 > ((n - 1.0).ln() + delta) / n {
        mdlp(left, cuts);
        cuts.push(midpoint(left[left.len() - 1].0, right[0].0));
        mdlp(right, cuts);
    }
}

fn slow(mut rows: Rows, method: CutMethod, r_compat: bool) -> Vec<f64> {
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut present: Vec<u32> = rows.iter().map(|&(_, class)| class).collect();
    present.sort_unstable();
    present.dedup();
    let number = |class| present.iter().position(|&one| one == class).unwrap() as u32;
    let rows: Rows = rows.into_iter().map(|(value, class)| (value, number(class))).collect();
    let mut cuts = Vec::new();
    if method == CutMethod::Mdlp {
        mdlp(&rows, &mut cuts);
    } else if present.len() > 1 {
        let two = rows.windows(2).filter(|two| two[0].0 < two[1].0);
        let candidates: Vec<f64> = two.map(|two| midpoint(two[0].0, two[1].0)).collect();
        cuts = topdown(&rows, &candidates, present.len(), method, r_compat);
    }
    cuts
}

fn fast(rows: &Rows, weights: Option<&[f64]>, method: CutMethod, r_compat: bool) -> Vec<f64> {
    let (values, classes): (Vec<f64>, Vec<u32>) = rows.iter().copied().unzip();
    let frame = Frame::new(vec![Column::from_numbers(&values)]).unwrap();
    let params = DiscretizeParams { discretizer: method, r_compat, ..DiscretizeParams::default() };
    let settings = params.check("test").unwrap();
    let training = DiscretizerInput { frame: &frame, classes: Some((&classes, 9)), weights };
    let kept = settings.training_rows(&training).unwrap();
    let found = settings.learn(&training, &kept, RunContext::silent()).unwrap();
    match found.columns.into_iter().next().unwrap().values {
        ColumnStates::Cuts(cuts) => cuts,
        ColumnStates::Levels(_) => unreachable!("the column is numeric"),
    }
}

fn rows() -> impl Strategy<Value = Rows> {
    (1_u32..6, 1_u32..40, 1_u32..8).prop_flat_map(|(n_classes, grid, run)| {
        let row = (0..grid, any::<u32>()).prop_map(move |(value, raw)| {
            let class = if raw % 4 == 0 { raw >> 2 } else { value / run };
            (f64::from(value) * 0.5, class % n_classes * 2 % 9)
        });
        prop::collection::vec(row, 1..60)
    })
}

const TOPDOWN: [CutMethod; 3] = [CutMethod::Caim, CutMethod::Cacc, CutMethod::Ameva];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn heap_and_table_give_the_same_cuts(rows in rows(), r_compat in any::<bool>()) {
        for method in TOPDOWN {
            let expected = slow(rows.clone(), method, r_compat);
            prop_assert_eq!(fast(&rows, None, method, r_compat), expected, "{:?}", method);
        }
    }

    #[test]
    fn borders_are_candidates_enough(rows in rows()) {
        prop_assert_eq!(fast(&rows, None, CutMethod::Mdlp, false), slow(rows, CutMethod::Mdlp, false));
    }

    #[test]
    fn a_weight_is_a_number_of_rows(rows in rows(), seed in any::<u64>()) {
        let copies: Vec<usize> = (0..rows.len()).map(|at| (seed >> (at % 60)) as usize & 3).collect();
        let weights: Vec<f64> = copies.iter().map(|&n| n as f64).collect();
        prop_assume!(copies.iter().any(|&n| n > 0));
        let repeated = rows.iter().zip(&copies).flat_map(|(&row, &n)| vec![row; n]).collect();
        for method in [CutMethod::Caim, CutMethod::Cacc, CutMethod::Ameva, CutMethod::Mdlp, CutMethod::EqualFreq] {
            let weighted = fast(&rows, Some(&weights), method, false);
            prop_assert_eq!(weighted, fast(&repeated, None, method, false), "{:?}", method);
        }
    }
}
