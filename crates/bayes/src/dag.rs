//! Directed acyclic graphs.

use imbcore_core::{Error, Result};

/// A directed acyclic graph over variables `0..n`, stored as sorted parent lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dag {
    parents: Vec<Vec<u32>>,
}

impl Dag {
    /// The graph without arcs.
    pub fn empty(n: usize) -> Self {
        Self { parents: vec![Vec::new(); n] }
    }

    /// Builds a graph from the parent lists of all variables; sorts the lists.
    ///
    /// # Errors
    /// [`Error::Data`] for an unknown variable, a duplicate arc, or a cycle.
    pub fn new(mut parents: Vec<Vec<u32>>) -> Result<Self> {
        let n = parents.len();
        for (child, own) in parents.iter_mut().enumerate() {
            own.sort_unstable();
            if let Some(&last) = own.last()
                && last as usize >= n
            {
                return Err(Error::Data(format!("variable {last} is outside the {n} variables")));
            }
            if let Some(&[from, _]) =
                own.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[u32]>::first_chunk)
            {
                return Err(Error::Data(format!("the arc {from} -> {child} is given twice")));
            }
        }
        let dag = Self { parents };
        if dag.topological_order().len() < n {
            return Err(Error::Data("the arcs form a cycle".into()));
        }
        Ok(dag)
    }

    /// Builds the graph over `n` variables with the given arcs `(parent, child)`.
    ///
    /// # Errors
    /// Same errors as [`Dag::new`].
    pub fn from_arcs(n: usize, arcs: &[(u32, u32)]) -> Result<Self> {
        let mut parents = vec![Vec::new(); n];
        for &(from, to) in arcs {
            match parents.get_mut(to as usize) {
                Some(own) => own.push(from),
                None => return Err(Error::Data(format!("variable {to} is outside the {n} variables"))),
            }
        }
        Self::new(parents)
    }

    /// Same as [`Dag::from_arcs`], with variable names in error messages.
    ///
    /// # Errors
    /// Same errors as [`Dag::new`].
    pub fn from_named_arcs(names: &[String], arcs: &[(u32, u32)]) -> Result<Self> {
        let mut sorted = arcs.to_vec();
        sorted.sort_unstable();
        if let Some(&[(from, to), _]) =
            sorted.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[_]>::first_chunk)
            && let (Some(from), Some(to)) = (names.get(from as usize), names.get(to as usize))
        {
            return Err(Error::Data(format!("the arc {from:?} -> {to:?} is given twice")));
        }
        match Self::from_arcs(names.len(), arcs) {
            Err(error) => {
                let mut parents = vec![Vec::new(); names.len()];
                for &(from, to) in arcs.iter().filter(|&&(from, to)| from.max(to) < names.len() as u32) {
                    parents[to as usize].push(from);
                }
                Self::check_acyclic(&parents, |variable| &names[variable as usize])?;
                Err(error)
            }
            dag => dag,
        }
    }

    pub(crate) fn check_acyclic<'a>(parents: &[Vec<u32>], name: impl Fn(u32) -> &'a String) -> Result<()> {
        let Some(cycle) = Self::find_cycle(parents) else { return Ok(()) };
        let around = cycle.iter().chain(cycle.first()).map(|&at| name(at).as_str());
        let around = around.collect::<Vec<_>>().join(" -> ");
        Err(Error::Data(format!("the arcs form a cycle: {around}")))
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.parents.len()
    }

    /// Parents of one variable, ascending.
    pub fn parents(&self, child: usize) -> &[u32] {
        &self.parents[child]
    }

    /// Children of each variable, ascending.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.parents.len()];
        for (from, to) in self.arcs() {
            children[from as usize].push(to);
        }
        for own in &mut children {
            own.sort_unstable();
        }
        children
    }

    /// All arcs `(parent, child)`, ascending by parent, then child.
    pub fn arcs(&self) -> Vec<(u32, u32)> {
        let arcs_into = |(child, own): (usize, &Vec<u32>)| {
            own.iter().map(move |&from| (from, child as u32)).collect::<Vec<_>>()
        };
        let mut arcs: Vec<_> = self.parents.iter().enumerate().flat_map(arcs_into).collect();
        arcs.sort_unstable();
        arcs
    }

    /// Markov blanket of a variable, ascending: parents, children and other parents of children.
    ///
    /// Given the blanket, the variable is independent of all other variables.
    pub fn markov_blanket(&self, variable: usize) -> Vec<u32> {
        let variable = variable as u32;
        let mut blanket: Vec<u32> = self.parents[variable as usize].clone();
        for (child, own) in self.parents.iter().enumerate() {
            if own.contains(&variable) {
                blanket.push(child as u32);
                blanket.extend(own.iter().filter(|&&parent| parent != variable));
            }
        }
        blanket.sort_unstable();
        blanket.dedup();
        blanket
    }

    /// Topological order: parents before children, ties broken by the lowest number.
    pub(crate) fn topological_order(&self) -> Vec<u32> {
        let n = self.parents.len();
        let mut waiting: Vec<usize> = self.parents.iter().map(Vec::len).collect();
        let mut free: std::collections::BTreeSet<usize> = (0..n).filter(|&v| waiting[v] == 0).collect();
        let children = self.children();
        let mut order = Vec::with_capacity(n);
        while let Some(next) = free.pop_first() {
            order.push(next as u32);
            for &child in &children[next] {
                waiting[child as usize] -= 1;
                if waiting[child as usize] == 0 {
                    free.insert(child as usize);
                }
            }
        }
        order
    }

    fn find_cycle(parents: &[Vec<u32>]) -> Option<Vec<u32>> {
        let open = Self { parents: parents.to_vec() };
        let mut left = vec![true; parents.len()];
        for variable in open.topological_order() {
            left[variable as usize] = false;
        }
        // Each variable that the topological order does not reach has a parent that it does not reach,
        // either. So a walk from child to parent must end in a cycle.
        let mut path = vec![left.iter().position(|&left| left)? as u32];
        let mut seen = vec![usize::MAX; parents.len()];
        loop {
            let last = path[path.len() - 1] as usize;
            if seen[last] != usize::MAX {
                path.pop();
                let mut cycle = path.split_off(seen[last]);
                cycle.reverse();
                return Some(cycle);
            }
            seen[last] = path.len() - 1;
            path.push(*parents[last].iter().find(|&&parent| left[parent as usize])?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children() {
        let dag = Dag::from_arcs(4, &[(3, 0), (0, 1), (3, 1)]).unwrap();
        assert_eq!(dag.topological_order(), [2, 3, 0, 1]);
        assert_eq!(dag.parents(1), [0, 3]);
        assert_eq!(dag.arcs(), [(0, 1), (3, 0), (3, 1)]);
        assert_eq!(dag.children()[3], [0, 1]);
        assert_eq!(dag.markov_blanket(0), [1, 3]);
        assert_eq!(Dag::from_arcs(4, &[(0, 2), (1, 2), (2, 3)]).unwrap().markov_blanket(0), [1, 2]);
    }

    #[test]
    fn invalid_graphs_are_rejected() {
        let message = |arcs: &[(u32, u32)]| Dag::from_arcs(2, arcs).unwrap_err().to_string();
        assert!(message(&[(0, 1), (1, 0)]).contains("cycle"));
        assert!(message(&[(0, 1), (0, 1)]).contains("twice"));
        assert!(message(&[(0, 2)]).contains("outside") && message(&[(2, 0)]).contains("outside"));
        assert!(message(&[(1, 1)]).contains("cycle"));
        assert_eq!(Dag::find_cycle(&[vec![], vec![3, 0], vec![1], vec![2], vec![3]]), Some(vec![2, 3, 1]));
        assert_eq!(Dag::find_cycle(&[vec![1], vec![]]), None);
        let names = ["a", "b"].map(String::from);
        let message = |arcs: &[(u32, u32)]| Dag::from_named_arcs(&names, arcs).unwrap_err().to_string();
        assert_eq!(message(&[(0, 1), (1, 0)]), "the arcs form a cycle: b -> a -> b");
        assert_eq!(message(&[(0, 1), (0, 1)]), "the arc \"a\" -> \"b\" is given twice");
        assert!(message(&[(0, 2)]).contains("outside"));
    }
}
