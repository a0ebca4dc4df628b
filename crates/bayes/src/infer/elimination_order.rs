//! Elimination orders.
//!
//! Eliminating a variable joins its neighbors in one table. The largest of these tables determines the cost
//! of inference and depends on the order. An optimal order is hard to find. The min-fill heuristic, which
//! adds as few edges as possible in each step, is usually close to optimal. The neighbors of a variable are
//! stored as a bitmap, so that missing edges are counted for 64 variables at a time.

/// Order in which to eliminate the variables of `eliminate`, by the min-fill heuristic.
///
/// The next variable is the one whose neighbors lack the fewest edges among each other. Ties go to the
/// smaller resulting table, then to the lower number. `scopes` are the variables of each table, and `levels`
/// the numbers of states of all variables.
pub(crate) fn min_fill_order(scopes: &[&[u32]], levels: &[u32], eliminate: &[u32]) -> Vec<u32> {
    let mut graph = MoralGraph::new(scopes, levels);
    let mut left: Vec<usize> = eliminate.iter().filter_map(|v| graph.names.binary_search(v).ok()).collect();
    let mut cost: Vec<(u64, u64)> = (0..graph.names.len()).map(|v| graph.elimination_cost(v)).collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(at) = (0..left.len()).min_by_key(|&at| (cost[left[at]], left[at])) {
        let v = left.swap_remove(at);
        order.push(graph.names[v]);
        for u in graph.eliminate(v) {
            cost[u] = graph.elimination_cost(u);
        }
    }
    order
}

struct MoralGraph {
    names: Vec<u32>,
    levels: Vec<u64>,
    words: usize,
    links: Vec<u64>,
}

impl MoralGraph {
    fn new(scopes: &[&[u32]], levels: &[u32]) -> Self {
        let mut names: Vec<u32> = scopes.iter().flat_map(|scope| scope.iter().copied()).collect();
        names.sort_unstable();
        names.dedup();
        let words = names.len().div_ceil(64);
        let mut links = vec![0_u64; names.len() * words];
        for scope in scopes {
            let inside: Vec<usize> = scope.iter().filter_map(|v| names.binary_search(v).ok()).collect();
            for &a in &inside {
                for &b in inside.iter().filter(|&&b| b != a) {
                    links[a * words + b / 64] |= 1 << (b % 64);
                }
            }
        }
        let levels = names.iter().map(|&v| u64::from(levels[v as usize])).collect();
        Self { names, levels, words, links }
    }

    fn adjacency_row(&self, v: usize) -> &[u64] {
        &self.links[v * self.words..][..self.words]
    }

    fn neighbors(&self, v: usize) -> Vec<usize> {
        positions_of_set_bits(self.adjacency_row(v)).collect()
    }

    /// Twice the number of edges that eliminating `v` adds, and the size of the resulting table.
    fn elimination_cost(&self, v: usize) -> (u64, u64) {
        let own = self.adjacency_row(v);
        let (mut lacking, mut cells) = (0, 1_u64);
        for u in positions_of_set_bits(own) {
            let absent: u32 = own.iter().zip(self.adjacency_row(u)).map(|(a, b)| (a & !b).count_ones()).sum();
            lacking += u64::from(absent) - 1;
            cells = cells.saturating_mul(self.levels[u]);
        }
        (lacking, cells)
    }

    fn eliminate(&mut self, v: usize) -> Vec<usize> {
        let near = self.neighbors(v);
        let own = self.adjacency_row(v).to_vec();
        let mut changed = own.clone();
        for &u in &near {
            let row = &mut self.links[u * self.words..][..self.words];
            for (word, &more) in row.iter_mut().zip(&own) {
                *word |= more;
            }
            row[u / 64] &= !(1 << (u % 64));
            row[v / 64] &= !(1 << (v % 64));
            for (word, &more) in changed.iter_mut().zip(&*row) {
                *word |= more;
            }
        }
        self.links[v * self.words..][..self.words].fill(0);
        positions_of_set_bits(&changed).collect()
    }
}

pub(crate) fn positions_of_set_bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors((word != 0).then_some(word), |&rest| {
            let next = rest & (rest - 1);
            (next != 0).then_some(next)
        })
        .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_eaten_from_its_ends() {
        let scopes: [&[u32]; 4] = [&[0, 1], &[1, 2], &[2, 3], &[3, 4]];
        assert_eq!(min_fill_order(&scopes, &[2; 5], &[0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]);
        assert_eq!(min_fill_order(&scopes, &[2, 9, 2, 2, 2], &[0, 1, 2, 3, 4]), [4, 3, 0, 1, 2]);
    }

    #[test]
    fn a_ring_costs_one_link_and_the_smaller_table_goes_first() {
        let scopes: [&[u32]; 4] = [&[0, 1], &[1, 2], &[2, 3], &[0, 3]];
        // The four variables form a ring: each has two neighbors, which have no edge between them. In the
        // first call, the neighbors of variable 0 have only two states each. Eliminating variable 0 first
        // gives the smallest table.
        assert_eq!(min_fill_order(&scopes, &[5, 2, 5, 2], &[0, 1, 2, 3])[0], 0);
        assert_eq!(min_fill_order(&scopes, &[2, 5, 2, 5], &[0, 1, 2, 3])[0], 1);
    }
}
