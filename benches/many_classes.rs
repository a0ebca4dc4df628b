//! The Hellinger distance with 26 classes compared with the Gini decrease: one fully grown tree each, on one thread.
//!
//! Prints the ratio of their times. The class groups that the Hellinger distance compares may take at most three times
//! as long.

// A bench that cannot run has nothing to report. It prints its results and measures the time itself.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use imbcore_benches::Table;
use imbcore_core::{Learner, RunContext, SeedKey};
use imbcore_trees::TreeParams;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;

fn main() {
    // Cargo runs the benches as tests too, with other arguments.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        compare("letter-like, 20000 x 16, whole numbers, 26 classes", &Table::letters(20_000));
        compare("20000 x 10 distinct numbers, 26 classes, half of them rare", &Table::new(20_000, 10, 26, 2));
    });
}

fn compare(what: &str, table: &Table) {
    let data = table.data().unwrap();
    let hddt = TreeParams::hddt().check("hddt").unwrap();
    let cart = TreeParams { leaf_estimate: imbcore_trees::LeafEstimate::Laplace, ..TreeParams::cart() }
        .check("cart")
        .unwrap();
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (best, learner) in best.iter_mut().zip([&hddt, &cart]) {
            let start = Instant::now();
            learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap();
            *best = (*best).min(start.elapsed());
        }
    }
    let [hellinger, gini] = best.map(|time| time.as_secs_f64() * 1e3);
    println!("{what}: hellinger {hellinger:.1} ms, gini {gini:.1} ms, ratio {:.2}", hellinger / gini);
}
