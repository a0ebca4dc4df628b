//! Growth of a tree: order of nodes, leaf or split, and parallel execution.
//!
//! A node is first opened: its split is found, or it becomes a leaf. Then it is expanded: its rows are
//! partitioned among its children.
//!
//! In depth-first growth, large nodes are opened one after the other, and each of them is scanned by several
//! threads in parallel over the columns. For each remaining small node, one thread grows its subtree in a
//! separate builder; the subtrees are inserted in the order of their roots. In best-first growth, open nodes
//! are kept in a heap.
//!
//! The random key of a node derives from its parent's key and its branch number, so the tree is the same for
//! any number of threads.

use crate::binned::BinnedRows;
use crate::grow::growth_scratch::GrowthScratch;
use crate::grow::node_rows::{NodeRows, TrainingLayout};
use crate::grow::prioritized_node::PrioritizedNode;
use crate::grow::tree_builder::{MassStorageFormat, TreeBuilder};
use crate::params::{BestFirstPriority, MissingRule};
use crate::rows::class_codes::{ClassCodes, NodeClassCoding};
use crate::rows::class_sums::ClassSums;
use crate::rows::rank_table::FrequentAndRareRows;
use crate::rows::train_column::{FlaggedRow, RARE, TrainColumn, row_of_entry};
use crate::rows::training::{RowWeights, TreeSample};
use crate::rows::weighting::{AnyWeighting, ByClassWeighting, ByRowWeighting};
use crate::settings::{FeatureDrawRule, PARALLEL_WORK, RowLayout, Settings, SplitFeature};
use crate::split::monotone::MonotoneBounds;
use crate::split::search::{SplitFinder, SplitSearchInputs};
use crate::split::split_candidate::NodeSplit;
use crate::split::split_plan::{ChildRows, PartitionedNode, SplitPlan};
use crate::split::split_scanner::NodeStats;
use crate::tree::Tree;
use imbcore_core::{Result, RunContext, SeedKey, parallel, shuffle, tags};
use imbcore_criteria::{BranchMasses, Criterion as _, Entropy, NodeScorer};
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

enum GrowthRows<'o> {
    Exact(NodeRows<'o>),
    Binned(BinnedRows<'o>),
}

pub(crate) fn grow(
    mut training: TreeSample<'_>,
    settings: &Settings,
    finder: &dyn SplitFinder,
    view: TrainingLayout<'_>,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Tree> {
    let weights = AnyWeighting::for_table(&training.table.weighing);
    let mut sums = training.class_sums();
    weights.compute_masses(&mut sums);
    // The list of rows is moved out of `training` and partitioned in place, so that it exists only once.
    let entries = std::mem::take(&mut training.entries);
    let training = &training;
    let least_fall = settings.min_decrease * sums.total_mass();
    TreeGrower { training, settings, finder, weights, least_fall, ctl, settled: AtomicU64::new(0) }
        .grow(view, entries, sums, key)
}

struct TreeGrower<'g> {
    training: &'g TreeSample<'g>,
    settings: &'g Settings,
    finder: &'g dyn SplitFinder,
    weights: AnyWeighting<'g>,
    /// Minimum decrease of the criterion for a split, multiplied by the mass of the root.
    least_fall: f64,
    ctl: RunContext<'g>,
    settled: AtomicU64,
}

struct NodeWithSplit<'o> {
    node: usize,
    depth: usize,
    key: SeedKey,
    rows: GrowthRows<'o>,
    sums: ClassSums,
    coding: NodeClassCoding,
    split: NodeSplit,
    guard: Option<MonotoneBounds<'o>>,
}

struct UnsearchedNode<'o> {
    node: usize,
    depth: usize,
    key: SeedKey,
    share: ChildRows<GrowthRows<'o>>,
    coding: NodeClassCoding,
    guard: Option<MonotoneBounds<'o>>,
}

#[derive(Clone, Copy)]
struct NodeView<'v> {
    training: &'v TreeSample<'v>,
    weights: AnyWeighting<'v>,
}

impl TreeGrower<'_> {
    fn grow(
        &self,
        mut view: TrainingLayout<'_>,
        mut entries: Vec<FlaggedRow>,
        sums: ClassSums,
        key: SeedKey,
    ) -> Result<Tree> {
        let training = self.training;
        let mut room;
        let rows = match &mut view {
            TrainingLayout::Sorted(orders) => GrowthRows::Exact(match self.settings.layout {
                RowLayout::Presorted => {
                    NodeRows::Presorted(orders.iter_mut().map(Vec::as_mut_slice).collect())
                }
                RowLayout::Listed => {
                    let weights = entries.iter().map(|&entry| training.table.weight_of(entry)).collect();
                    NodeRows::Listed { entries: std::mem::take(&mut entries), weights }
                }
                RowLayout::Ranked => {
                    *orders = vec![Vec::with_capacity(entries.len()), Vec::new()];
                    let (frequent, rare) = orders.split_at_mut(1);
                    for entry in std::mem::take(&mut entries) {
                        if entry & RARE == 0 { frequent[0].push(entry) } else { rare[0].push(entry) }
                    }
                    NodeRows::Ranked(FrequentAndRareRows { frequent: &mut frequent[0], rare: &mut rare[0] })
                }
            }),
            TrainingLayout::Binned(bins) => {
                // The allocator provides zeroed pages, which use no memory until they are written to.
                room = vec![0; if self.settings.exact_split_max_rows > 0 { training.n_rows } else { 0 }];
                GrowthRows::Binned(BinnedRows::for_root(bins, &mut entries, &mut room))
            }
        };
        let mut draft = TreeBuilder::new(self.mass_storage_format());
        draft.add_leaf(sums.n_rows(), &sums, &NodeClassCoding::default());
        let guard = MonotoneBounds::for_root(self.settings, &sums.mass);
        let (coding, sums) = self.renumber_classes(&rows, NodeClassCoding::default(), sums);
        let root = UnsearchedNode { node: 0, depth: 0, key, share: ChildRows { rows, sums }, coding, guard };
        match self.settings.max_leaves {
            Some(most) => self.grow_best_first(root, most, &mut draft)?,
            None => self.grow_depth_first(root, &mut draft)?,
        }
        let has_groups = self.finder.compares_class_groups() && self.training.table.n_classes > 2;
        let units = match &self.training.table.weighing {
            RowWeights::ByClass(weights) => weights.clone(),
            RowWeights::ByRow(_) => vec![1.0; self.training.table.n_classes],
        };
        Ok(draft.into_tree(units, has_groups))
    }

    fn mass_storage_format(&self) -> MassStorageFormat {
        let table = self.training.table;
        let by_class = matches!(table.weighing, RowWeights::ByClass(_));
        MassStorageFormat::new(table.n_classes, by_class && !self.can_have_fractional_rows())
    }

    /// Renumbers the classes of a node, unless histograms or the criterion need the old codes.
    fn renumber_classes(
        &self,
        rows: &GrowthRows<'_>,
        coding: NodeClassCoding,
        sums: ClassSums,
    ) -> (NodeClassCoding, ClassSums) {
        let has_tables = matches!(rows, GrowthRows::Binned(rows) if rows.has_histograms());
        if has_tables || self.finder.depends_on_absent_classes() {
            return (coding, sums);
        }
        coding.renumber_classes(sums, self.training.table)
    }

    fn call_with_node_view<R>(
        &self,
        coding: &NodeClassCoding,
        scratch: &mut GrowthScratch,
        work: impl FnOnce(NodeView<'_>, &mut GrowthScratch) -> R,
    ) -> R {
        let mut codes = std::mem::take(&mut scratch.codes);
        let codes_at_node = ClassCodes::for_node(coding, self.training.table, &mut codes);
        let training = self.training.with_node_class_codes(codes_at_node);
        let weights = match (self.weights, coding.class_weights_by_code()) {
            (AnyWeighting::ByClass(_), Some(own)) => AnyWeighting::ByClass(ByClassWeighting(own)),
            (weights, _) => weights,
        };
        let done = work(NodeView { training: &training, weights }, scratch);
        scratch.codes = codes;
        done
    }

    /// Splits large nodes one by one, then grows the subtrees of small nodes in parallel.
    /// The columns of a large node are scanned in parallel.
    fn grow_depth_first(&self, root: UnsearchedNode<'_>, draft: &mut TreeBuilder) -> Result<()> {
        let mut scratch = GrowthScratch::new(self.training);
        let mut stack = vec![root];
        let mut small = Vec::new();
        while let Some(candidate) = stack.pop() {
            let work = candidate.share.sums.n_rows() as usize * self.training.table.columns.len();
            if work < self.ctl.task_size(PARALLEL_WORK) {
                small.push(candidate);
            } else if let Some(open) = self.search_split(candidate, &mut scratch)? {
                // The left child is popped first, so that nodes are created in preorder.
                stack.extend(self.apply_split(open, draft, &mut scratch)?.into_iter().rev());
            }
        }
        let subtree = |scratch: &mut GrowthScratch, candidate: UnsearchedNode<'_>| {
            Ok((candidate.node, self.grow_subtree(candidate, scratch)?))
        };
        let subtrees = parallel::try_map_with(small, || GrowthScratch::new(self.training), subtree)?;
        for (node, subtree) in subtrees {
            draft.replace_leaf_by_subtree(node, subtree);
        }
        Ok(())
    }

    fn grow_subtree(&self, root: UnsearchedNode<'_>, scratch: &mut GrowthScratch) -> Result<TreeBuilder> {
        let mut draft = TreeBuilder::new(self.mass_storage_format());
        draft.add_leaf(root.share.sums.n_rows(), &root.share.sums, &root.coding);
        let mut stack = vec![UnsearchedNode { node: 0, ..root }];
        while let Some(candidate) = stack.pop() {
            if let Some(open) = self.search_split(candidate, scratch)? {
                stack.extend(self.apply_split(open, &mut draft, scratch)?.into_iter().rev());
            }
        }
        Ok(draft)
    }

    /// Expands nodes by descending priority; skips splits that would exceed `most` leaves.
    fn grow_best_first(&self, root: UnsearchedNode<'_>, most: usize, draft: &mut TreeBuilder) -> Result<()> {
        let mut scratch = GrowthScratch::new(self.training);
        let mut heap: BinaryHeap<PrioritizedNode<NodeWithSplit<'_>>> =
            self.search_split_with_priority(root, &mut scratch)?.into_iter().collect();
        let mut n_leaves = 1;
        while let Some(PrioritizedNode { open, .. }) = heap.pop() {
            let more = open.split.n_branches() - 1;
            if n_leaves + more > most {
                continue;
            }
            n_leaves += more;
            let children = self.apply_split(open, draft, &mut scratch)?;
            if n_leaves == most {
                break;
            }
            for candidate in children {
                heap.extend(self.search_split_with_priority(candidate, &mut scratch)?);
            }
        }
        Ok(())
    }

    fn search_split_with_priority<'o>(
        &self,
        candidate: UnsearchedNode<'o>,
        scratch: &mut GrowthScratch,
    ) -> Result<Option<PrioritizedNode<NodeWithSplit<'o>>>> {
        let Some(open) = self.search_split(candidate, scratch)? else { return Ok(None) };
        let promise = match self.settings.growth_order {
            BestFirstPriority::Gain => self.criterion_decrease(&open.sums, &open.split),
            BestFirstPriority::Entropy => {
                let node = NodeStats { sums: &open.sums, guard: open.guard, key: open.key };
                let plan = self.call_with_node_view(&open.coding, scratch, |view, scratch| {
                    self.compute_split_plan(view, &open.rows, &open.split, node, scratch)
                })?;
                let masses: Vec<f64> = plan.sums.iter().flat_map(|sums| &sums.mass).copied().collect();
                let branches = BranchMasses::new(&masses, open.sums.mass.len());
                open.sums.total_mass() * Entropy {}.node_scorer(&open.sums.mass).score(branches)
            }
        };
        Ok(Some(PrioritizedNode::new(promise, open.node, open)))
    }

    /// Decrease of the criterion by a split, weighted so that different nodes are comparable.
    fn criterion_decrease(&self, sums: &ClassSums, split: &NodeSplit) -> f64 {
        self.finder.node_comparison_factor(&sums.mass, &split.group) * split.gain
    }

    /// Returns whether a node becomes a leaf without a search for a split.
    fn is_leaf(&self, sums: &ClassSums, depth: usize) -> bool {
        depth >= self.settings.max_depth
            || (sums.n_rows() as usize) < self.settings.min_split.max(2 * self.settings.min_rows)
            || sums.total_mass() < 2.0 * self.settings.min_mass
            || sums.is_pure()
    }

    fn search_split<'o>(
        &self,
        candidate: UnsearchedNode<'o>,
        scratch: &mut GrowthScratch,
    ) -> Result<Option<NodeWithSplit<'o>>> {
        self.ctl.check()?;
        let UnsearchedNode { node, depth, key, share: ChildRows { mut rows, mut sums }, mut coding, guard } =
            candidate;
        let split = if self.is_leaf(&sums, depth) {
            None
        } else {
            rows = match rows {
                GrowthRows::Binned(rows) if sums.n_rows() <= self.settings.exact_split_max_rows => {
                    GrowthRows::Exact(NodeRows::Ranked(rows.into_exact_growth_rows(self.training, scratch)))
                }
                rows => rows,
            };
            (coding, sums) = self.renumber_classes(&rows, coding, sums);
            self.call_with_node_view(&coding, scratch, |view, scratch| {
                self.find_split(view, &mut rows, NodeStats { sums: &sums, guard, key }, scratch)
            })?
        };
        let Some(split) = split.filter(|split| self.criterion_decrease(&sums, split) >= self.least_fall)
        else {
            let done = self.settled.fetch_add(u64::from(sums.n_rows()), Ordering::Relaxed);
            let done = done + u64::from(sums.n_rows());
            self.ctl.report_progress("rows", done, self.training.n_rows as u64);
            return Ok(None);
        };
        Ok(Some(NodeWithSplit { node, depth, key, rows, sums, coding, split, guard }))
    }

    /// Returns the rows and their fractional weights; `None` if rows are never split.
    ///
    /// With `None`, the caller uses the training weights. The masses are then bit-identical in every memory
    /// layout.
    fn fractional_rows<'r>(&self, rows: &'r NodeRows<'_>) -> Option<(&'r [FlaggedRow], &'r [f64])> {
        match rows {
            NodeRows::Listed { entries, weights } if self.can_have_fractional_rows() => {
                Some((entries, weights))
            }
            _ => None,
        }
    }

    fn can_have_fractional_rows(&self) -> bool {
        self.settings.missing == MissingRule::Fraction && self.settings.may_miss.contains(&true)
    }

    fn find_split(
        &self,
        view: NodeView<'_>,
        rows: &mut GrowthRows<'_>,
        node: NodeStats<'_>,
        scratch: &mut GrowthScratch,
    ) -> Result<Option<NodeSplit>> {
        let split = match rows {
            GrowthRows::Binned(rows) => {
                let search = self.split_search_inputs(view, view.weights, node);
                let best = |drawn: &[SplitFeature]| rows.find_split(self.finder, search, drawn, scratch);
                self.search_drawn_features(node.key, best)?
            }
            GrowthRows::Exact(rows) => {
                let search =
                    self.split_search_inputs(view, self.row_weighting_of_node(view, rows, scratch), node);
                self.search_drawn_features(node.key, |drawn| self.finder.find_split(search, drawn, rows))?
            }
        };
        let (Some(split), Some(guard)) = (&split, node.guard) else { return Ok(split) };
        if !guard.constrains(split.column) {
            return Ok(Some(split.clone()));
        }
        // Rejects a split that violates monotonic constraints; the scan may accept one due to rounding.
        let plan = self.compute_split_plan(view, rows, split, node, scratch)?;
        Ok(plan.child_constraints(guard, split, node.sums).map(|_| split.clone()))
    }

    fn row_weighting_of_node<'s>(
        &self,
        view: NodeView<'s>,
        rows: &NodeRows<'_>,
        scratch: &'s mut GrowthScratch,
    ) -> AnyWeighting<'s> {
        let Some((entries, weights)) = self.fractional_rows(rows) else { return view.weights };
        scratch.load_row_weights(self.training.table.classes.len(), entries, weights);
        AnyWeighting::ByRow(ByRowWeighting(&scratch.weight))
    }

    fn split_search_inputs<'s>(
        &'s self,
        view: NodeView<'s>,
        weights: AnyWeighting<'s>,
        node: NodeStats<'s>,
    ) -> SplitSearchInputs<'s> {
        SplitSearchInputs { training: view.training, settings: self.settings, weights, node, ctl: self.ctl }
    }

    fn search_drawn_features(
        &self,
        key: SeedKey,
        mut best: impl FnMut(&[SplitFeature]) -> Result<Option<NodeSplit>>,
    ) -> Result<Option<NodeSplit>> {
        let all = &self.settings.features;
        let Some(FeatureDrawRule { at_once, again }) = self.settings.drawn else { return best(all) };
        // Ties go to the feature drawn first, so that the position of a column in the table has no effect.
        let mut drawn = all.clone();
        shuffle(&mut key.child(tags::tree::COLUMNS, 0).rng(), &mut drawn);
        // If `again` is true, groups of `at_once` features are tried until a split is found. Otherwise, only
        // one group is tried.
        for drawn in drawn.chunks(at_once) {
            let split = best(drawn)?;
            if split.is_some() || !again {
                return Ok(split);
            }
        }
        Ok(None)
    }

    fn apply_split<'o>(
        &self,
        open: NodeWithSplit<'o>,
        draft: &mut TreeBuilder,
        scratch: &mut GrowthScratch,
    ) -> Result<Vec<UnsearchedNode<'o>>> {
        let NodeWithSplit { node, depth, key, rows, sums, coding, mut split, guard } = open;
        let wanted = |sums: &ClassSums| !self.is_leaf(sums, depth + 1);
        let facts = NodeStats { sums: &sums, guard, key };
        let mut division = self.call_with_node_view(&coding, scratch, |view, scratch| {
            Ok(match rows {
                GrowthRows::Binned(rows) => {
                    let search = self.split_search_inputs(view, view.weights, facts);
                    rows.partition(search, &split, wanted, scratch)?.map_rows(GrowthRows::Binned)
                }
                GrowthRows::Exact(rows) => self
                    .partition_exact_rows(view, rows, &mut split, wanted, scratch)?
                    .map_rows(GrowthRows::Exact),
            })
        })?;
        let guards = guard.and_then(|guard| division.child_constraints(guard, &split, &sums));
        let children = draft.split_leaf(node, &split, &mut division, &sums, &coding);
        let children = division.children.into_iter().zip(children).zip(0..).map(|((share, node), branch)| {
            let key = key.child(tags::tree::BRANCH, branch);
            let guard = guards.as_ref().map(|guards| guards[branch as usize]);
            let ChildRows { rows, sums } = share;
            let (coding, sums) = self.renumber_classes(&rows, coding.clone(), sums);
            UnsearchedNode { node, depth: depth + 1, key, share: ChildRows { rows, sums }, coding, guard }
        });
        Ok(children.collect())
    }

    fn partition_exact_rows<'o>(
        &self,
        view: NodeView<'_>,
        rows: NodeRows<'o>,
        split: &mut NodeSplit,
        wanted: impl Fn(&ClassSums) -> bool,
        scratch: &mut GrowthScratch,
    ) -> Result<PartitionedNode<NodeRows<'o>>> {
        let training = view.training;
        let order = rows.rows_grouped_by_branch(training, split, self.ctl)?;
        let plan = self.compute_plan_from_sorted_rows(view, &rows, split, &order, scratch);
        let wanted: Vec<bool> = plan.sums.iter().map(wanted).collect();
        let level_at = |place: usize| match &training.table.columns[split.column] {
            TrainColumn::Nominal { codes, .. } => codes[row_of_entry(order[place])],
            TrainColumn::Numeric(_) => 0,
        };
        Ok(PartitionedNode {
            cut: split.to_tree_split(training, self.settings, &order),
            set: plan.left_level_set(split, training, level_at),
            missing_child: plan.missing_branch_at_prediction(),
            children: rows.partition(plan, training, &order, &wanted, scratch, self.ctl),
        })
    }

    fn compute_split_plan(
        &self,
        view: NodeView<'_>,
        rows: &GrowthRows<'_>,
        split: &NodeSplit,
        node: NodeStats<'_>,
        scratch: &mut GrowthScratch,
    ) -> Result<SplitPlan> {
        match rows {
            GrowthRows::Binned(rows) => {
                Ok(rows.compute_split_plan(self.split_search_inputs(view, view.weights, node), split))
            }
            GrowthRows::Exact(rows) => {
                let mut split = split.clone();
                let order = rows.rows_grouped_by_branch(view.training, &mut split, self.ctl)?;
                Ok(self.compute_plan_from_sorted_rows(view, rows, &split, &order, scratch))
            }
        }
    }

    fn compute_plan_from_sorted_rows(
        &self,
        view: NodeView<'_>,
        rows: &NodeRows<'_>,
        split: &NodeSplit,
        order: &[FlaggedRow],
        scratch: &mut GrowthScratch,
    ) -> SplitPlan {
        let weights = self.row_weighting_of_node(view, rows, scratch);
        SplitPlan::new(view.training, self.settings, weights, split, order)
    }
}
