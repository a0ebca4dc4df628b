//! Tests of results of the solver process and of its termination.
//!
//! Cargo builds the solver program before these tests.
#![allow(clippy::disallowed_methods)]

use imbcore_core::{Error, Observer, Progress, RunContext};
use imbcore_solver::{MipLimits, MipModel, MipStatus, Sense, solve};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Model `sum w x = half` with binary `x`, even weights `w`, and an odd `half`.
///
/// `half` is about half of the sum of the weights. The model is infeasible, which is hard to prove.
fn hopeless(n: u32) -> MipModel {
    let mut model = MipModel::new(Sense::Maximize);
    let entries: Vec<_> =
        (0..n).map(|i| (model.add_binary(1.0), f64::from(2 * (1000 + (i * 7919) % 997)))).collect();
    let half = (entries.iter().map(|(_, w)| w).sum::<f64>() / 4.0).floor() * 2.0 + 1.0;
    model.add_at_most(&entries, half);
    model.add_at_least(&entries, half);
    model
}

#[test]
fn a_linear_program_has_its_optimum_as_bound() {
    let mut model = MipModel::new(Sense::Minimize);
    let (x, y) = (model.add_continuous(0.0, 5.0, 2.0), model.add_continuous(0.0, 5.0, 3.0));
    model.add_at_least(&[(x, 1.0), (y, 2.0)], 4.0);
    model.add_at_least(&[(x, 2.0), (y, 1.0)], 3.0);
    model.add_objective_constant(1.0);
    let outcome = solve(&model, &MipLimits::default(), None, RunContext::silent()).unwrap();
    assert_eq!(outcome.status, MipStatus::Optimal);
    assert!((outcome.bound - (1.0 + 4.0 / 3.0 + 5.0)).abs() < 1e-9, "{}", outcome.bound);
    assert!((outcome.found.unwrap().objective - outcome.bound).abs() < 1e-9);
}

#[test]
fn infeasible_models_are_reported() {
    let mut model = MipModel::new(Sense::Maximize);
    let x = model.add_binary(1.0);
    model.add_at_least(&[(x, 2.0)], 3.0);
    let outcome = solve(&model, &MipLimits::default(), None, RunContext::silent()).unwrap();
    assert_eq!((outcome.status, outcome.found), (MipStatus::Infeasible, None));
}

#[test]
fn a_stop_by_time_is_not_optimal_and_keeps_the_limit() {
    let start = Instant::now();
    let limits = MipLimits { seconds: 1.0, ..MipLimits::default() };
    let outcome = solve(&hopeless(60), &limits, None, RunContext::silent()).unwrap();
    assert!(start.elapsed().as_secs_f64() < 3.0, "{:?}", start.elapsed());
    assert_eq!((outcome.status, outcome.found), (MipStatus::TimeLimit, None));
    assert!(outcome.bound.is_finite());
}

#[test]
fn a_feasible_model_is_not_infeasible_at_the_time_limit() {
    for seconds in [1e-3, 3e-3, 0.01, 0.02, 0.05] {
        let mut model = MipModel::new(Sense::Maximize);
        let cols: Vec<_> = (0..300).map(|_| model.add_binary(1.0)).collect();
        for row in 0..300 {
            let row: Vec<_> =
                (0..40_u32).map(|i| (cols[(row + 7 * i as usize) % 300], f64::from(1 + i % 5))).collect();
            model.add_at_most(&row, 37.0);
        }
        let outcome =
            solve(&model, &MipLimits { seconds, ..MipLimits::default() }, None, RunContext::silent());
        assert_ne!(outcome.unwrap().status, MipStatus::Infeasible, "{seconds}");
    }
}

#[test]
fn a_warm_start_survives_the_time_limit() {
    let mut relaxed = MipModel::new(Sense::Maximize);
    let cols: Vec<_> = (0..60).map(|_| relaxed.add_binary(1.0)).collect();
    let weights: Vec<_> = cols.iter().map(|&col| (col, 3.0)).collect();
    relaxed.add_at_most(&weights, 100.0);
    let mut warm = vec![0.0; 60];
    warm[3] = 1.0;
    let outcome = solve(
        &relaxed,
        &MipLimits { seconds: 1e-3, gap: 0.0, ..MipLimits::default() },
        Some(&warm),
        RunContext::silent(),
    );
    assert!(outcome.unwrap().found.unwrap().objective >= 1.0);
}

#[test]
fn a_cancelled_call_returns_at_once() {
    struct NoObserver;
    impl Observer for NoObserver {
        fn progress(&self, _: Progress) {}
    }
    let late = || {
        let (stop, stopped_at) = (AtomicBool::new(false), OnceLock::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                let _ = stopped_at.set(Instant::now());
                stop.store(true, Ordering::Relaxed);
            });
            let ctl = RunContext::new(&NoObserver, &stop);
            assert_eq!(solve(&hopeless(60), &MipLimits::default(), None, ctl), Err(Error::Cancelled));
        });
        stopped_at.get().unwrap().elapsed()
    };
    // On a busy machine, single calls may be delayed, so the test uses the fastest of five calls.
    let quickest = (0..5).map(|_| late()).min().unwrap();
    assert!(quickest < Duration::from_millis(100), "{quickest:?}");
}

#[test]
fn limits_out_of_their_domain_are_refused() {
    let model = MipModel::new(Sense::Maximize);
    for limits in [
        MipLimits { seconds: f64::INFINITY, ..MipLimits::default() },
        MipLimits { gap: -1.0, ..MipLimits::default() },
    ] {
        assert!(matches!(solve(&model, &limits, None, RunContext::silent()), Err(Error::Parameter { .. })));
    }
}

#[test]
fn several_threads_solve_at_once() {
    std::thread::scope(|scope| {
        let fits: Vec<_> = (2..6_u32)
            .map(|n| {
                scope.spawn(move || {
                    let mut model = MipModel::new(Sense::Maximize);
                    let row: Vec<_> = (0..n).map(|_| (model.add_binary(1.0), 2.0)).collect();
                    model.add_at_most(&row, f64::from(n));
                    solve(&model, &MipLimits::default(), None, RunContext::silent()).unwrap()
                })
            })
            .collect();
        for (n, fit) in (2..6_u32).zip(fits) {
            let found = fit.join().unwrap().found.unwrap();
            assert_eq!(found.objective, f64::from(n / 2));
        }
    });
}
