//! A fitted tree as one SQL expression.
//!
//! Databases read only so many CASE expressions inside each other (`SQLite`, before version 3.45, about 15), and trees are deeper. At
//! each node the branch that nests less is written in a WHEN, and the other goes on as the next WHEN of the same CASE: what is
//! nested is the Horton-Strahler number of the tree, at most the logarithm of its leaves.

use crate::model::TreeModel;
use crate::tree::{Cut, Tree};
use imbcore_base::sql::Dialect;
use imbcore_base::{Error, FeatureKind, Result, Schema};
use std::fmt::Write;

/// CASE expressions inside each other that `SQLite` reads wherever the tree stands in a query.
const MOST_NESTED: u32 = 12;

/// How a tree is written.
#[derive(Clone, Copy, Debug)]
pub struct SqlStyle<'a> {
    /// For which database.
    pub dialect: Dialect,
    /// Names of features and levels.
    pub schema: &'a Schema,
    /// Whether each leaf has a line of its own that tells its training rows; otherwise branches that say the same are one.
    pub notes: bool,
    /// Levels of indentation.
    pub indent: usize,
}

/// A tree on its way to text.
struct Writer<'a> {
    model: &'a TreeModel,
    style: SqlStyle<'a>,
    /// What each node says, where all its leaves say the same.
    said: Vec<Option<String>>,
    /// How many CASE expressions are nested in the text of each node.
    nested: Vec<u32>,
    text: String,
}

impl TreeModel {
    /// An expression for what `says` is of the leaf that a row reaches. Columns are named as the features, and NULL where there
    /// is no value; rows without a value must go one way.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for names and levels that the database has no words for, and for trees too bushy for it.
    pub fn sql(&self, says: impl Fn(usize) -> String, style: SqlStyle<'_>) -> Result<String> {
        let tree = self.tree();
        let n_nodes = tree.n_nodes();
        let (mut said, mut nested) = (vec![None; n_nodes], vec![0; n_nodes]);
        // Children come after their parents.
        for node in (0..n_nodes).rev() {
            let children = tree.children(node);
            if tree.cut(node) == Cut::Leaf {
                said[node] = Some(says(node));
                continue;
            }
            let first = said[children.start].clone();
            if !style.notes && first.is_some() && children.clone().all(|child| said[child] == first) {
                said[node] = first;
                continue;
            }
            let last = continued(children.clone(), &nested);
            let inner = children.filter(|&child| child != last);
            let deepest =
                inner.map(|child| nested[child] + u32::from(nested[child] > 0)).max().unwrap_or_default();
            nested[node] = deepest.max(nested[last]).max(1);
        }
        if nested[0] > MOST_NESTED {
            return Err(Error::Unsupported(format!(
                "a tree of {} leaves would nest {} CASE expressions, and databases read about {MOST_NESTED}; prune it or fit it with \
                 a smaller max_depth",
                tree.n_leaves(),
                nested[0]
            )));
        }
        let mut writer = Writer { model: self, style, said, nested, text: String::new() };
        writer.node(0, style.indent)?;
        Ok(writer.text)
    }

    /// What a comment says of a node.
    pub fn sql_note(&self, node: usize) -> String {
        let rows = self.tree().rows(node);
        format!("-- {rows} row{}", if rows == 1 { "" } else { "s" })
    }
}

/// The child whose text goes on in the CASE of its parent: the one that nests most, the last of equals.
fn continued(children: std::ops::Range<usize>, nested: &[u32]) -> usize {
    let last = children.end - 1;
    children.max_by_key(|&child| nested[child]).unwrap_or(last)
}

impl Writer<'_> {
    fn node(&mut self, node: usize, indent: usize) -> Result<()> {
        if let Some(said) = &self.said[node] {
            self.text.push_str(said);
            return Ok(());
        }
        self.text.push_str("CASE");
        let mut here = node;
        while self.said[here].is_none() {
            let children = self.model.tree().children(here);
            let last = continued(children.clone(), &self.nested);
            for (branch, child) in children.enumerate().filter(|(_, child)| *child != last) {
                let condition = self.condition(here, branch)?;
                self.line(indent + 1);
                let _ = write!(self.text, "WHEN {condition} THEN ");
                if self.said[child].is_none() {
                    self.line(indent + 2);
                }
                self.node(child, indent + 2)?;
                self.note(child);
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
        if self.style.notes && self.model.tree().cut(node) == Cut::Leaf {
            let _ = write!(self.text, "  {}", self.model.sql_note(node));
        }
    }

    /// What holds of the rows of a branch and of no others, which have not gone another way before.
    fn condition(&self, node: usize, branch: usize) -> Result<String> {
        let SqlStyle { dialect, schema, .. } = self.style;
        let known = known(self.model.tree(), (node, branch), dialect, schema)?;
        let name = dialect.name(schema.feature(self.model.tree().column(node)))?;
        Ok(match (known, self.model.tree().missing_branch(node) == branch) {
            (Some(known), true) => format!("({known} OR {name} IS NULL)"),
            (Some(known), false) => known,
            (None, true) => format!("{name} IS NULL"),
            (None, false) => "1 = 0".to_owned(),
        })
    }
}

/// What holds of the rows with a value that take a branch; none where no such row does.
pub(super) fn known(
    tree: &Tree,
    (node, branch): (usize, usize),
    dialect: Dialect,
    schema: &Schema,
) -> Result<Option<String>> {
    let column = tree.column(node);
    let name = dialect.name(schema.feature(column))?;
    let level = |level: u32| match schema.features.get(column).map(|feature| &feature.kind) {
        Some(FeatureKind::Nominal { levels }) if (level as usize) < levels.len() => {
            dialect.label(&levels[level as usize])
        }
        _ => Err(Error::Internal("a tree splits on a level that does not exist".into())),
    };
    Ok(match (tree.cut(node), branch) {
        (Cut::Below(threshold), 0) => Some(format!("{name} <= {}", dialect.number(threshold))),
        (Cut::Below(threshold), _) => Some(format!("{name} > {}", dialect.number(threshold))),
        (Cut::Known | Cut::Leaf, 0) => Some(format!("{name} IS NOT NULL")),
        (Cut::IsLevel(one), 0) => Some(format!("{name} = {}", level(one)?)),
        (Cut::IsLevel(one), _) => Some(format!("{name} <> {}", level(one)?)),
        (Cut::InLevels(set), branch) => {
            let levels = tree.set_levels(set).into_iter().map(level).collect::<Result<Vec<_>>>()?.join(", ");
            Some(match (levels.is_empty(), branch) {
                (true, 0) => format!("{name} <> {name}"),
                (true, _) => format!("{name} = {name}"),
                (false, 0) => format!("{name} IN ({levels})"),
                (false, _) => format!("{name} NOT IN ({levels})"),
            })
        }
        (Cut::EachLevel, branch) if branch < n_levels(schema, column) => {
            Some(format!("{name} = {}", level(branch as u32)?))
        }
        (Cut::Known | Cut::Leaf | Cut::EachLevel, _) => None,
    })
}

fn n_levels(schema: &Schema, column: usize) -> usize {
    match schema.features.get(column).map(|feature| &feature.kind) {
        Some(FeatureKind::Nominal { levels }) => levels.len(),
        _ => 0,
    }
}
