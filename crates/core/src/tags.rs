//! Tags that identify the random streams of the library.
//!
//! A random stream is derived from a parent seed key and a tag by [`crate::SeedKey::child`]. Streams with the
//! same parent must have different tags. Each group therefore contains all tags that are used with one kind
//! of parent. Models and golden files depend on the numbers of the tags. These numbers never change, and a
//! new stream takes a number that its group does not contain.

macro_rules! tags {
    ($($(#[$of:meta])* $group:ident { $($(#[$doc:meta])* $name:ident = $tag:literal,)* })*) => {
        $($(#[$of])* pub mod $group { $($(#[$doc])* pub const $name: u32 = $tag;)* })*

        #[cfg(test)]
        const GROUPS: &[(&str, &[(&str, u32)])] = &[$((stringify!($group), &[$((stringify!($name), $tag)),*]),)*];
    };
}

tags! {
    /// Tags of the random streams of a tree and of its nodes.
    tree {
        /// Random stream for a child of a node.
        BRANCH = 1,
        /// Random stream for candidate features of a node.
        COLUMNS = 2,
        /// Random stream for a random threshold of a numeric column, or a random set of levels.
        CUT = 3,
        /// Random stream for the sample of rows from which the bins of a long table are computed.
        BINS = 4,
        /// Random stream for the tree's alpha.
        ALPHA = 10,
        /// Random stream for one attempt to draw the tree's rows.
        ROWS = 11,
        /// Random stream for the order of the features of an SVR-Tree.
        AXES = 30,
        /// Random stream for the row order from which target statistics are computed.
        ORDER = 12,
    }
    /// Tags of the random streams of one attempt to draw a sample of rows.
    drawn {
        /// Random stream for a draw from all rows together.
        ALL = 0,
        /// Random stream for a draw from the rows of one class.
        ///
        /// The index of the stream is the position of the class in the order in which classes first occur in
        /// the table.
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
    /// Tags of the random streams of boosted trees, their inner folds and their boosting rounds.
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
        /// Random stream for the row orders from which target statistics are computed.
        ///
        /// In a boosting round, it is the random stream for the choice of one of these orders.
        ORDER = 7,
        /// Random stream for the noise that is added to the scores of splits in a boosting round.
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
    /// Tags of the random streams of methods that fit other methods, and of threshold tuning.
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
        /// Random stream for the rows, folds and models for calibration or choice of a threshold.
        TUNE = 60,
    }
    /// Tags of the random streams of an ensemble.
    ensemble {
        /// Random stream for a bag (the rows of one member) or for a round of boosting.
        BAG = 0,
        /// Random stream for the folds by which costs are chosen, and for their models.
        GRID = 1,
    }
    /// Tags of the random streams of a bag, that is, the rows of one member of an ensemble.
    bag {
        /// Random stream for the rows drawn from one class, or from all classes together.
        ROWS = 1,
        /// Random stream for the columns that the member uses.
        COLUMNS = 2,
        /// Random stream for the sampler applied to the rows.
        SAMPLER = 3,
        /// Random stream for the seed of the member.
        MEMBER = 4,
        /// Random stream for rows drawn by their weights, for members that do not support weights.
        BY_WEIGHT = 5,
        /// Random stream for one attempt to fit the member of a boosting round.
        ATTEMPT = 6,
        /// Random stream for rounds of boosting on the rows of the bag.
        BOOSTING = 7,
        /// Random stream for an attempt to draw the groups of the bag.
        GROUPS = 8,
    }
    /// Tags of the random streams of a code book (class codes of a decomposition).
    code_book {
        /// Random stream for one draw of a code book.
        BOOK = 0,
    }
    /// Tags of the random streams of an evaluation.
    evaluation {
        /// Random stream for the folds.
        FOLDS = 10,
        /// Random stream for the fits of one repeat, from which the streams of its folds derive.
        FIT = 11,
    }
    /// Tags of the random streams of classifiers that consist of boxes.
    boxes {
        /// Random stream for one start of a local search for the best boxes.
        START = 1,
        /// Random stream for the seed of the search for the best boxes.
        SEARCH = 2,
        /// Random stream for the clusters of rows from which a search for boxes starts.
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
        /// Random stream for a member of the ensemble and for the rows of the member.
        ROWS = 1,
        /// Random stream for a member's search.
        SEARCH = 2,
    }
    /// Tags of the random streams of a sampler.
    sampler {
        /// Random stream for resampling one class; index 0 also stands for all classes together.
        CLASS = 0,
    }
    /// Tags of the random streams for resampling one class.
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
        /// Random stream for the initial rows of condensed nearest neighbors.
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
        /// Random stream for drawing rows of a block in proportion to their weights.
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
        /// Random stream for the assignment of the rows of one class to folds.
        CLASS = 0x0043_4c53,
        /// Random stream for the assignment of groups to folds in one repeat.
        GROUPS = 0x0047_5250,
    }
    /// Tags of the random streams of conformal prediction.
    conformal {
        /// Random stream for breaking ties between equal conformal scores.
        TIES = 1,
        /// Random stream for the random number of members of an ensemble in conformal prediction.
        MEMBERS = 2,
    }
    /// Tags of the random streams of a synthetic data set.
    made {
        /// Random stream for coordinates within shapes.
        POINTS = 0x0053_4850,
        /// Random stream for the choice among the parts of a shape, in one of which a point is drawn.
        COINS = 0x0053_4843,
        /// Random stream for an attempt to draw a shape's points.
        ATTEMPT = 0x0053_4841,
        /// Random stream for the points of one class in a grid of small disjuncts.
        DISJUNCTS = 0x4449_534a,
        /// Random stream for the points of one class in the data set of four Gaussians.
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

    /// For each tag, whether random draws respect groups and times of rows, and why.
    ///
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
