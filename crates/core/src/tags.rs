//! Tags of all random streams, used as arguments of [`crate::SeedKey::child`].
//!
//! Streams of one key must not share a tag, so each group contains the tags used below one kind of key. Models
//! and golden files depend on the numbers: they never change, and a new stream takes a number that its group
//! does not contain.

macro_rules! tags {
    ($($(#[$of:meta])* $group:ident { $($(#[$doc:meta])* $name:ident = $tag:literal,)* })*) => {
        $($(#[$of])* pub mod $group { $($(#[$doc])* pub const $name: u32 = $tag;)* })*

        #[cfg(test)]
        const GROUPS: &[(&str, &[u32])] = &[$((stringify!($group), &[$($tag),*]),)*];
    };
}

tags! {
    /// Tags below the key of a tree, alone or in a forest, and below the keys of its nodes.
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
    /// Tags below the key of one attempt to draw rows.
    drawn {
        /// All rows together.
        ALL = 0,
        /// A class, by its position in the order of the first rows.
        CLASS = 1,
    }
    /// Tags below the key of a forest.
    forest {
        /// A tree.
        TREE = 20,
    }
    /// Tags below the key of boosted trees, of their folds and of a round.
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
    /// Tags below the key of a method that fits other methods or tunes their decisions.
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
    /// Tags below the key of an ensemble.
    ensemble {
        /// A bag, or a round of boosting.
        BAG = 0,
        /// Folds for choosing costs, and the models fitted to these folds.
        GRID = 1,
    }
    /// Tags below the key of a bag.
    bag {
        /// Rows drawn from a class, or one attempt to draw rows from all classes together.
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
    }
    /// Tags below the key of a code book.
    code_book {
        /// One draw of a book.
        BOOK = 0,
    }
    /// Tags below the key of an evaluation.
    evaluation {
        /// The folds.
        FOLDS = 10,
        /// A repeat, and below it a fold.
        FIT = 11,
    }
    /// Tags below the key of a box drawing.
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
    /// Tags below the key of a search for a network's structure.
    structure {
        /// A restart from a perturbed graph.
        RESTART = 1,
        /// The random graph to start from.
        START = 2,
        /// Steps of a random walk.
        STEPS = 3,
    }
    /// Tags below the key of an ensemble of networks, and of its members.
    networks {
        /// A member, and its rows.
        ROWS = 1,
        /// A member's search.
        SEARCH = 2,
    }
    /// Tags below the key of a sampler.
    sampler {
        /// Rows of a class, or of all classes together (index 0).
        CLASS = 0,
    }
    /// Tags below the key of one class of a sampler.
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
        /// Choice among equally frequent nominal values.
        VOTES = 8,
    }
    /// Tags below the key of rows drawn from a network.
    network_rows {
        /// A block of rows.
        BLOCK = 0,
        /// A block of rows drawn by their weights.
        RESAMPLE = 1,
    }
    /// Tags below the key of rows drawn from a classifier.
    generated {
        /// Choice of the network that generates a row.
        MEMBER = 1,
        /// The rows of a network.
        ROWS = 2,
        /// Numbers within the bins of a column.
        NUMBERS = 3,
    }
    /// Tags below the key of a cross-validation split.
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
    /// Tags below the key of conformal prediction.
    conformal {
        /// Fraction of the ties that counts.
        TIES = 1,
        /// Number of fitted members.
        MEMBERS = 2,
    }
    /// Tags below the key of a synthetic data set.
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
            assert_eq!(tags.iter().collect::<BTreeSet<_>>().len(), tags.len(), "{group}");
        }
    }
}
