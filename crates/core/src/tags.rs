//! Tags of all random streams, used as arguments of [`crate::SeedKey::child`].
//!
//! Streams of one key must not share a tag, so each group contains the tags used below one kind of key. Models
//! and golden files depend on the numbers: they never change, and a new stream takes a number that its group
//! does not contain.

macro_rules! tags {
    ($($(#[$of:meta])* $group:ident { $($(#[$doc:meta])* $name:ident = $tag:literal,)* })*) => {
        $($(#[$of])* pub mod $group { $($(#[$doc])* pub const $name: u32 = $tag;)* })*

        #[cfg(test)]
        const GROUPS: &[(&str, &[(&str, u32)])] = &[$((stringify!($group), &[$((stringify!($name), $tag)),*]),)*];
    };
}

tags! {
    /// Below the key of a tree, alone or in a forest, and of its nodes.
    tree {
        /// A child of a node.
        BRANCH = 1,
        /// Candidate features of a node.
        COLUMNS = 2,
        /// A random threshold of a feature, or its set of levels.
        CUT = 3,
        /// Sample of the rows of a long table from which bins are computed.
        BINS = 4,
        /// The tree's alpha.
        ALPHA = 10,
        /// One attempt to draw the tree's rows.
        ROWS = 11,
        /// Order of the features of an SVR-Tree.
        AXES = 30,
    }
    /// Below the key of one attempt to draw rows.
    drawn {
        /// All rows together.
        ALL = 0,
        /// A class, by its position in the order of the first rows.
        CLASS = 1,
        /// Whole groups.
        GROUPS = 2,
    }
    /// Below the key of a forest.
    forest {
        /// A tree.
        TREE = 20,
    }
    /// Below the key of boosted trees, of their folds and of a round.
    boosted {
        /// A round.
        ROUND = 1,
        /// Rows of a round.
        ROWS = 2,
        /// Columns of a tree of a round.
        COLUMNS = 3,
        /// The inner folds.
        FOLDS = 4,
        /// An inner fold.
        FOLD = 5,
        /// Earlier rounds dropped for a round (DART).
        DROPPED = 6,
    }
    /// Below the key of a method that fits other methods or tunes their decisions.
    wrapped {
        /// A model of a decomposition.
        MEMBER = 30,
        /// The code book of a decomposition.
        CODE = 31,
        /// The rows of one of `MetaCost`'s bags.
        BAG = 40,
        /// The model of a bag.
        MODEL = 41,
        /// The model of the relabeled rows.
        FINAL = 42,
        /// Folds and fits for choosing a threshold.
        TUNE = 60,
    }
    /// Below the key of an ensemble.
    ensemble {
        /// A bag, or a round of boosting.
        BAG = 0,
        /// Folds for choosing costs, and the models fitted to these folds.
        GRID = 1,
    }
    /// Below the key of a bag.
    bag {
        /// Rows drawn from a class; for all classes, an attempt.
        ROWS = 1,
        /// Columns of the member.
        COLUMNS = 2,
        /// Sampler applied to the rows.
        SAMPLER = 3,
        /// The seed of the member.
        MEMBER = 4,
        /// Rows drawn by their weights, for members that do not support weights.
        BY_WEIGHT = 5,
        /// An attempt at a round of boosting.
        ATTEMPT = 6,
        /// Rounds of boosting on the rows of the bag.
        BOOSTING = 7,
        /// An attempt to draw the groups of the bag.
        GROUPS = 8,
    }
    /// Below the key of a code book.
    code_book {
        /// One draw of a book.
        BOOK = 0,
    }
    /// Below the key of an evaluation.
    evaluation {
        /// The folds.
        FOLDS = 10,
        /// A repeat, and below it a fold.
        FIT = 11,
    }
    /// Below the key of a box drawing.
    boxes {
        /// A random start of the search for the best drawing.
        START = 1,
        /// The seed of that search.
        SEARCH = 2,
        /// Clusters of rows that a search starts from.
        CLUSTERS = 3,
        /// A start of k-means.
        CENTERS = 51,
        /// PRIM's validation rows.
        JUDGES = 61,
    }
    /// Below the key of a search for a network's structure.
    structure {
        /// A restart from a perturbed graph.
        RESTART = 1,
        /// The random graph to start from.
        START = 2,
        /// Steps of a random walk.
        STEPS = 3,
    }
    /// Below the key of an ensemble of networks, and of its members.
    networks {
        /// A member, and its rows.
        ROWS = 1,
        /// A member's search.
        SEARCH = 2,
    }
    /// Below the key of a sampler.
    sampler {
        /// A class; 0 for all classes together.
        CLASS = 0,
    }
    /// Below the key of one class of a sampler.
    resampled {
        /// Rows from which synthetic rows are made.
        BASES = 1,
        /// Neighbors used for interpolation.
        MATES = 2,
        /// Positions of synthetic rows between base row and neighbor.
        GAPS = 3,
        /// Rows that are kept.
        KEPT = 4,
        /// Order in which rows are visited.
        SCAN = 5,
        /// Initial rows of a condensed set.
        SEEDS = 6,
        /// Noise around copies.
        NOISE = 7,
        /// Nominal values, among equally frequent ones.
        VOTES = 8,
    }
    /// Below the key of rows drawn from a network.
    network_rows {
        /// A block of rows.
        BLOCK = 0,
        /// A block of rows drawn by their weights.
        RESAMPLE = 1,
    }
    /// Below the key of rows drawn from a classifier.
    generated {
        /// Choice of the network that generates a row.
        MEMBER = 1,
        /// The rows of a network.
        ROWS = 2,
        /// Numbers within the bins of a column.
        NUMBERS = 3,
    }
    /// Below the key of a cross-validation split.
    folds {
        /// A repeat of folds.
        FOLDS = 0x0046_4f4c,
        /// A train-test split.
        SPLIT = 0x0053_504c,
        /// The rows of a class.
        CLASS = 0x0043_4c53,
        /// A repeat of group folds.
        GROUPS = 0x0047_5250,
    }
    /// Below the key of conformal prediction.
    conformal {
        /// Fraction of the ties that counts.
        TIES = 1,
        /// Number of fitted members.
        MEMBERS = 2,
    }
    /// Below the key of a synthetic data set.
    made {
        /// Coordinates within shapes.
        POINTS = 0x0053_4850,
        /// Choice of the part of a shape that contains a point.
        COINS = 0x0053_4843,
        /// An attempt to draw a shape's points.
        ATTEMPT = 0x0053_4841,
        /// A class of a grid of disjuncts.
        DISJUNCTS = 0x4449_534a,
        /// A class of the four Gaussians.
        GAUSSIANS = 0x0047_4155,
    }
}

#[cfg(test)]
mod tests {
    use super::GROUPS;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_streams_of_one_key_share_a_tag() {
        assert!(GROUPS.len() > 10);
        for (group, tags) in GROUPS {
            assert_eq!(tags.iter().map(|(_, tag)| tag).collect::<BTreeSet<_>>().len(), tags.len(), "{group}");
        }
    }

    /// Whether groups and times of rows matter to a stream, and why not.
    /// A verdict on `*` is for all other streams of a group.
    const VERDICTS: &[(&str, &str, &str)] = &[
        (
            "tree",
            "*",
            "no: features and thresholds of a node, and rows for bins, decide nothing about new rows",
        ),
        ("tree", "ROWS", "yes: the rows of a tree are whole groups"),
        ("drawn", "ALL", "no: used only for rows without groups"),
        ("drawn", "CLASS", "no: balances the rows of the groups that are drawn first"),
        ("drawn", "GROUPS", "yes: draws whole groups"),
        ("forest", "*", "no: numbers the trees"),
        (
            "boosted",
            "*",
            "no: a round and the rows and columns of a round, which decide nothing about new rows",
        ),
        ("boosted", "FOLDS", "yes: inner folds keep groups whole and go forward in time"),
        ("boosted", "FOLD", "no: numbers the inner folds"),
        ("wrapped", "*", "no: numbers the models, and code books do not use rows"),
        ("wrapped", "BAG", "yes: bags of MetaCost are whole groups"),
        ("wrapped", "TUNE", "yes: inner folds and held-out rows keep groups whole and go forward in time"),
        ("ensemble", "BAG", "no: numbers the bags and rounds"),
        ("ensemble", "GRID", "yes: folds of the cost grid keep groups whole and go forward in time"),
        (
            "bag",
            "*",
            "no: rows of a class, columns and synthetic rows of a bag, whose groups are drawn first",
        ),
        ("bag", "BY_WEIGHT", "no: replaces the weights of a bag for members that do not support weights"),
        ("bag", "GROUPS", "yes: draws the groups of a bag"),
        ("code_book", "*", "no: code books do not use rows"),
        ("evaluation", "FOLDS", "yes: folds keep groups whole and go forward in time"),
        ("evaluation", "FIT", "no: numbers the fits"),
        ("boxes", "*", "no: starts of searches, which decide nothing about new rows"),
        ("boxes", "JUDGES", "yes: validation rows of PRIM are whole groups, and are refused with time"),
        ("structure", "*", "no: searches for a structure with a score on all rows"),
        ("networks", "ROWS", "yes: the rows of a member are whole groups"),
        ("networks", "SEARCH", "no: searches for a structure with a score on all rows"),
        ("sampler", "*", "no: resamples given rows, and predicts nothing"),
        ("resampled", "*", "no: resamples given rows, and predicts nothing"),
        ("network_rows", "*", "no: generates rows from a model"),
        ("generated", "*", "no: generates rows from a model"),
        ("folds", "FOLDS", "no: used only for rows without groups"),
        ("folds", "SPLIT", "yes: with groups, draws groups with and without a positive row"),
        ("folds", "CLASS", "no: a class below one of the others"),
        (
            "folds",
            "GROUPS",
            "yes: order in which groups are assigned, and a row of each group for a guarantee",
        ),
        ("conformal", "TIES", "no: randomizes ties"),
        ("conformal", "MEMBERS", "no: out_of_bag_plus is refused with groups and times"),
        ("made", "*", "no: simulates rows"),
    ];

    #[test]
    fn every_stream_has_a_verdict_about_groups() {
        let mut used = BTreeSet::new();
        for (group, tags) in GROUPS {
            for (name, _) in *tags {
                let exact = VERDICTS.iter().position(|(of, tag, _)| of == group && tag == name);
                let found =
                    exact.or_else(|| VERDICTS.iter().position(|(of, tag, _)| of == group && *tag == "*"));
                let found = found.unwrap_or_else(|| panic!("{group}::{name} has no verdict"));
                assert!(VERDICTS[found].2.starts_with("yes: ") || VERDICTS[found].2.starts_with("no: "));
                used.insert(found);
            }
        }
        assert_eq!(used.len(), VERDICTS.len(), "a verdict is on a stream that does not exist");
    }
}
