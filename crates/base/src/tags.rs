//! Tags of all random streams: what [`crate::SeedKey::child`] is called with.
//!
//! Streams of one key must not share a tag, so that each group holds what stands below one kind of key. Models and
//! golden files hang on the numbers: they never change, and a new stream takes a number that its group has not.

macro_rules! tags {
    ($($(#[$of:meta])* $group:ident { $($(#[$doc:meta])* $name:ident = $tag:literal,)* })*) => {
        $($(#[$of])* pub mod $group { $($(#[$doc])* pub const $name: u32 = $tag;)* })*

        #[cfg(test)]
        const GROUPS: &[(&str, &[u32])] = &[$((stringify!($group), &[$($tag),*]),)*];
    };
}

tags! {
    /// Below the key of a tree, alone or in a forest, and of its nodes.
    tree {
        /// A child of a node.
        BRANCH = 1,
        /// Features that a node looks at.
        COLUMNS = 2,
        /// A cut of a feature at a threshold drawn at random, or its set of levels.
        CUT = 3,
        /// The rows of a long table that its bins are made of.
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
        /// A class, by its place in the order of the first rows.
        CLASS = 1,
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
        /// Earlier rounds that a round is learnt without.
        DROPPED = 6,
    }
    /// Below the key of a method that fits other methods, or tunes their decision.
    wrapped {
        /// A model of a decomposition.
        MEMBER = 30,
        /// The code book of a decomposition.
        CODE = 31,
        /// The rows of one of `MetaCost`'s bags.
        BAG = 40,
        /// The model of a bag.
        MODEL = 41,
        /// The model of the relabelled rows.
        FINAL = 42,
        /// Folds and fits by which a threshold is chosen.
        TUNE = 60,
    }
    /// Below the key of a committee.
    committee {
        /// A bag, or a round of boosting.
        BAG = 0,
        /// Folds by which costs are chosen, and what is fitted to them.
        GRID = 1,
    }
    /// Below the key of a bag.
    bag {
        /// Rows of a class that are drawn; of all classes, an attempt.
        ROWS = 1,
        /// Columns that the member sees.
        COLUMNS = 2,
        /// What a sampler does to the rows.
        SAMPLER = 3,
        /// The seed of the member.
        MEMBER = 4,
        /// Rows drawn by their weights, for members that take none.
        BY_WEIGHT = 5,
        /// An attempt at a round of boosting.
        ATTEMPT = 6,
        /// Rounds of boosting on the rows of the bag.
        BOOSTING = 7,
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
        CENTRES = 51,
        /// PRIM's rows that judge.
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
        /// A class; 0 for what concerns all.
        CLASS = 0,
    }
    /// Below the key of one class of a sampler.
    resampled {
        /// Rows from which others are made.
        BASES = 1,
        /// Neighbours towards which they are made.
        MATES = 2,
        /// Where they lie between both.
        GAPS = 3,
        /// Rows that are kept.
        KEPT = 4,
        /// Order in which rows are looked at.
        SCAN = 5,
        /// Rows with which a store begins.
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
        /// Which network draws a row.
        MEMBER = 1,
        /// The rows of a network.
        ROWS = 2,
        /// Numbers within the bins of a column.
        NUMBERS = 3,
    }
    /// Below the key of a division of rows.
    folds {
        /// A repeat of folds.
        FOLDS = 0x0046_4f4c,
        /// A split in two.
        SPLIT = 0x0053_504c,
        /// The rows of a class.
        CLASS = 0x0043_4c53,
        /// A repeat of folds of groups.
        GROUPS = 0x0047_5250,
    }
    /// Below the key of conformal prediction.
    conformal {
        /// Which part of the ties counts.
        TIES = 1,
        /// How many members are fitted.
        MEMBERS = 2,
    }
    /// Below the key of a made-up data set.
    made {
        /// Coordinates within shapes.
        POINTS = 0x0053_4850,
        /// Which part of a shape a point falls into.
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
