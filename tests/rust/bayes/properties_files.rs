//! Network files are read back bit for bit, and readers do not panic on any text.

// A test file: panics and printing are allowed, and positions are never negative.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::cast_sign_loss)]

use imbcore_bayes::io::{
    read_bif, read_json, read_net, read_xmlbif, write_bif, write_dot, write_json, write_net, write_xmlbif,
};
use imbcore_bayes::{Cpt, Dag, Network, Variable};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A network, and warnings about rows that were rounded.
type Reader = fn(&str) -> imbcore_core::Result<(Network, Vec<String>)>;
type Writer = fn(&Network) -> imbcore_core::Result<String>;

const FORMATS: [(&str, Reader, Writer); 4] = [
    ("bif", read_bif, write_bif),
    ("xmlbif", read_xmlbif, write_xmlbif),
    ("net", read_net, write_net),
    ("json", read_json, write_json),
];

/// Names without the delimiters of BIF: words of unusual characters separated by single blanks.
const NAME: &str = "[a-zA-Z0-9<>./_()+*'&;%=é-]{1,6}( [a-z(<5&]{1,4})?";

fn names(
    count: std::ops::RangeInclusive<usize>,
    pattern: &'static str,
) -> impl Strategy<Value = Vec<String>> {
    let legal = |name: &String| !name.starts_with("//") && !name.starts_with("/*");
    proptest::collection::btree_set(pattern.prop_filter("a comment", legal), count)
        .prop_map(|set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

/// Weights of a row; some but not all of them are 0.
fn row(levels: usize) -> impl Strategy<Value = Vec<f64>> {
    let cell = prop_oneof![3 => 1e-9..1.0_f64, 1 => Just(0.0), 1 => 1e-300..1e-200_f64];
    proptest::collection::vec(cell, levels).prop_map(|mut row| {
        if row.iter().sum::<f64>() < 1e-9 {
            row[0] = 1.0;
        }
        let sum: f64 = row.iter().sum();
        row.iter().map(|cell| cell / sum).collect()
    })
}

/// Networks with one to six variables and any arcs, declared in any order.
fn networks(pattern: &'static str) -> impl Strategy<Value = Network> {
    let variable = move || names(1..=4, pattern);
    names(1..=6, pattern)
        .prop_flat_map(move |named| {
            let n = named.len();
            let order = Just((0..n as u32).collect::<Vec<_>>()).prop_shuffle();
            let arcs = proptest::collection::vec(any::<bool>(), n * n);
            (Just(named), proptest::collection::vec(variable(), n), order, arcs)
        })
        .prop_flat_map(|(named, states, order, arcs)| {
            let n = named.len();
            let of = |child: usize| {
                let mut own: Vec<u32> = (0..n)
                    .filter(|&parent| order[parent] < order[child] && arcs[parent * n + child])
                    .map(|parent| parent as u32)
                    .collect();
                own.truncate(3);
                own
            };
            let parents: Vec<Vec<u32>> = (0..n).map(of).collect();
            let tables: Vec<_> = (0..n)
                .map(|child| {
                    let rows: usize = parents[child].iter().map(|&p| states[p as usize].len()).product();
                    proptest::collection::vec(row(states[child].len()), rows).prop_map(|rows| rows.concat())
                })
                .collect();
            (Just(named), Just(states), Just(parents), tables)
        })
        .prop_map(|(named, states, parents, tables)| {
            let levels =
                |own: &[u32]| own.iter().map(|&p| states[p as usize].len() as u32).collect::<Vec<_>>();
            let cpts = parents.iter().zip(tables).zip(&states).map(|((own, p), mine)| {
                Cpt::from_dense_cells(own.clone(), levels(own), mine.len() as u32, p).unwrap()
            });
            let cpts: Vec<_> = cpts.collect();
            let variables = named.into_iter().zip(states.clone());
            let variables = variables.map(|(name, states)| Variable { name, states }).collect();
            Network::new(variables, cpts).unwrap()
        })
}

proptest! {
    #[test]
    fn written_networks_are_read_back(network in networks(NAME)) {
        for (format, read, write) in FORMATS {
            let text = write(&network).unwrap();
            prop_assert_eq!(&read(&text).unwrap().0, &network, "{}", format);
            prop_assert_eq!(write(&read(&text).unwrap().0).unwrap(), text);
        }
    }

    #[test]
    fn json_and_net_store_any_name(network in networks("(?s).{0,5}")) {
        prop_assert_eq!(&read_json(&write_json(&network).unwrap()).unwrap().0, &network);
        prop_assert_eq!(&read_net(&write_net(&network).unwrap()).unwrap().0, &network);
        for (format, read, write) in FORMATS {
            // A name that a format cannot represent is rejected, never changed.
            if let Ok(text) = write(&network) {
                prop_assert_eq!(&read(&text).unwrap().0, &network, "{}", format);
            }
        }
    }

    #[test]
    fn readers_do_not_panic_on_any_text(
        network in networks(NAME),
        at in 0.0..1.0_f64,
        length in 0_usize..40,
        noise in "[(){}|;,=\"<>/&% a0-9\n-]{0,12}",
    ) {
        for (_, read, write) in FORMATS {
            let text: Vec<char> = write(&network).unwrap().chars().collect();
            let start = (at * text.len() as f64) as usize;
            let end = (start + length).min(text.len());
            let broken: String = text[..start].iter().copied().chain(noise.chars()).chain(text[end..].iter().copied()).collect();
            let found = read(&broken);
            prop_assert!(found.is_ok() || !found.unwrap_err().to_string().contains("internal"));
        }
    }

    #[test]
    fn graphs_have_a_line_for_every_arc(network in networks(NAME)) {
        let dot = write_dot(&network);
        prop_assert_eq!(dot.lines().filter(|line| line.contains("\" -> \"")).count(), network.dag().arcs().len());
    }
}

/// Folder of the network files, from `IMBCORE_DATA` or next to the checkout.
fn data() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("IMBCORE_DATA").map_or(beside, PathBuf::from).join("bif");
    folder.is_dir().then_some(folder)
}

#[test]
fn networks_of_the_repository_are_read() {
    let Some(folder) = data() else {
        println!("skipped: no network files; set IMBCORE_DATA to their folder");
        return;
    };
    // Variables, arcs, maximum number of parents, maximum number of states.
    let expected = [
        ("asia", 8, 8, 2, 2),
        ("cancer", 5, 4, 2, 2),
        ("earthquake", 5, 4, 2, 2),
        ("survey", 6, 6, 2, 3),
        ("sachs", 11, 17, 3, 3),
        ("child", 20, 25, 2, 6),
        ("insurance", 27, 52, 3, 5),
        ("alarm", 37, 46, 4, 4),
        ("hailfinder", 56, 66, 4, 11),
        ("hepar2", 70, 123, 6, 4),
        ("win95pts", 76, 112, 7, 2),
        ("andes", 223, 338, 6, 2),
        ("water", 32, 66, 5, 4),
    ];
    for (name, n, arcs, parents, states) in expected {
        let text = std::fs::read_to_string(folder.join(format!("{name}.bif"))).unwrap();
        let network = read_bif(&text).unwrap().0;
        let dag: &Dag = network.dag();
        let most_parents = (0..n).map(|child| dag.parents(child).len()).max();
        let most_states = network.n_states_by_variable().into_iter().max();
        assert_eq!((network.n_variables(), dag.arcs().len()), (n, arcs), "{name}");
        assert_eq!((most_parents, most_states), (Some(parents), Some(states)), "{name}");
        for (format, read, write) in FORMATS {
            assert_eq!(read(&write(&network).unwrap()).unwrap().0, network, "{name} as {format}");
        }
    }
}
