//! Nodes of a branch and bound over boxes, in one flat array.

/// Stack of nodes in one array: a header and four runs of codes each.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    words: Vec<u16>,
    heads: Vec<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    start: usize,
    n_pos: usize,
    n_neg: usize,
    /// Weight of the majority codes that every box of the node hits, and the same under the guard.
    certain: f64,
    certain_guard: f64,
    bound: f64,
}

/// A node taken apart, in buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub lo: Vec<u16>,
    pub hi: Vec<u16>,
    pub pos: Vec<u16>,
    pub neg: Vec<u16>,
    pub certain: f64,
    pub certain_guard: f64,
    pub bound: f64,
}

impl Stack {
    /// Whether no node is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Bounds of the nodes.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = f64> + '_ {
        self.heads.iter().map(|head| head.bound)
    }

    /// Puts a node on top.
    pub(crate) fn push(&mut self, node: &Node) {
        let start = self.words.len();
        for run in [&node.lo, &node.hi, &node.pos, &node.neg] {
            self.words.extend_from_slice(run);
        }
        self.heads.push(Head {
            start,
            n_pos: node.pos.len(),
            n_neg: node.neg.len(),
            certain: node.certain,
            certain_guard: node.certain_guard,
            bound: node.bound,
        });
    }

    /// Takes the top node apart; whether there was one.
    pub(crate) fn pop(&mut self, n_sides: usize, node: &mut Node) -> bool {
        let Some(head) = self.heads.pop() else { return false };
        let words = &self.words[head.start..];
        let (lo, rest) = words.split_at(n_sides);
        let (hi, rest) = rest.split_at(n_sides);
        let (pos, rest) = rest.split_at(head.n_pos);
        for (into, from) in [
            (&mut node.lo, lo),
            (&mut node.hi, hi),
            (&mut node.pos, pos),
            (&mut node.neg, &rest[..head.n_neg]),
        ] {
            into.clear();
            into.extend_from_slice(from);
        }
        (node.certain, node.certain_guard, node.bound) = (head.certain, head.certain_guard, head.bound);
        self.words.truncate(head.start);
        true
    }
}
