//! Under-samplers compared with `tests/golden/resampling`.

use crate::common::{Table, cases};
use imbcore_resample::{
    Algorithm, CondensingSettings, OneSidedCondensing, OneSidedSelection, OneSidedStepOrder, ResamplingTask,
    condense, tomek_links,
};
use imbcore_tests::codes;
use serde_json::json;

#[test]
fn tomek() {
    for case in cases("tomek") {
        let table = Table::from_case(&case);
        for algorithm in [Algorithm::Brute, Algorithm::KdTree] {
            let found = table.searched(algorithm, |points, ctl| {
                tomek_links(points, &table.rows(), &table.classes, ctl).unwrap()
            });
            assert_eq!(json!(found), case["links"]);
        }
        for (strategy, passes, expected) in [
            ("auto", 1, &case["kept_not_minority"]),
            ("all", 1, &case["kept_all"]),
            ("auto", 3, &case["kept_after_3_passes"]),
        ] {
            let given = json!({"sampling_strategy": strategy, "passes": passes});
            let plan = table.plan("tomek_links", &given, 0).unwrap();
            assert_eq!(json!(plan.kept), *expected, "{strategy}, {passes} passes");
            assert_eq!(json!(plan.links), case["links"]);
        }
    }
}

#[test]
fn cnn() {
    for case in cases("cnn") {
        let table = Table::from_case(&case);
        let order = codes(&case["order"]);
        let how = CondensingSettings { k: 1, until_consistent: true };
        let store = |start: &[u32], candidates: &[u32]| {
            table.searched(Algorithm::Auto, |points, ctl| {
                json!(condense(points, &table.classes, start, candidates, how, ctl).unwrap())
            })
        };
        assert_eq!(store(&order[..1], &order), case["hart"]["store"]);
        if case.get("minority_kept").is_some() {
            let mut start = table.rows_of(1);
            start.extend(codes(&json!([case["seed_majority_row"]])));
            let candidates: Vec<u32> =
                order.iter().copied().filter(|&row| table.classes[row as usize] != 1).collect();
            assert_eq!(store(&start, &candidates), case["minority_kept"]["store"]);
        }
    }
}

#[test]
fn oss() {
    for case in cases("oss") {
        let table = Table::from_case(&case);
        let minority = codes(&json!([case["minority"]]))[0];
        let condensed: Vec<u32> =
            (0..table.labels().len() as u32).filter(|&class| class != minority).collect();
        let seeds = codes(&case["seed_rows"]);
        for (name, order, passes) in [
            ("condense_first_one_pass", OneSidedStepOrder::CondenseFirst, OneSidedCondensing::One),
            ("tomek_first_one_pass", OneSidedStepOrder::TomekFirst, OneSidedCondensing::One),
            ("condense_first_hart", OneSidedStepOrder::CondenseFirst, OneSidedCondensing::Hart),
            ("tomek_first_hart", OneSidedStepOrder::TomekFirst, OneSidedCondensing::Hart),
        ] {
            let selection = OneSidedSelection { condensed: &condensed, seeds: &seeds, k: 1, order, passes };
            let (frame, labels) = (table.frame(), table.labels());
            let task = ResamplingTask::new(Some(&frame), &table.classes, &labels).unwrap();
            let plan =
                table.searched(Algorithm::Auto, |points, ctl| selection.run(points, &task, ctl).unwrap());
            assert_eq!(json!(plan.kept), case[name], "{name}");
        }
    }
}
