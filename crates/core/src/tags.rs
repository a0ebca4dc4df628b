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
    /// Tags of the random streams of a tree, alone or in a forest, and of its nodes.
    tree {
        /// Random stream for a child of a node.
        BRANCH = 1,
        /// Random stream for candidate features of a node.
        COLUMNS = 2,
        /// Random stream for the threshold of a feature, or for a set of its levels.
        CUT = 3,
        /// Random stream for the sample of the rows of a long table from which bins are computed.
        BINS = 4,
        /// Random stream for the tree's alpha.
        ALPHA = 10,
        /// Random stream for one attempt to draw the tree's rows.
        ROWS = 11,
        /// Random stream for the order of the features of an SVR-Tree.
        AXES = 30,
        /// Random stream for the row order of target statistics, in a tree or forest.
        ORDER = 12,
    }
    /// Tags of the random streams of one attempt to draw rows.
    drawn {
        /// Random stream for a draw from all rows together.
        ALL = 0,
        /// Random stream for a draw from the rows of one class.
        ///
        /// The index of the stream is the position of the class in the order of the first rows of the
        /// classes.
        CLASS = 1,
        /// Random stream for a draw of whole groups.
        GROUPS = 2,
    }
    /// Tags of the random streams of a forest.
    forest {
        /// Random stream for a tree.
        TREE = 20,
        /// Random stream for the inner folds on which the shrinkage is chosen.
        FOLDS = 21,
        /// Random stream for the trees of an inner fold.
        FOLD = 22,
    }
    /// Tags of the random streams of boosted trees, of their folds and of a round.
    boosted {
        /// Random stream for a round.
        ROUND = 1,
        /// Random stream for the rows drawn in a round.
        ROWS = 2,
        /// Random stream for the columns drawn for a tree of a round.
        COLUMNS = 3,
        /// Random stream for the inner folds.
        FOLDS = 4,
        /// Random stream for an inner fold.
        FOLD = 5,
        /// Random stream for the choice of the earlier rounds that a round drops (DART).
        DROPPED = 6,
        /// Random stream for the row orders of target statistics, below the key of boosted trees.
        ///
        /// Below the key of a round, it is the random stream for the choice of one of these orders.
        ORDER = 7,
        /// Random numbers that are added to the scores of the splits of a tree of a round.
        NOISE = 8,
    }
    /// Tags of the random streams of logistic regression.
    linear {
        /// Random stream for the inner folds.
        FOLDS = 1,
    }
    /// Tags of the random streams of target statistics.
    statistics {
        /// Random stream for an order of the rows.
        ORDER = 0,
    }
    /// Tags of the random streams of a method that fits other methods or tunes their decisions.
    wrapped {
        /// Random stream for a model of a decomposition.
        MEMBER = 30,
        /// Random stream for the code book of a decomposition.
        CODE = 31,
        /// Random stream for the rows of one of `MetaCost`'s bags.
        BAG = 40,
        /// Random stream for the model of a bag.
        MODEL = 41,
        /// Random stream for the model of the relabeled rows.
        FINAL = 42,
        /// Random stream for folds and fits for choosing a threshold.
        TUNE = 60,
    }
    /// Tags of the random streams of an ensemble.
    ensemble {
        /// Random stream for a bag, or a round of boosting.
        BAG = 0,
        /// Random stream for folds on which costs are chosen, and for the models of these folds.
        GRID = 1,
    }
    /// Tags of the random streams of a bag.
    bag {
        /// Random stream for rows drawn from a class, or for one attempt to draw rows of all classes.
        ROWS = 1,
        /// Random stream for columns of the member.
        COLUMNS = 2,
        /// Random stream for the sampler applied to the rows.
        SAMPLER = 3,
        /// Random stream for the seed of the member.
        MEMBER = 4,
        /// Random stream for rows drawn by their weights, for members that do not support weights.
        BY_WEIGHT = 5,
        /// Random stream for an attempt at a round of boosting.
        ATTEMPT = 6,
        /// Random stream for rounds of boosting on the rows of the bag.
        BOOSTING = 7,
        /// Random stream for an attempt to draw the groups of the bag.
        GROUPS = 8,
    }
    /// Tags of the random streams of a code book.
    code_book {
        /// Random stream for one draw of a code book.
        BOOK = 0,
    }
    /// Tags of the random streams of an evaluation.
    evaluation {
        /// Random stream for the folds.
        FOLDS = 10,
        /// Random stream for the fits of a repeat; below the key of a repeat, for the fit of a fold.
        FIT = 11,
    }
    /// Tags of the random streams of a box drawing.
    boxes {
        /// Random stream for a start of the search for the best drawing.
        START = 1,
        /// Random stream for the seed of the search for the best drawing.
        SEARCH = 2,
        /// Random stream for clusters of rows that a search starts from.
        CLUSTERS = 3,
        /// Random stream for a start of k-means.
        CENTERS = 51,
        /// Random stream for PRIM's validation rows.
        JUDGES = 61,
    }
    /// Tags of the random streams of a search for a network's structure.
    structure {
        /// Random stream for a restart from a perturbed graph.
        RESTART = 1,
        /// Random stream for the graph from which a search starts.
        START = 2,
        /// Random stream for steps of a random walk.
        STEPS = 3,
    }
    /// Tags of the random streams of an ensemble of networks, and of its members.
    networks {
        /// Random stream for a member, from which the rows of the member are drawn.
        ROWS = 1,
        /// Random stream for a member's search.
        SEARCH = 2,
    }
    /// Tags of the random streams of a sampler.
    sampler {
        /// Random stream for rows of a class, or of all classes together (index 0).
        CLASS = 0,
    }
    /// Tags of the random streams of one class of a sampler.
    resampled {
        /// Random stream for rows from which synthetic rows are made.
        BASES = 1,
        /// Random stream for neighbors used for interpolation.
        MATES = 2,
        /// Random stream for positions of synthetic rows between base row and neighbor.
        GAPS = 3,
        /// Random stream for rows that are kept.
        KEPT = 4,
        /// Random stream for the order in which rows are visited.
        SCAN = 5,
        /// Random stream for initial rows of a condensed set.
        SEEDS = 6,
        /// Random stream for noise around copies.
        NOISE = 7,
        /// Random stream for the choice among equally frequent nominal values.
        VOTES = 8,
    }
    /// Tags of the random streams of rows drawn from a network.
    network_rows {
        /// Random stream for a block of rows.
        BLOCK = 0,
        /// Random stream for a block of rows drawn by their weights.
        RESAMPLE = 1,
    }
    /// Tags of the random streams of rows drawn from a classifier.
    generated {
        /// Random stream for the choice of the network that generates a row.
        MEMBER = 1,
        /// Random stream for the rows of a network.
        ROWS = 2,
        /// Random stream for numbers within the bins of a column.
        NUMBERS = 3,
    }
    /// Tags of the random streams of a cross-validation split.
    folds {
        /// Random stream for a repeat of folds.
        FOLDS = 0x0046_4f4c,
        /// Random stream for a train-test split.
        SPLIT = 0x0053_504c,
        /// Random stream for the rows of a class.
        CLASS = 0x0043_4c53,
        /// Random stream for a repeat of group folds.
        GROUPS = 0x0047_5250,
    }
    /// Tags of the random streams of conformal prediction.
    conformal {
        /// Random stream for the fraction by which calibration rows of equal score are counted.
        TIES = 1,
        /// Random stream for drawing the number of members to fit.
        MEMBERS = 2,
    }
    /// Tags of the random streams of a synthetic data set.
    made {
        /// Random stream for coordinates within shapes.
        POINTS = 0x0053_4850,
        /// Random stream for the choice of the part of a shape in which a point is drawn.
        COINS = 0x0053_4843,
        /// Random stream for an attempt to draw a shape's points.
        ATTEMPT = 0x0053_4841,
        /// Random stream for a class of a grid of disjuncts.
        DISJUNCTS = 0x4449_534a,
        /// Random stream for a class of the four Gaussians.
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
    /// The tag `*` stands for all other tags of its group.
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
