//! A graph under search: its ancestors, its score, and the gain of each change of one arc.
//!
//! Invariants between operations:
//!
//! - `gains[to * n + from]` is the change of the score of `to` if the arc `from -> to` is added or removed.
//! - `largest[to]` is the largest of these gains over the arcs into `to` that are absent.
//! - `ancestors[v]` is exactly the set of variables with a path to `v`. An arc `from -> to` therefore closes
//!   a cycle if `to` is an ancestor of `from`.
//!
//! The score is a sum over families. An operation recomputes `n` scores for each family whose parents it
//! changes: one family, or two for a reversal.

use super::arc_constraints::ArcConstraints;
use super::decomposable_score::DecomposableScore;
use crate::dag::Dag;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Result, RunContext, memory, parallel};

/// A change of one arc.
///
/// In the order of operations, additions come first, then removals, then reversals, each by `from`, then
/// `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Adds an arc.
    Add(u32, u32),
    /// Removes an arc.
    Remove(u32, u32),
    /// Reverses an arc.
    Reverse(u32, u32),
}

pub(crate) type VariableBits = Vec<u64>;

fn has_variable_bit(bits: &[u64], v: usize) -> bool {
    bits[v / 64] >> (v % 64) & 1 == 1
}

pub(crate) struct GraphState<'a> {
    families: &'a dyn DecomposableScore,
    rules: &'a ArcConstraints,
    n: usize,
    parents: Vec<Vec<u32>>,
    children: Vec<VariableBits>,
    ancestors: Vec<VariableBits>,
    scores: Vec<f64>,
    /// Gain of adding or removing the arc `from -> to`, at `to * n + from`.
    ///
    /// The gain is minus infinity if the constraints do not allow the arc, or if a bound excludes it.
    gains: Vec<f64>,
    /// For each variable, the largest gain of adding an arc into it.
    ///
    /// Arcs that would close a cycle are included; forbidden arcs have a gain of minus infinity.
    largest: Vec<f64>,
    /// Zobrist hash of the set of arcs, by which graphs are compared.
    hash: u64,
    /// Adding an arc is not considered if an upper bound shows that it gains at most this number.
    least: f64,
}

impl<'a> GraphState<'a> {
    pub(crate) fn new(
        families: &'a dyn DecomposableScore,
        rules: &'a ArcConstraints,
        dag: &Dag,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        Self::without_gains(families, rules, dag)?.with_computed_gains(ctl)
    }

    /// State for a search that makes only changes with a gain above `least`.
    ///
    /// An arc is not added if an upper bound shows that it gains at most `least`. An arc is not reversed
    /// either if this excludes the reversed arc, because the removal alone gains about as much.
    pub(crate) fn with_min_gain(
        families: &'a dyn DecomposableScore,
        rules: &'a ArcConstraints,
        dag: &Dag,
        least: f64,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        Self { least, ..Self::without_gains(families, rules, dag)? }.with_computed_gains(ctl)
    }

    fn without_gains(
        families: &'a dyn DecomposableScore,
        rules: &'a ArcConstraints,
        dag: &Dag,
    ) -> Result<Self> {
        let n = families.n_variables();
        // This is a lower bound. For each ordered pair of variables, it counts one gain, one bit in each of
        // two bitmaps, and half a list entry. The lists from which gains are copied have half an entry per
        // pair if the score is symmetric and the graph has no arcs.
        let bits = n.saturating_mul(n).saturating_mul(size_of::<f64>() * 8 + size_of::<(u32, f64)>() * 4 + 2);
        let purpose = format!("the gains of all arcs between {n} variables");
        MemoryEstimate::default().with_bytes(bits / 8, purpose, "use fewer columns").check("the search")?;
        let mut state = Self {
            families,
            rules,
            n,
            parents: (0..n).map(|v| dag.parents(v).to_vec()).collect(),
            children: vec![vec![0; n.div_ceil(64)]; n],
            ancestors: vec![vec![0; n.div_ceil(64)]; n],
            scores: vec![0.0; n],
            gains: memory::filled(n * n, f64::NEG_INFINITY, "gains of arcs")?,
            largest: vec![f64::NEG_INFINITY; n],
            hash: 0,
            least: f64::NEG_INFINITY,
        };
        for (from, to) in dag.arcs() {
            state.toggle_arc_hash(from, to);
        }
        for v in dag.topological_order() {
            state.set_ancestors(v as usize);
        }
        Ok(state)
    }

    pub(crate) fn with_other_graph(&self, dag: &Dag, ctl: RunContext<'_>) -> Result<Self> {
        Self::new(self.families, self.rules, dag, ctl)
    }

    fn with_computed_gains(mut self, ctl: RunContext<'_>) -> Result<Self> {
        let empty = self.parents.iter().all(Vec::is_empty);
        self.compute_gains(empty && self.families.is_symmetric(), ctl)?;
        Ok(self)
    }

    /// Computes the gains of all additions and removals of arcs.
    ///
    /// `halved` may be true only if the graph has no arcs and the score is symmetric. If all arcs are
    /// allowed, the gain of each pair of variables is then computed in only one direction.
    fn compute_gains(&mut self, halved: bool, ctl: RunContext<'_>) -> Result<()> {
        let halved = halved && self.rules.allows_every_arc();
        let end = |to: usize| if halved { to } else { self.n };
        let columns = parallel::try_map(0..self.n, |to| self.gains_of_arcs_into(to, end(to), ctl))?;
        for (to, (score, gains)) in columns.into_iter().enumerate() {
            self.scores[to] = score;
            for (from, gain) in gains {
                self.gains[to * self.n + from as usize] = gain;
                if halved {
                    self.gains[from as usize * self.n + to] = gain;
                }
            }
        }
        for to in 0..self.n {
            self.update_largest_gain(to);
        }
        Ok(())
    }

    /// Score of `to` with its parents, and the gain of adding or removing each parent.
    ///
    /// Gains of additions are computed only for parents with a number below `end`.
    fn gains_of_arcs_into(
        &self,
        to: usize,
        end: usize,
        ctl: RunContext<'_>,
    ) -> Result<(f64, Vec<(u32, f64)>)> {
        ctl.check()?;
        let parents = &self.parents[to];
        let score = self.families.family_score(to as u32, parents);
        let room = self.rules.max_parents.is_none_or(|most| parents.len() < most as usize);
        let may_gain = |from: u32| {
            let more: Vec<u32> = parents.iter().copied().chain([from]).collect();
            self.families.family_score_bound(to as u32, &more) - score > self.least
        };
        let allowed = |&from: &u32| {
            let by_rule = room && from as usize != to && self.rules.allows_arc(from, to as u32);
            by_rule && !parents.contains(&from) && (self.least == f64::NEG_INFINITY || may_gain(from))
        };
        let others: Vec<u32> = (0..end as u32).filter(allowed).collect();
        let with = self.families.scores_with_each_parent(to as u32, parents, &others, ctl)?;
        let added = others.into_iter().zip(with);
        let without = |&from: &u32| {
            let rest: Vec<u32> = parents.iter().copied().filter(|&other| other != from).collect();
            (from, self.families.family_score(to as u32, &rest))
        };
        let removed = parents.iter().map(without);
        Ok((score, added.chain(removed).map(|(from, changed)| (from, changed - score)).collect()))
    }

    fn update_gains_of_arcs_into(&mut self, to: usize, ctl: RunContext<'_>) -> Result<()> {
        let (score, gains) = self.gains_of_arcs_into(to, self.n, ctl)?;
        self.scores[to] = score;
        self.gains[to * self.n..(to + 1) * self.n].fill(f64::NEG_INFINITY);
        for (from, gain) in gains {
            self.gains[to * self.n + from as usize] = gain;
        }
        self.update_largest_gain(to);
        Ok(())
    }

    fn update_largest_gain(&mut self, to: usize) {
        let gains = &self.gains[to * self.n..(to + 1) * self.n];
        let absent = |from: usize| !has_variable_bit(&self.children[from], to);
        let additions = gains.iter().enumerate().filter(|&(from, _)| absent(from)).map(|(_, &gain)| gain);
        self.largest[to] = additions.fold(f64::NEG_INFINITY, f64::max);
    }

    pub(crate) fn total_score(&self) -> f64 {
        self.scores.iter().sum()
    }

    pub(crate) fn graph_hash(&self) -> u64 {
        self.hash
    }

    pub(crate) fn parents(&self) -> &[Vec<u32>] {
        &self.parents
    }

    fn gain_of_arc(&self, from: u32, to: u32) -> f64 {
        self.gains[to as usize * self.n + from as usize]
    }

    pub(crate) fn gain(&self, operation: Operation) -> f64 {
        match operation {
            Operation::Add(from, to) | Operation::Remove(from, to) => self.gain_of_arc(from, to),
            Operation::Reverse(from, to) => self.gain_of_arc(from, to) + self.gain_of_arc(to, from),
        }
    }

    pub(crate) fn graph_hash_after(&self, operation: Operation) -> u64 {
        match operation {
            Operation::Add(from, to) | Operation::Remove(from, to) => {
                self.hash ^ zobrist_word_of_arc(from, to)
            }
            Operation::Reverse(from, to) => {
                self.hash ^ zobrist_word_of_arc(from, to) ^ zobrist_word_of_arc(to, from)
            }
        }
    }

    /// Whether adding the arc `from -> to` closes no cycle.
    ///
    /// Other constraints are not checked, because forbidden arcs have a gain of minus infinity.
    fn can_add_arc(&self, from: u32, to: u32) -> bool {
        !has_variable_bit(&self.ancestors[from as usize], to as usize)
    }

    fn can_remove_arc(&self, from: u32, to: u32) -> bool {
        !self.rules.requires_arc(from, to)
    }

    fn can_reverse_arc(&self, from: u32, to: u32) -> bool {
        let room =
            self.rules.max_parents.is_none_or(|most| self.parents[from as usize].len() < most as usize);
        let through = |(word, (child, ancestor)): (usize, (&u64, &u64))| {
            let own = if to as usize / 64 == word { 1 << (to % 64) } else { 0 };
            child & !own & ancestor != 0
        };
        let pairs = self.children[from as usize].iter().zip(&self.ancestors[to as usize]);
        room && self.can_remove_arc(from, to)
            && self.rules.allows_arc(to, from)
            && !pairs.enumerate().any(through)
    }

    fn arcs(&self) -> Vec<(u32, u32)> {
        let arcs_into = |(to, own): (usize, &Vec<u32>)| {
            own.iter().map(move |&from| (from, to as u32)).collect::<Vec<_>>()
        };
        let mut arcs: Vec<_> = self.parents.iter().enumerate().flat_map(arcs_into).collect();
        arcs.sort_unstable();
        arcs
    }

    fn removals_and_reversals(&self) -> impl Iterator<Item = Operation> {
        let arcs = self.arcs();
        let removals = arcs.clone().into_iter().filter(|&(from, to)| self.can_remove_arc(from, to));
        let reversals = arcs.into_iter().filter(|&(from, to)| self.can_reverse_arc(from, to));
        removals
            .map(|(from, to)| Operation::Remove(from, to))
            .chain(reversals.map(|(from, to)| Operation::Reverse(from, to)))
    }

    /// Allowed reversals of covered arcs, in the order of the arcs.
    ///
    /// An arc is covered if its ends have the same parents, apart from the arc itself.
    pub(crate) fn covered_arc_reversals(&self) -> Vec<Operation> {
        let same = |&(from, to): &(u32, u32)| {
            let others = self.parents[to as usize].iter().filter(|&&other| other != from);
            self.parents[from as usize].iter().eq(others) && self.can_reverse_arc(from, to)
        };
        self.arcs().into_iter().filter(same).map(|(from, to)| Operation::Reverse(from, to)).collect()
    }

    pub(crate) fn legal_operations(&self) -> Vec<Operation> {
        let n = self.n as u32;
        let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
        let open = |&(from, to): &(u32, u32)| {
            !has_variable_bit(&self.children[from as usize], to as usize)
                && self.gain_of_arc(from, to) > f64::NEG_INFINITY
                && self.can_add_arc(from, to)
        };
        let additions = pairs.filter(open).map(|(from, to)| Operation::Add(from, to));
        additions.chain(self.removals_and_reversals()).collect()
    }

    /// First change of an arc whose gain is within `tolerance` of the largest gain.
    ///
    /// Changes that lead to a graph whose hash is in `avoided` are skipped.
    pub(crate) fn best_operation(&self, tolerance: f64, avoided: &[u64]) -> Option<Operation> {
        let fresh =
            |operation: Operation| avoided.is_empty() || !avoided.contains(&self.graph_hash_after(operation));
        let others: Vec<(Operation, f64)> = self
            .removals_and_reversals()
            .filter(|&operation| fresh(operation))
            .map(|operation| (operation, self.gain(operation)))
            .filter(|&(_, gain)| gain > f64::NEG_INFINITY)
            .collect();
        let mut most = others.iter().map(|&(_, gain)| gain).fold(f64::NEG_INFINITY, f64::max);
        let open = |from: usize, to: usize| {
            !has_variable_bit(&self.children[from], to)
                && self.can_add_arc(from as u32, to as u32)
                && fresh(Operation::Add(from as u32, to as u32))
        };
        for to in (0..self.n).filter(|&to| self.largest[to] > f64::NEG_INFINITY) {
            if self.largest[to] <= most {
                continue;
            }
            for (from, &gain) in self.gains[to * self.n..(to + 1) * self.n].iter().enumerate() {
                if gain > most && open(from, to) {
                    most = gain;
                }
            }
        }
        if most == f64::NEG_INFINITY {
            return None;
        }
        let enough = most - tolerance;
        let promising: Vec<usize> = (0..self.n).filter(|&to| self.largest[to] >= enough).collect();
        for from in 0..self.n {
            for &to in &promising {
                if self.gains[to * self.n + from] >= enough && open(from, to) {
                    return Some(Operation::Add(from as u32, to as u32));
                }
            }
        }
        others.into_iter().find(|&(_, gain)| gain >= enough).map(|(operation, _)| operation)
    }

    pub(crate) fn apply_operation(&mut self, operation: Operation, ctl: RunContext<'_>) -> Result<()> {
        match operation {
            Operation::Add(from, to) => {
                self.add_arc(from, to);
                self.update_ancestors(&[to]);
                self.update_gains_of_arcs_into(to as usize, ctl)
            }
            Operation::Remove(from, to) => {
                self.remove_arc(from, to);
                self.update_ancestors(&[to]);
                self.update_gains_of_arcs_into(to as usize, ctl)
            }
            Operation::Reverse(from, to) => {
                self.remove_arc(from, to);
                self.add_arc(to, from);
                self.update_ancestors(&[to, from]);
                self.update_gains_of_arcs_into(to as usize, ctl)?;
                self.update_gains_of_arcs_into(from as usize, ctl)
            }
        }
    }

    fn add_arc(&mut self, from: u32, to: u32) {
        let parents = &mut self.parents[to as usize];
        let at = parents.partition_point(|&other| other < from);
        parents.insert(at, from);
        self.toggle_arc_hash(from, to);
    }

    fn remove_arc(&mut self, from: u32, to: u32) {
        self.parents[to as usize].retain(|&other| other != from);
        self.toggle_arc_hash(from, to);
    }

    fn toggle_arc_hash(&mut self, from: u32, to: u32) {
        self.children[from as usize][to as usize / 64] ^= 1 << (to % 64);
        self.hash ^= zobrist_word_of_arc(from, to);
    }

    fn set_ancestors(&mut self, v: usize) {
        let mut own = vec![0_u64; self.n.div_ceil(64)];
        for &parent in &self.parents[v] {
            own[parent as usize / 64] |= 1 << (parent % 64);
            for (word, more) in own.iter_mut().zip(&self.ancestors[parent as usize]) {
                *word |= more;
            }
        }
        self.ancestors[v] = own;
    }

    fn update_ancestors(&mut self, changed: &[u32]) {
        let mut below = vec![false; self.n];
        let mut stack: Vec<usize> = changed.iter().map(|&v| v as usize).collect();
        while let Some(v) = stack.pop() {
            if !std::mem::replace(&mut below[v], true) {
                stack.extend((0..self.n).filter(|&child| has_variable_bit(&self.children[v], child)));
            }
        }
        let is_below = |&&parent: &&u32| below[parent as usize];
        let mut waiting: Vec<usize> =
            self.parents.iter().map(|own| own.iter().filter(is_below).count()).collect();
        let mut ready: Vec<usize> = (0..self.n).filter(|&v| below[v] && waiting[v] == 0).collect();
        while let Some(v) = ready.pop() {
            self.set_ancestors(v);
            for child in (0..self.n).filter(|&child| has_variable_bit(&self.children[v], child)) {
                waiting[child] -= 1;
                if waiting[child] == 0 {
                    ready.push(child);
                }
            }
        }
    }
}

impl Clone for GraphState<'_> {
    fn clone(&self) -> Self {
        Self {
            families: self.families,
            rules: self.rules,
            n: self.n,
            parents: self.parents.clone(),
            children: self.children.clone(),
            ancestors: self.ancestors.clone(),
            scores: self.scores.clone(),
            gains: self.gains.clone(),
            largest: self.largest.clone(),
            hash: self.hash,
            least: self.least,
        }
    }
}

/// A fixed random word for each ordered pair (Zobrist 1970), computed as in `SplitMix64`.
fn zobrist_word_of_arc(from: u32, to: u32) -> u64 {
    let mut z = (u64::from(from) << 32 | u64::from(to)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
