//! Tags of all random streams, used as arguments of [`crate::SeedKey::child`].
//!
//! Streams of one key must not share a tag, so each group contains the tags used below one kind of key.
//! Models and golden files depend on the numbers of the tags. These numbers never change, and a new stream
//! takes a number that its group does not contain.

macro_rules! tags {
    ($($(#[$of:meta])* $group:ident { $($(#[$doc:meta])* $name:ident = $tag:literal,)* })*) => {
        $($(#[$of])* pub mod $group { $($(#[$doc])* pub const $name: u32 = $tag;)* })*

        #[cfg(test)]
        const GROUPS: &[(&str, &[(&str, u32)])] = &[$((stringify!($group), &[$((stringify!($name), $tag)),*]),)*];
    };
}

tags! {
    /// Tags below the key of a tree, alone or in a forest, and below the keys of its nodes.
    tree {
        /// Tag for a child of a node.
        BRANCH = 1,
        /// Tag for candidate features of a node.
        COLUMNS = 2,
        /// Tag for a random threshold of a feature, or a random set of its levels.
        CUT = 3,
        /// Tag for the sample of the rows of a long table from which bins are computed.
        BINS = 4,
        /// Tag for the tree's alpha.
        ALPHA = 10,
        /// Tag for one attempt to draw the tree's rows.
        ROWS = 11,
        /// Tag for the order of the features of an SVR-Tree.
        AXES = 30,
        /// Tag for the random order of target statistics, below the key of a tree or forest.
        ORDER = 12,
    }
    /// Tags below the key of one attempt to draw rows.
    drawn {
        /// Tag for a draw from all rows together.
        ALL = 0,
        /// Tag for a draw from the rows of one class.
        ///
        /// The index of the stream is the position of the class in the order of the first rows of the
        /// classes.
        CLASS = 1,
        /// Whole groups.
        GROUPS = 2,
    }
    /// Tags below the key of a forest.
    forest {
        /// Tag for a tree.
        TREE = 20,
        /// Tag for the inner folds on which the shrinkage is chosen.
        FOLDS = 21,
        /// Tag for the trees of an inner fold.
        FOLD = 22,
    }
    /// Tags below the key of boosted trees, of their folds and of a round.
    boosted {
        /// Tag for a round.
        ROUND = 1,
        /// Tag for the rows drawn in a round.
        ROWS = 2,
        /// Tag for the columns drawn for a tree of a round.
        COLUMNS = 3,
        /// Tag for the inner folds.
        FOLDS = 4,
        /// Tag for an inner fold.
        FOLD = 5,
        /// Tag for the choice of the earlier rounds that a round drops (DART).
        DROPPED = 6,
        /// Tag for the random orders of rows for target statistics, below the key of boosted trees.
        ///
        /// Below the key of a round, it is the tag for the choice of one of these orders.
        ORDER = 7,
    }
    /// Tags below the key of logistic regression.
    linear {
        /// Tag for the inner folds.
        FOLDS = 1,
    }
    /// Tags below the key of target statistics.
    statistics {
        /// Tag for a random order of the rows.
        ORDER = 0,
    }
    /// Tags below the key of a method that fits other methods or tunes their decisions.
    wrapped {
        /// Tag for a model of a decomposition.
        MEMBER = 30,
        /// Tag for the code book of a decomposition.
        CODE = 31,
        /// Tag for the rows of one of `MetaCost`'s bags.
        BAG = 40,
        /// Tag for the model of a bag.
        MODEL = 41,
        /// Tag for the model of the relabeled rows.
        FINAL = 42,
        /// Tag for folds and fits for choosing a threshold.
        TUNE = 60,
    }
    /// Tags below the key of an ensemble.
    ensemble {
        /// Tag for a bag, or a round of boosting.
        BAG = 0,
        /// Tag for folds on which costs are chosen, and for the models fitted to these folds.
        GRID = 1,
    }
    /// Tags below the key of a bag.
    bag {
        /// Tag for rows drawn from a class, or one attempt to draw rows from all classes together.
        ROWS = 1,
        /// Tag for columns of the member.
        COLUMNS = 2,
        /// Tag for the sampler applied to the rows.
        SAMPLER = 3,
        /// Tag for the seed of the member.
        MEMBER = 4,
        /// Tag for rows drawn by their weights, for members that do not support weights.
        BY_WEIGHT = 5,
        /// Tag for an attempt at a round of boosting.
        ATTEMPT = 6,
        /// Tag for rounds of boosting on the rows of the bag.
        BOOSTING = 7,
        /// Tag for an attempt to draw the groups of the bag.
        GROUPS = 8,
    }
    /// Tags below the key of a code book.
    code_book {
        /// Tag for one draw of a code book.
        BOOK = 0,
    }
    /// Tags below the key of an evaluation.
    evaluation {
        /// Tag for the folds.
        FOLDS = 10,
        /// Tag for a repeat of the folds; below the key of a repeat, tag for a fold.
        FIT = 11,
    }
    /// Tags below the key of a box drawing.
    boxes {
        /// Tag for a random start of the search for the best drawing.
        START = 1,
        /// Tag for the seed of the search for the best drawing.
        SEARCH = 2,
        /// Tag for clusters of rows that a search starts from.
        CLUSTERS = 3,
        /// Tag for a start of k-means.
        CENTERS = 51,
        /// Tag for PRIM's validation rows.
        JUDGES = 61,
    }
    /// Tags below the key of a search for a network's structure.
    structure {
        /// Tag for a restart from a perturbed graph.
        RESTART = 1,
        /// Tag for the random graph to start from.
        START = 2,
        /// Tag for steps of a random walk.
        STEPS = 3,
    }
    /// Tags below the key of an ensemble of networks, and of its members.
    networks {
        /// Tag for a member, and its rows.
        ROWS = 1,
        /// Tag for a member's search.
        SEARCH = 2,
    }
    /// Tags below the key of a sampler.
    sampler {
        /// Tag for rows of a class, or of all classes together (index 0).
        CLASS = 0,
    }
    /// Tags below the key of one class of a sampler.
    resampled {
        /// Tag for rows from which synthetic rows are made.
        BASES = 1,
        /// Tag for neighbors used for interpolation.
        MATES = 2,
        /// Tag for positions of synthetic rows between base row and neighbor.
        GAPS = 3,
        /// Tag for rows that are kept.
        KEPT = 4,
        /// Tag for the order in which rows are visited.
        SCAN = 5,
        /// Tag for initial rows of a condensed set.
        SEEDS = 6,
        /// Tag for noise around copies.
        NOISE = 7,
        /// Tag for the choice among equally frequent nominal values.
        VOTES = 8,
    }
    /// Tags below the key of rows drawn from a network.
    network_rows {
        /// Tag for a block of rows.
        BLOCK = 0,
        /// Tag for a block of rows drawn by their weights.
        RESAMPLE = 1,
    }
    /// Tags below the key of rows drawn from a classifier.
    generated {
        /// Tag for the choice of the network that generates a row.
        MEMBER = 1,
        /// Tag for the rows of a network.
        ROWS = 2,
        /// Tag for numbers within the bins of a column.
        NUMBERS = 3,
    }
    /// Tags below the key of a cross-validation split.
    folds {
        /// Tag for a repeat of folds.
        FOLDS = 0x0046_4f4c,
        /// Tag for a train-test split.
        SPLIT = 0x0053_504c,
        /// Tag for the rows of a class.
        CLASS = 0x0043_4c53,
        /// Tag for a repeat of group folds.
        GROUPS = 0x0047_5250,
    }
    /// Tags below the key of conformal prediction.
    conformal {
        /// Tag for the random fraction by which calibration rows of equal score are counted.
        TIES = 1,
        /// Tag for drawing the number of members to fit.
        MEMBERS = 2,
    }
    /// Tags below the key of a synthetic data set.
    made {
        /// Tag for coordinates within shapes.
        POINTS = 0x0053_4850,
        /// Tag for the random choice of the part of a shape in which a point is drawn.
        COINS = 0x0053_4843,
        /// Tag for an attempt to draw a shape's points.
        ATTEMPT = 0x0053_4841,
        /// Tag for a class of a grid of disjuncts.
        DISJUNCTS = 0x4449_534a,
        /// Tag for a class of the four Gaussians.
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

    /// For each tag, whether its random stream respects groups and times of rows, and why.
    /// The entry `*` is for all other tags of a group of tags.
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
        ("forest", "*", "no: numbers the trees and the inner folds"),
        ("forest", "FOLDS", "yes: inner folds keep groups whole and go forward in time"),
        (
            "boosted",
            "*",
            "no: a round and the rows and columns of a round, which decide nothing about new rows",
        ),
        ("boosted", "FOLDS", "yes: inner folds keep groups whole and go forward in time"),
        ("statistics", "ORDER", "no: orders the rows; the history of a row leaves out its group"),
        ("linear", "FOLDS", "yes: inner folds keep groups whole and go forward in time"),
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
