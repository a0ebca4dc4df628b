//! A tree as one nest of CASE expressions.
//!
//! Databases read only so many CASE expressions inside each other (`SQLite`, before version 3.45, about 15), and trees are deeper. At
//! each node the branch that nests less is written in a WHEN, and the other goes on as the next WHEN of the same CASE: what is
//! nested is the Horton-Strahler number of the tree, at most the logarithm of its leaves.

use imbcore_base::formula::{Node, Plan, Split};
use imbcore_base::sql::{Expression, MOST_NESTED, Words};
use imbcore_base::{Error, Result, memory};
use std::fmt::Write;

/// Bytes that a text has room for before a step of the writer.
const SPARE: usize = 1 << 12;

/// How a tree is written.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    pub(super) words: Words<'a>,
    /// Levels of indentation.
    pub(super) indent: usize,
    /// What a comment says of a leaf, which then has a line of its own; without comments branches that say the same are one.
    pub(super) notes: Option<&'a dyn Fn(usize) -> String>,
}

/// A tree on its way to text.
struct Writer<'a> {
    plan: &'a Plan,
    style: Style<'a>,
    /// What each node says, where all its leaves say the same.
    said: Vec<Option<String>>,
    /// How many CASE expressions are nested in the text of each node.
    nested: Vec<usize>,
    text: String,
}

/// An expression for what `says` is of the number and the values of the leaf that a row reaches; rows without a value must go one way.
///
/// # Errors
/// [`Error::Unsupported`] for names and levels that the database has no words for, and for trees too bushy for it.
pub(super) fn nest(
    plan: &Plan,
    says: impl Fn(usize, &[f64]) -> String,
    style: Style<'_>,
) -> Result<Expression> {
    let (mut said, mut nested) = (vec![None; plan.nodes.len()], vec![0; plan.nodes.len()]);
    // Children come after their parents.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        let children = match node {
            Node::Leaf { values } => {
                said[at] = Some(says(at, values));
                continue;
            }
            Node::Split(split) => &split.children,
        };
        let first: Option<String> = said[children[0]].clone();
        if style.notes.is_none() && first.is_some() && children.iter().all(|&child| said[child] == first) {
            said[at] = first;
            continue;
        }
        let last = continued(children, &nested);
        let inner = children.iter().filter(|&&child| child != last);
        let deepest = inner.map(|&child| nested[child] + usize::from(nested[child] > 0)).max();
        nested[at] = deepest.unwrap_or_default().max(nested[last]).max(1);
    }
    let deepest = nested[0];
    if deepest > MOST_NESTED {
        let n_leaves = plan.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count();
        return Err(Error::Unsupported(format!(
            "a tree of {n_leaves} leaves would nest {deepest} CASE expressions, and databases read about {MOST_NESTED}; prune it or fit \
             it with a smaller max_depth"
        )));
    }
    let mut writer = Writer { plan, style, said, nested, text: String::new() };
    writer.node(0, style.indent)?;
    Ok(Expression::of_row(writer.text, deepest))
}

/// The child whose text goes on in the CASE of its parent: the one that nests most, the last of equals.
fn continued(children: &[usize], nested: &[usize]) -> usize {
    children.iter().copied().max_by_key(|&child| nested[child]).unwrap_or_default()
}

impl Writer<'_> {
    fn node(&mut self, node: usize, indent: usize) -> Result<()> {
        // Whatever a step appends without a check is shorter, but for long lists of levels.
        memory::more_text(&mut self.text, SPARE)?;
        if let Some(said) = &self.said[node] {
            self.text.push_str(said);
            return Ok(());
        }
        let plan = self.plan;
        self.text.push_str("CASE");
        let mut here = node;
        while let (None, Node::Split(split)) = (&self.said[here], &plan.nodes[here]) {
            let last = continued(&split.children, &self.nested);
            for (branch, &child) in split.children.iter().enumerate().filter(|(_, child)| **child != last) {
                let condition = self.condition(split, branch)?;
                self.line(indent + 1);
                let _ = write!(self.text, "WHEN {condition} THEN ");
                if self.said[child].is_none() {
                    self.line(indent + 2);
                }
                self.node(child, indent + 2)?;
                self.note(child);
                memory::more_text(&mut self.text, SPARE)?;
            }
            here = last;
        }
        self.line(indent + 1);
        self.text.push_str("ELSE ");
        self.node(here, indent + 1)?;
        self.note(here);
        self.line(indent);
        self.text.push_str("END");
        Ok(())
    }

    fn line(&mut self, indent: usize) {
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        self.text.push('\n');
        self.text.push_str(&"  ".repeat(indent));
    }

    fn note(&mut self, node: usize) {
        if let (Some(notes), Node::Leaf { .. }) = (self.style.notes, &self.plan.nodes[node]) {
            let _ = write!(self.text, "  {}", notes(node));
        }
    }

    /// What holds of the rows of a branch and of no others, which have not gone another way before.
    fn condition(&self, split: &Split, branch: usize) -> Result<String> {
        let name = self.style.words.name(split.feature)?;
        Ok(match (known(split, branch, self.style.words)?, split.missing == split.children[branch]) {
            (Some(known), true) => format!("({known} OR {name} IS NULL)"),
            (Some(known), false) => known,
            (None, true) => format!("{name} IS NULL"),
            (None, false) => "1 = 0".to_owned(),
        })
    }
}

/// What holds of the rows with a value that take a branch; none where no such row does.
pub(super) fn known(split: &Split, branch: usize, words: Words<'_>) -> Result<Option<String>> {
    let (name, first) = (words.name(split.feature)?, branch == 0);
    Ok(match (split.at_most, split.levels.as_deref()) {
        (Some(bound), _) => {
            Some(format!("{name} {} {}", if first { "<=" } else { ">" }, words.dialect.number(bound)))
        }
        (_, Some([])) => (!first).then(|| format!("{name} IS NOT NULL")),
        (_, Some(levels)) => Some(words.member(split.feature, levels, first)?),
        _ if split.known => first.then(|| format!("{name} IS NOT NULL")),
        _ if branch < words.n_levels(split.feature) => {
            Some(format!("{name} = {}", words.level(split.feature, branch as u32)?))
        }
        _ => None,
    })
}
