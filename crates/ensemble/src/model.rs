//! A fitted forest that answers questions.

use crate::answer::{LeafVoice, Vote, cast, sum_answers};
use crate::gains::Gains;
use crate::packed::Packed;
use imbcore_base::{Classifier, Error, Frame, PriorShift, Result, RunCtl, first_largest, memory};
use imbcore_tree::{ColumnKind, LeafRule, Tree, TreeModel, shapley_sums};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a forest's trees are read and joined.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// Estimate of the leaves, and its `m`.
    pub leaf: LeafRule,
    /// Weight of the prior in the m-estimate.
    pub m: f64,
    /// Whether rows without a value are shared out among branches.
    pub fraction: bool,
    /// How the trees' answers are joined.
    pub vote: Vote,
    /// Whether a hard vote counts as much as a row of the leaf weighs on average (Chen, Liaw and Breiman 2004).
    pub weighted_votes: bool,
}

/// What the rows that a tree did not see tell of a forest.
#[derive(Clone, Debug)]
pub struct OutOfBag {
    /// Answer for every training row of the trees that did not see it, `n_rows x n_classes`; NaN where all saw it.
    pub decision: Vec<f64>,
    /// Score of these answers.
    pub score: f64,
}

impl OutOfBag {
    /// Moves the answers to the `rows` of a table of `n_rows`; the other rows of the table have NaN.
    pub(crate) fn place(&mut self, rows: &[u32], n_rows: usize) {
        if rows.is_empty() {
            return;
        }
        let n_classes = self.decision.len() / rows.len();
        let mut decision = vec![f64::NAN; n_rows * n_classes];
        for (&row, answer) in rows.iter().zip(self.decision.chunks_exact(n_classes)) {
            decision[row as usize * n_classes..][..n_classes].copy_from_slice(answer);
        }
        self.decision = decision;
    }
}

impl PartialEq for OutOfBag {
    /// Equal to the last bit, NaN included.
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        self.decision.len() == other.decision.len()
            && self.decision.iter().zip(&other.decision).all(|(a, b)| same(a, b))
            && same(&self.score, &other.score)
    }
}

/// A forest: packed trees and how to read them.
#[derive(Clone, Debug)]
pub struct ForestModel {
    pub(crate) packed: Packed,
    pub(crate) columns: Vec<ColumnKind>,
    pub(crate) reading: Reading,
    pub(crate) importances: Vec<f64>,
    pub(crate) alphas: Vec<f64>,
    pub(crate) out_of_bag: Option<OutOfBag>,
    /// A bit for each row that a tree saw, tree by tree, where it is asked for; a forest out of a file knows them no more.
    pub(crate) seen: Arc<[Vec<u64>]>,
    /// From the class shares that the trees saw to those of the data, where probabilities are recalibrated.
    pub(crate) shift: Option<PriorShift>,
    /// Sums behind the importances, with which a larger forest may begin; one out of a file knows them no more.
    pub(crate) gains: Option<Gains>,
}

impl PartialEq for ForestModel {
    /// Equal in all that answers and files hold.
    fn eq(&self, other: &Self) -> bool {
        let Self { packed, columns, reading, importances, alphas, out_of_bag, seen: _, shift, gains: _ } =
            self;
        *packed == other.packed
            && *columns == other.columns
            && *reading == other.reading
            && *importances == other.importances
            && *alphas == other.alphas
            && *out_of_bag == other.out_of_bag
            && *shift == other.shift
    }
}

impl ForestModel {
    pub(crate) fn new(packed: Packed, columns: Vec<ColumnKind>, reading: Reading) -> Self {
        let (importances, alphas, seen) = (vec![0.0; columns.len()], Vec::new(), [].into());
        let (out_of_bag, shift, gains) = (None, None, None);
        Self { packed, columns, reading, importances, alphas, out_of_bag, seen, shift, gains }
    }

    pub(crate) fn recalibrated(self, shift: Option<PriorShift>) -> Self {
        Self { shift, ..self }
    }

    /// From the class shares that the trees saw to those of the data, where probabilities are recalibrated.
    pub fn recalibration(&self) -> Option<&PriorShift> {
        self.shift.as_ref()
    }

    pub(crate) fn with_facts(self, gains: Gains, alphas: Vec<f64>) -> Self {
        Self { importances: gains.means(), gains: Some(gains), alphas, ..self }
    }

    pub(crate) fn with_out_of_bag(self, out_of_bag: OutOfBag, seen: Vec<Vec<u64>>) -> Self {
        Self { out_of_bag: Some(out_of_bag), seen: seen.into(), ..self }
    }

    /// The trees of several forests in one, in their order; `importances` are those of the columns in each tree.
    ///
    /// # Errors
    /// [`Error::Data`] where the forests are of other columns or classes, or are read otherwise.
    pub fn merged(parts: &[&Self], importances: &[Vec<f64>]) -> Result<Self> {
        let Some(&first) = parts.first() else {
            return Err(Error::Data("there are no forests to merge".into()));
        };
        let alike = |part: &&Self| {
            part.columns == first.columns
                && part.reading == first.reading
                && part.n_classes() == first.n_classes()
                && part.alphas.is_empty() == first.alphas.is_empty()
        };
        if !parts.iter().all(alike) {
            return Err(Error::Data("forests of other columns, classes or votes cannot be merged".into()));
        }
        let (mut packed, mut gains) = (Packed::new(first.n_classes()), Gains::new(first.columns.len()));
        for part in parts {
            packed.append(&part.packed);
        }
        for of_tree in importances {
            gains.add(of_tree);
        }
        packed.shrink();
        let alphas = parts.iter().flat_map(|part| &part.alphas).copied().collect();
        let shifts: Vec<_> = parts.iter().map(|part| (part.shift.as_ref(), part.n_trees())).collect();
        Ok(Self::new(packed, first.columns.clone(), first.reading)
            .with_facts(gains, alphas)
            .recalibrated(PriorShift::mean(&shifts)))
    }

    /// Number of trees.
    pub fn n_trees(&self) -> usize {
        self.packed.n_trees()
    }

    /// Number of leaves of all trees together.
    pub fn n_leaves(&self) -> usize {
        self.packed.n_leaves()
    }

    /// Number of nodes of all trees together.
    pub fn n_nodes(&self) -> usize {
        self.packed.n_nodes()
    }

    /// Splits on the longest way down any tree.
    pub fn depth(&self) -> u32 {
        let depth = |tree| self.packed.depths(tree).into_iter().max().unwrap_or_default();
        (0..self.n_trees()).map(depth).max().unwrap_or_default()
    }

    /// Bytes that the trees hold.
    pub fn bytes(&self) -> usize {
        self.packed.bytes()
    }

    /// Mean over the trees of each feature's share in the total gain of the splits.
    pub fn feature_importances(&self) -> &[f64] {
        &self.importances
    }

    /// The alpha of every tree; empty where the trees share one criterion.
    pub fn alphas(&self) -> &[f64] {
        &self.alphas
    }

    /// Answers and score of the rows that trees did not see, where asked for.
    pub fn out_of_bag(&self) -> Option<&OutOfBag> {
        self.out_of_bag.as_ref()
    }

    /// Numbers the training rows by their place in a table of `n_rows` that also has rows without weight.
    pub fn place_rows(&mut self, rows: &[u32], n_rows: usize) {
        let Some(found) = &mut self.out_of_bag else { return };
        found.place(rows, n_rows);
        let placed = |seen: &Vec<u64>| {
            let mut bits = vec![0_u64; n_rows.div_ceil(64)];
            for (_, &row) in rows.iter().enumerate().filter(|(at, _)| seen[at / 64] >> (at % 64) & 1 == 1) {
                bits[row as usize / 64] |= 1 << (row % 64);
            }
            bits
        };
        self.seen = self.seen.iter().map(placed).collect();
    }

    /// Drops them, where they served and nobody asked for them.
    pub fn forget_out_of_bag(&mut self) {
        self.out_of_bag = None;
        self.seen = [].into();
    }

    /// One tree, unpacked.
    ///
    /// # Errors
    /// [`Error::Data`] when there is no such tree.
    pub fn member(&self, tree: usize) -> Result<TreeModel> {
        if tree >= self.n_trees() {
            let message = format!("the forest has {} trees, there is no tree {tree}", self.n_trees());
            return Err(Error::Data(message));
        }
        let arrays = self.packed.unpack(tree);
        let tree = Tree::from_arrays(arrays, &self.columns, self.packed.n_classes())?;
        Ok(TreeModel::new(tree, self.reading.leaf, self.reading.m, self.reading.fraction))
    }

    /// Whether rows without a value are shared out among the branches of a tree.
    pub fn shares_missing(&self) -> bool {
        self.reading.fraction
    }

    /// How the trees' answers are joined, and whether votes count by the weight of their leaves.
    pub fn vote(&self) -> (Vote, bool) {
        (self.reading.vote, self.reading.weighted_votes)
    }

    /// What a leaf of one of the trees, as [`Self::member`] gives it, says of every class, and the weight of its voice.
    pub fn voice(&self, member: &TreeModel, leaf: usize) -> (Vec<f64>, f64) {
        let mut answer = member.node_proba(leaf).to_vec();
        let weight = match self.reading.vote {
            Vote::Soft => 1.0,
            Vote::Hard if self.reading.weighted_votes => cast(mean_weight(member, leaf as u32), &mut answer),
            Vote::Hard => cast(1.0, &mut answer),
        };
        (answer, weight)
    }

    /// Whether a tree did not see a training row, `n_rows x n_trees`; none where nothing was asked out of bag, or the forest comes out
    /// of a file.
    pub fn left_out(&self) -> Option<Vec<bool>> {
        let n_rows = self.out_of_bag.as_ref()?.decision.len() / self.packed.n_classes();
        let unseen = |row: usize| self.seen.iter().map(move |seen| seen[row / 64] >> (row % 64) & 1 == 0);
        (!self.seen.is_empty()).then(|| (0..n_rows).flat_map(unseen).collect())
    }

    /// Class probabilities of every row by each tree, `n_trees x n_rows x n_classes`.
    ///
    /// # Errors
    /// As the trees; [`Error::Memory`].
    pub fn trees_proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let size = self.n_trees() * frame.n_rows() * self.packed.n_classes();
        let mut all = memory::reserved(size, "answers of the trees")?;
        for tree in 0..self.n_trees() {
            all.extend(self.member(tree)?.proba(frame, ctl.quiet())?);
        }
        Ok(all)
    }

    /// Leaf of every row in every tree, `n_rows x n_trees`, by the node numbers of the single trees.
    ///
    /// # Errors
    /// [`Error::Column`] for an infinity, [`Error::Cancelled`].
    pub fn apply(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        let n_trees = self.n_trees();
        let mut leaves = vec![0; frame.n_rows() * n_trees];
        for tree in 0..n_trees {
            let of_tree = self.member(tree)?.apply(frame, ctl)?;
            for (leaf, row) in of_tree.into_iter().zip(leaves.chunks_exact_mut(n_trees)) {
                row[tree] = leaf;
            }
        }
        Ok(leaves)
    }

    /// Shapley values of every column for what the trees say of `class` together, `n_rows x n_columns`, and the value without
    /// any column: the mean of [`TreeModel::shapley`] over the trees, before anything is recalibrated.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where what leaves say does not add up: votes that count by the weight of their leaves, and votes
    /// on rows that end in several. Otherwise as [`TreeModel::shapley`].
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunCtl<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let Reading { vote, weighted_votes, fraction, .. } = self.reading;
        let mut frames = background.into_iter().chain([frame]);
        let which = match vote {
            Vote::Hard if weighted_votes => "votes that count by the weight of their leaves",
            Vote::Hard if fraction && frames.any(Frame::has_missing) => {
                "votes on rows that end in several leaves"
            }
            _ => "",
        };
        if !which.is_empty() {
            let message = format!("{which} do not add up: fit with vote=\"soft\" to explain");
            return Err(Error::Unsupported(message));
        }
        let says = |proba: &[f64]| match vote {
            Vote::Soft => proba[class],
            Vote::Hard => f64::from(u8::from(first_largest(proba) == class as u32)),
        };
        let n_trees = self.n_trees();
        let mut sums = shapley_sums(frame, background)?;
        let mut base = 0.0;
        for tree in 0..n_trees {
            base += self.member(tree)?.add_shapley(says, frame, background, &mut sums, ctl)?;
            ctl.tick("trees", tree as u64 + 1, n_trees as u64);
        }
        for sum in &mut sums {
            *sum /= n_trees as f64;
        }
        Ok((sums, base / n_trees as f64))
    }

    /// What the trees say together, before anything is recalibrated.
    fn votes(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let (mut sums, weights) = self.sums(frame, None, ctl)?;
        divide(&mut sums, &weights);
        Ok(sums)
    }

    /// Sums of the trees' answers and the weight of the answers, row by row.
    pub(crate) fn sums(
        &self,
        frame: &Frame<'_>,
        asks: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
        ctl: RunCtl<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let Reading { leaf, m, fraction, vote, weighted_votes } = self.reading;
        let voice = LeafVoice { rule: leaf, m, vote, weighted: weighted_votes };
        if fraction && frame.has_missing() {
            return self.sums_of_shares(voice, frame, asks, ctl);
        }
        sum_answers(&self.packed, voice, frame, asks, ctl)
    }

    /// As [`Self::sums`], where a row may reach several leaves of a tree.
    fn sums_of_shares(
        &self,
        voice: LeafVoice,
        frame: &Frame<'_>,
        asks: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
        ctl: RunCtl<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let c = self.packed.n_classes();
        let mut sums = memory::filled(frame.n_rows() * c, 0.0, "answers")?;
        let mut weights = memory::filled(frame.n_rows(), 0.0, "answers")?;
        for tree in 0..self.n_trees() {
            let member = self.member(tree)?;
            let mut proba = member.proba(frame, ctl)?;
            let leaves = if voice.weighted { member.apply(frame, ctl)? } else { Vec::new() };
            for (row, answer) in proba.chunks_exact_mut(c).enumerate() {
                if asks.is_some_and(|asks| !asks(tree, row)) {
                    continue;
                }
                weights[row] += match voice.vote {
                    Vote::Soft => 1.0,
                    Vote::Hard => {
                        cast(leaves.get(row).map_or(1.0, |&leaf| mean_weight(&member, leaf)), answer)
                    }
                };
                for (sum, part) in sums[row * c..(row + 1) * c].iter_mut().zip(answer) {
                    *sum += *part;
                }
            }
        }
        Ok((sums, weights))
    }
}

/// Weight of a training row of a leaf, on average.
fn mean_weight(model: &TreeModel, leaf: u32) -> f64 {
    match model.tree().rows(leaf as usize) {
        0 => 1.0,
        rows => model.tree().total_mass(leaf as usize) / f64::from(rows),
    }
}

impl Classifier for ForestModel {
    fn n_classes(&self) -> usize {
        self.packed.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let mut proba = self.votes(frame, ctl)?;
        if let Some(shift) = &self.shift {
            shift.apply(&mut proba);
        }
        Ok(proba)
    }

    /// The answers are those of the votes, also where probabilities are recalibrated: a balanced forest stays balanced.
    fn answers(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let mut proba = self.votes(frame, ctl)?;
        let answers = proba.chunks_exact(self.n_classes()).map(first_largest).collect();
        if let Some(shift) = &self.shift {
            shift.apply(&mut proba);
        }
        Ok((answers, proba))
    }
}

/// Turns sums of answers into their mean; NaN where nobody answered.
pub(crate) fn divide(sums: &mut [f64], weights: &[f64]) {
    let c = sums.len() / weights.len().max(1);
    for (answers, &weight) in sums.chunks_exact_mut(c.max(1)).zip(weights) {
        for answer in answers {
            *answer = if weight > 0.0 { *answer / weight } else { f64::NAN };
        }
    }
}
