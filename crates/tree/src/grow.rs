//! Growing a tree: which node next, leaf or split, and the parts that run in parallel.

use crate::bits;
use crate::monotone::Guard;
use crate::ranks::RankedRows;
use crate::rows::{NodeRows, Plan, Scratch, Share};
use crate::scan::Node;
use crate::settings::{Feature, Layout, MissingRule, Settings};
use crate::split::{PARALLEL_WORK, Split, best_split};
use crate::sums::{ByClass, ByRow, ClassSums, Weigh};
use crate::training::{Entry, RARE, Training, Weighing};
use crate::tree::{Cut, Tree};
use imbcore_base::{Result, RunCtl, SeedKey, shuffle};
use imbcore_criteria::Criterion;
use rayon::prelude::*;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Seed tags below a tree's key.
const BRANCH: u32 = 1;
const COLUMNS: u32 = 2;

/// Grows one tree; `orders` holds its rows sorted by every column, and nothing for [`Layout::Listed`].
pub(crate) fn grow<C: Criterion>(
    training: &Training<'_>,
    settings: &Settings,
    criterion: &C,
    orders: Vec<Vec<Entry>>,
    key: SeedKey,
    ctl: RunCtl<'_>,
) -> Result<Tree> {
    let grower = Grower { training, settings, criterion, ctl, settled: AtomicU64::new(0) };
    match &training.weighing {
        Weighing::ByClass(weights) => grower.grow(ByClass(weights), orders, key),
        Weighing::ByRow(weights) => grower.grow(ByRow(weights), orders, key),
    }
}

struct Grower<'g, C> {
    training: &'g Training<'g>,
    settings: &'g Settings,
    criterion: &'g C,
    ctl: RunCtl<'g>,
    /// Rows in finished leaves, for the progress report.
    settled: AtomicU64,
}

/// A node whose split is found but not yet carried out.
struct Open<'o> {
    node: usize,
    depth: usize,
    key: SeedKey,
    rows: NodeRows<'o>,
    sums: ClassSums,
    split: Split,
    guard: Option<Guard<'o>>,
    /// Share of the root's mass times gain; the order of best-first growth.
    promise: f64,
}

/// A node that may still be split.
struct Candidate<'o> {
    node: usize,
    depth: usize,
    key: SeedKey,
    share: Share<'o>,
    guard: Option<Guard<'o>>,
}

/// Nodes in order of creation; the children of a node are neighbours.
#[derive(Default)]
struct Draft(Vec<DraftNode>);

struct DraftNode {
    cut: Cut,
    column: usize,
    children: Range<usize>,
    missing_child: usize,
    gain: f64,
    sums: ClassSums,
    /// Levels that go to the first child, as the tree keeps them.
    set: Vec<u32>,
    /// Classes that the split tells from the others, where they are kept.
    group: Vec<u32>,
}

impl<C: Criterion> Grower<'_, C> {
    fn grow<W: Weigh>(&self, weigh: W, mut orders: Vec<Vec<Entry>>, key: SeedKey) -> Result<Tree> {
        let entries = &self.training.entries;
        let rows = match self.settings.layout {
            Layout::Presorted => NodeRows::Presorted(orders.iter_mut().map(Vec::as_mut_slice).collect()),
            Layout::Listed => {
                let weights = entries.iter().map(|&entry| self.training.weight_of(entry)).collect();
                NodeRows::Listed { entries: entries.to_vec(), weights }
            }
            Layout::Ranked => {
                orders = vec![Vec::with_capacity(entries.len()), Vec::new()];
                let (frequent, rare) = orders.split_at_mut(1);
                for &entry in &**entries {
                    if entry & RARE == 0 { frequent[0].push(entry) } else { rare[0].push(entry) }
                }
                NodeRows::Ranked(RankedRows { frequent: &mut frequent[0], rare: &mut rare[0] })
            }
        };
        let mut sums = ClassSums::zero(self.training.n_classes);
        weigh.add(self.training, &mut sums, entries);
        weigh.settle(&mut sums);
        let mut draft = Draft::default();
        draft.push(sums.clone());
        let guard = Guard::at_root(self.settings, &sums.mass);
        let root = Candidate { node: 0, depth: 0, key, share: Share { rows, sums }, guard };
        match self.settings.max_leaves {
            Some(most) => self.best_first(weigh, root, most, &mut draft)?,
            None => self.depth_first(weigh, root, &mut draft)?,
        }
        let has_groups = self.criterion.has_groups() && self.training.n_classes > 2;
        Ok(draft.into_tree(self.training.n_classes, has_groups))
    }

    /// Large nodes one by one, each in parallel over its columns; then the small subtrees side by side.
    fn depth_first<W: Weigh>(&self, weigh: W, root: Candidate<'_>, draft: &mut Draft) -> Result<()> {
        let mut scratch = Scratch::new(self.training);
        let mut stack = vec![root];
        let mut small = Vec::new();
        while let Some(candidate) = stack.pop() {
            let work = candidate.share.sums.n_rows() as usize * self.training.columns.len();
            if work < PARALLEL_WORK {
                small.push(candidate);
            } else if let Some(open) = self.open(weigh, candidate, 1.0, &mut scratch)? {
                // The left child is popped first, so that nodes are created in preorder.
                stack.extend(self.expand(weigh, open, draft, &mut scratch)?.into_iter().rev());
            }
        }
        let subtrees = small
            .into_par_iter()
            .map_init(
                || Scratch::new(self.training),
                |scratch, candidate| {
                    let at = candidate.node;
                    Ok((at, self.subtree(weigh, candidate, scratch)?))
                },
            )
            .collect::<Result<Vec<_>>>()?;
        for (at, subtree) in subtrees {
            draft.graft(at, subtree);
        }
        Ok(())
    }

    fn subtree<W: Weigh>(&self, weigh: W, root: Candidate<'_>, scratch: &mut Scratch) -> Result<Draft> {
        let mut draft = Draft::default();
        draft.push(root.share.sums.clone());
        let mut stack = vec![Candidate { node: 0, ..root }];
        while let Some(candidate) = stack.pop() {
            if let Some(open) = self.open(weigh, candidate, 1.0, scratch)? {
                stack.extend(self.expand(weigh, open, &mut draft, scratch)?.into_iter().rev());
            }
        }
        Ok(draft)
    }

    /// The most promising node first, until there are `most` leaves.
    fn best_first<W: Weigh>(
        &self,
        weigh: W,
        root: Candidate<'_>,
        most: usize,
        draft: &mut Draft,
    ) -> Result<()> {
        let mut scratch = Scratch::new(self.training);
        let total = root.share.sums.total_mass();
        let mut heap: BinaryHeap<Open<'_>> =
            self.open(weigh, root, total, &mut scratch)?.into_iter().collect();
        let mut n_leaves = 1;
        while let Some(open) = heap.pop() {
            let more = open.split.n_branches() - 1;
            if n_leaves + more > most {
                continue;
            }
            n_leaves += more;
            for candidate in self.expand(weigh, open, draft, &mut scratch)? {
                heap.extend(self.open(weigh, candidate, total, &mut scratch)?);
            }
        }
        Ok(())
    }

    /// Whether a node must be a leaf whatever its columns hold.
    fn is_leaf(&self, sums: &ClassSums, depth: usize) -> bool {
        depth >= self.settings.max_depth
            || (sums.n_rows() as usize) < self.settings.min_split
            || sums.total_mass() < 2.0 * self.settings.min_mass
            || sums.is_pure()
    }

    /// Finds the split of a node; none makes it a leaf.
    fn open<'o, W: Weigh>(
        &self,
        weigh: W,
        candidate: Candidate<'o>,
        root_mass: f64,
        scratch: &mut Scratch,
    ) -> Result<Option<Open<'o>>> {
        self.ctl.check()?;
        let Candidate { node, depth, key, share: Share { rows, sums }, guard } = candidate;
        let facts = Node { sums: &sums, guard };
        let split = if self.is_leaf(&sums, depth) {
            None
        } else if let Some((entries, weights)) = self.shared_rows(&rows) {
            scratch.load_weights(self.training.classes.len(), entries, weights);
            self.search(ByRow(&scratch.weight), &rows, facts, key)?
        } else {
            self.search(weigh, &rows, facts, key)?
        };
        let Some(split) = split else {
            let done = self.settled.fetch_add(u64::from(sums.n_rows()), Ordering::Relaxed);
            let done = done + u64::from(sums.n_rows());
            self.ctl.tick("rows", done, self.training.entries.len() as u64);
            return Ok(None);
        };
        let promise = sums.total_mass() / root_mass * split.gain;
        Ok(Some(Open { node, depth, key, rows, sums, split, guard, promise }))
    }

    /// Rows with their own weights, where rows may be shared out among branches.
    ///
    /// Whole rows are weighed as they are in every layout, so that the masses agree to the last bit.
    fn shared_rows<'r>(&self, rows: &'r NodeRows<'_>) -> Option<(&'r [Entry], &'r [f64])> {
        let shared = self.settings.missing == MissingRule::Fraction && self.settings.may_miss.contains(&true);
        match rows {
            NodeRows::Listed { entries, weights } if shared => Some((entries, weights)),
            _ => None,
        }
    }

    fn search<W: Weigh>(
        &self,
        weigh: W,
        rows: &NodeRows<'_>,
        node: Node<'_>,
        key: SeedKey,
    ) -> Result<Option<Split>> {
        let all = &self.settings.features;
        let mut places: Vec<u32> = (0..all.len() as u32).collect();
        if self.settings.max_columns < all.len() {
            shuffle(&mut key.child(COLUMNS, 0).rng(), &mut places);
        }
        // Where the features drawn cannot split the node, the next ones in random order are looked at.
        for drawn in places.chunks_mut(self.settings.max_columns) {
            drawn.sort_unstable();
            let drawn: Vec<Feature> = drawn.iter().map(|&place| all[place as usize]).collect();
            let (training, settings) = (self.training, self.settings);
            let split = best_split(training, settings, self.criterion, weigh, node, &drawn, rows, self.ctl)?;
            let Some(split) = split else { continue };
            // The scan saw one side's masses as a difference; where that decided, the split does not hold.
            let holds = match node.guard.filter(|guard| guard.binds(split.column)) {
                None => true,
                Some(guard) => {
                    let plan = Plan::new(
                        training,
                        settings,
                        weigh,
                        &split,
                        &rows.order(training, split.column, self.ctl)?,
                    );
                    plan.guards(guard, &split, node.sums).is_some()
                }
            };
            return Ok(holds.then_some(split));
        }
        Ok(None)
    }

    /// Carries out a split; returns the children.
    fn expand<'o, W: Weigh>(
        &self,
        weigh: W,
        open: Open<'o>,
        draft: &mut Draft,
        scratch: &mut Scratch,
    ) -> Result<Vec<Candidate<'o>>> {
        let Open { node, depth, key, rows, sums, mut split, guard, .. } = open;
        let order = rows.order_of_split(self.training, &mut split, self.ctl)?;
        let plan = if let Some((entries, weights)) = self.shared_rows(&rows) {
            scratch.load_weights(self.training.classes.len(), entries, weights);
            Plan::new(self.training, self.settings, ByRow(&scratch.weight), &split, &order)
        } else {
            Plan::new(self.training, self.settings, weigh, &split, &order)
        };
        let cut = split.cut(self.training, &order);
        let set = split.level_set(self.training, &order, &plan);
        let guards = guard.and_then(|guard| plan.guards(guard, &split, &sums));
        let children = draft.split(node, split, (cut, set), &plan, &sums);
        let wanted: Vec<bool> = plan.sums.iter().map(|sums| !self.is_leaf(sums, depth + 1)).collect();
        let shares = plan.divide(self.training, rows, &order, &wanted, scratch);
        let children = shares.into_iter().zip(children).zip(0..).map(|((share, node), branch)| {
            let key = key.child(BRANCH, branch);
            let guard = guards.as_ref().map(|guards| guards[branch as usize]);
            Candidate { node, depth: depth + 1, key, share, guard }
        });
        Ok(children.collect())
    }
}

impl PartialEq for Open<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open<'_> {}

impl PartialOrd for Open<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open<'_> {
    /// More promise first, the older node on ties.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.promise.total_cmp(&other.promise).then(other.node.cmp(&self.node))
    }
}

impl Draft {
    fn push(&mut self, sums: ClassSums) {
        self.0.push(DraftNode {
            cut: Cut::Leaf,
            column: 0,
            children: 0..0,
            missing_child: 0,
            gain: 0.0,
            sums,
            set: Vec::new(),
            group: Vec::new(),
        });
    }

    /// Turns a leaf into a split; returns the new children. Empty branches take the masses of their parent.
    fn split(
        &mut self,
        node: usize,
        split: Split,
        (cut, set): (Cut, Vec<u32>),
        plan: &Plan,
        parent: &ClassSums,
    ) -> Range<usize> {
        let children = self.0.len()..self.0.len() + plan.sums.len();
        let parent_node = &mut self.0[node];
        parent_node.cut = cut;
        parent_node.column = split.column;
        parent_node.children = children.clone();
        parent_node.missing_child = plan.missing_child();
        parent_node.gain = split.gain;
        parent_node.set = set;
        parent_node.group = split.group;
        for sums in &plan.sums {
            let mass = if sums.n_rows() == 0 { &parent.mass } else { &sums.mass };
            self.push(ClassSums { rows: sums.rows.clone(), mass: mass.clone() });
        }
        children
    }

    /// Puts a subtree in the place of the leaf `at`, from which it grew.
    fn graft(&mut self, at: usize, mut subtree: Self) {
        // The subtree's root takes the place of the leaf, so its other nodes move up by one less.
        let offset = self.0.len() - 1;
        for node in &mut subtree.0 {
            node.children = node.children.start + offset..node.children.end + offset;
        }
        let mut nodes = subtree.0.into_iter();
        self.0.splice(at..=at, nodes.next());
        self.0.extend(nodes);
    }

    /// Numbers the nodes depth first, siblings side by side, so that equal trees have equal arrays.
    fn into_tree(self, n_classes: usize, has_groups: bool) -> Tree {
        let mut nodes = vec![&self.0[0]];
        let mut first_child = vec![0; self.0.len()];
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let children = &self.0[nodes[node].children.clone()];
            if !children.is_empty() {
                first_child[node] = nodes.len() as u32;
                stack.extend((nodes.len()..nodes.len() + children.len()).rev());
                nodes.extend(children);
            }
        }
        let mut sets = Vec::new();
        let mut cut = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let place = Cut::InLevels(sets.len() as u32);
            cut.push(if node.set.is_empty() { node.cut } else { place });
            sets.extend_from_slice(&node.set);
        }
        let group = |node: &&DraftNode| bits::set(node.group.iter().copied(), n_classes as u32);
        let groups = if has_groups { nodes.iter().flat_map(group).collect() } else { Vec::new() };
        Tree {
            n_classes,
            cut,
            column: nodes.iter().map(|node| node.column as u32).collect(),
            first_child,
            n_children: nodes.iter().map(|node| node.children.len() as u32).collect(),
            missing_child: nodes.iter().map(|node| node.missing_child as u32).collect(),
            rows: nodes.iter().map(|node| node.sums.n_rows()).collect(),
            gain: nodes.iter().map(|node| node.gain).collect(),
            mass: nodes.iter().flat_map(|node| node.sums.mass.iter().copied()).collect(),
            sets,
            groups,
        }
    }
}
