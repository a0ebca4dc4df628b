//! Constraints on the graphs that a search may visit.

use crate::dag::Dag;
use imbcore_core::{Error, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArcConstraints {
    n: usize,
    required: Vec<bool>,
    forbidden: Vec<bool>,
    pub(crate) max_parents: Option<u32>,
}

impl ArcConstraints {
    pub(crate) fn new(n: usize, max_parents: Option<u32>) -> Self {
        Self { n, required: vec![false; n * n], forbidden: vec![false; n * n], max_parents }
    }

    fn arc_index(&self, from: u32, to: u32) -> usize {
        from as usize * self.n + to as usize
    }

    pub(crate) fn require_arc(&mut self, from: u32, to: u32) {
        let at = self.arc_index(from, to);
        self.required[at] = true;
    }

    pub(crate) fn forbid_arc(&mut self, from: u32, to: u32) {
        let at = self.arc_index(from, to);
        self.forbidden[at] = true;
    }

    pub(crate) fn requires_arc(&self, from: u32, to: u32) -> bool {
        self.required[self.arc_index(from, to)]
    }

    pub(crate) fn allows_arc(&self, from: u32, to: u32) -> bool {
        !self.forbidden[self.arc_index(from, to)]
    }

    pub(crate) fn allows_every_arc(&self) -> bool {
        self.max_parents != Some(0) && !self.forbidden.contains(&true)
    }

    pub(crate) fn is_unconstrained(&self) -> bool {
        self.max_parents.is_none() && !self.forbidden.contains(&true) && !self.required.contains(&true)
    }

    /// A variable whose required arcs are forbidden or too many, with the text of the error.
    pub(crate) fn find_contradiction(&self) -> Option<(u32, &'static str)> {
        let n = self.n as u32;
        (0..n).find_map(|to| {
            let mut required = (0..n).filter(|&from| self.requires_arc(from, to));
            if required.clone().any(|from| !self.allows_arc(from, to)) {
                return Some((
                    to,
                    "has an arc into it in `required_arcs` that `forbidden_arcs`, `tiers` or `class_role` forbids; remove one of them",
                ));
            }
            let crowded = self.max_parents.is_some_and(|most| required.nth(most as usize).is_some());
            crowded.then_some((to, "has more arcs into it in `required_arcs` than `max_parents` allows"))
        })
    }

    /// The graph of only the required arcs.
    ///
    /// The constraints must not contradict each other ([`Self::find_contradiction`]).
    ///
    /// # Errors
    /// [`Error::Data`] if the arcs form a cycle.
    pub(crate) fn required_graph(&self) -> Result<Dag> {
        let pairs = (0..self.n as u32).flat_map(|from| (0..self.n as u32).map(move |to| (from, to)));
        let arcs: Vec<(u32, u32)> = pairs.filter(|&(from, to)| self.requires_arc(from, to)).collect();
        Dag::from_arcs(self.n, &arcs)
            .map_err(|_| Error::Data("the required arcs form a cycle; remove one of them".into()))
    }

    pub(crate) fn is_satisfied_by(&self, dag: &Dag) -> bool {
        let arcs = dag.arcs();
        let kept = |at: usize| arcs.binary_search(&((at / self.n) as u32, (at % self.n) as u32)).is_ok();
        let room = |v: usize| self.max_parents.is_none_or(|most| dag.parents(v).len() <= most as usize);
        (0..self.n).all(room)
            && arcs.iter().all(|&(from, to)| self.allows_arc(from, to))
            && (0..self.required.len()).all(|at| !self.required[at] || kept(at))
    }
}
