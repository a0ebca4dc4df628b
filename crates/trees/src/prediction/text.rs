//! Text export of a fitted tree: indented text, and Graphviz DOT.
//!
//! Both exports use an explicit stack, because a tree may be too deep for recursion. Branches have the same
//! labels in text, in drawings and in the JSON export of nodes.

use crate::model::{NodeClassStats, TreeModel};
use crate::tree::TreeSplit;
use imbcore_core::{FeatureKind, Schema};
use std::fmt::Write;

/// Options of the text export and of the DOT export.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Maximum depth of the nodes that are shown; deeper subtrees are summarized.
    pub max_depth: Option<u32>,
    /// Number of decimals of thresholds and probabilities.
    pub decimals: usize,
    /// Whether leaves show their class masses.
    pub show_weights: bool,
    /// Class whose statistics are shown at leaves.
    pub positive: usize,
    /// Whether values may be missing.
    ///
    /// If this is true, splits show the branch of missing values. If rows with missing values go to all
    /// branches, the text has a note instead.
    pub show_missing: bool,
}

/// Maximum indentation; deeper lines show their depth as a number instead.
/// Thus the length of the text is linear in the number of nodes.
const MOST_INDENT: usize = 64;

impl TreeModel {
    /// Returns the tree as indented text with one line per branch or leaf.
    pub fn to_text(&self, schema: &Schema, style: TextStyle) -> String {
        let mut out = String::new();
        let mut stack: Vec<(usize, usize, Option<String>)> = vec![(0, 0, None)];
        while let Some((node, depth, branch)) = stack.pop() {
            if let Some(branch) = branch {
                let _ = writeln!(out, "{}|--- {branch}", indent(depth - 1));
            }
            let indent = indent(depth);
            if self.tree().split(node) == TreeSplit::Leaf {
                let _ = writeln!(out, "{indent}|--- {}", self.leaf_text(node, schema, style));
            } else if style.max_depth.is_some_and(|deepest| depth >= deepest as usize) {
                let more = self.n_descendants(node);
                let _ = writeln!(out, "{indent}|--- ... ({more} more nodes)");
            } else {
                for (place, child) in self.tree().children(node).enumerate().rev() {
                    let mut text = self.branch_text(node, place, schema, style.decimals);
                    text.push_str(self.missing_branch_note(node, place, schema, style));
                    stack.push((child, depth + 1, Some(text)));
                }
            }
        }
        if style.show_missing && self.sends_missing_to_all_branches() && self.tree().n_nodes() > 1 {
            out.push_str("rows with missing values go down all branches, with fractional weights\n");
        }
        out
    }

    fn leaf_text(&self, node: usize, schema: &Schema, style: TextStyle) -> String {
        let (class, positive) = (self.node_class(node), style.positive);
        let proba = |class: usize| {
            let name = schema.class_rule_text(class);
            format!("p({name}) {:.*}, ", style.decimals, self.node_proba(node)[class])
        };
        let mut text = format!("class: {} (", schema.class_rule_text(class));
        // With two classes, the probability of the positive class is sufficient.
        if self.tree().n_classes() > 2 && class != positive {
            text.push_str(&proba(class));
        }
        let NodeClassStats { lift, recall, .. } = self.class_stats(node, positive);
        let _ = write!(
            text,
            "{}lift {lift:.2}, recall {recall:.*}, {} rows)",
            proba(positive),
            style.decimals,
            self.tree().n_node_rows(node)
        );
        if style.show_weights {
            let mass = self.tree().class_masses(node);
            let mass = mass.iter().map(|w| format!("{w:.*}", style.decimals));
            let _ = write!(text, " weights: [{}]", mass.collect::<Vec<_>>().join(", "));
        }
        text
    }

    fn missing_branch_note(
        &self,
        node: usize,
        branch: usize,
        schema: &Schema,
        style: TextStyle,
    ) -> &'static str {
        let is_explicit = match self.tree().split(node) {
            TreeSplit::Known => true,
            TreeSplit::EachLevel => branch_level(schema, self.tree().column(node), branch).is_none(),
            _ => false,
        };
        let one_way = style.show_missing && !self.sends_missing_to_all_branches();
        if one_way && !is_explicit && self.tree().missing_branch(node) == branch {
            " (or missing)"
        } else {
            ""
        }
    }

    fn n_descendants(&self, node: usize) -> usize {
        let mut stack = vec![node];
        let mut size = 0;
        while let Some(node) = stack.pop() {
            size += self.tree().children(node).len();
            stack.extend(self.tree().children(node));
        }
        size
    }

    /// Condition of one branch, such as `age <= 31.5`.
    fn branch_text(&self, node: usize, branch: usize, schema: &Schema, decimals: usize) -> String {
        let column = self.tree().column(node);
        let name = schema.feature_rule_text(column);
        match (self.tree().split(node), branch) {
            (TreeSplit::Leaf, _) => String::new(),
            (TreeSplit::Below(threshold), 0) => format!("{name} <= {threshold:.decimals$}"),
            (TreeSplit::Below(threshold), _) => format!("{name} > {threshold:.decimals$}"),
            (TreeSplit::Known, 0) => format!("{name} is known"),
            (TreeSplit::Known, _) => format!("{name} is missing"),
            (TreeSplit::IsLevel(level), 0) => format!("{name} = {}", schema.level_rule_text(column, level)),
            (TreeSplit::IsLevel(level), _) => format!("{name} != {}", schema.level_rule_text(column, level)),
            (TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. }, 0) => {
                format!("{name} in {}", self.level_set_text(node, schema))
            }
            (TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. }, _) => {
                format!("{name} not in {}", self.level_set_text(node, schema))
            }
            (TreeSplit::EachLevel, level) => match branch_level(schema, column, level) {
                Some(level) => format!("{name} = {}", schema.level_rule_text(column, level)),
                None => format!("{name} is missing"),
            },
        }
    }

    fn level_set_text(&self, node: usize, schema: &Schema) -> String {
        let column = self.tree().column(node);
        let levels = self.tree().left_levels(node).into_iter().flatten();
        let levels = levels.map(|level| schema.level_rule_text(column, level));
        format!("{{{}}}", levels.collect::<Vec<_>>().join(", "))
    }

    /// Returns the tree in the DOT language of Graphviz.
    pub fn to_dot(&self, schema: &Schema, style: TextStyle) -> String {
        let mut out =
            String::from("digraph tree {\n  node [shape=box, style=rounded, fontname=\"helvetica\"];\n");
        let depths = self.tree().depths();
        let deepest = style.max_depth.map_or(u32::MAX, |depth| depth);
        for node in (0..self.tree().n_nodes()).filter(|&node| depths[node] <= deepest) {
            let cut_off = depths[node] == deepest && self.tree().split(node) != TreeSplit::Leaf;
            let label = if self.tree().split(node) == TreeSplit::Leaf {
                self.leaf_text(node, schema, style)
            } else if cut_off {
                format!("... ({} more nodes)", self.n_descendants(node))
            } else {
                let p = self.node_proba(node);
                let p = p.iter().map(|p| format!("{p:.*}", style.decimals));
                format!(
                    "{}\n{} rows, p [{}]",
                    self.split_text(node, schema, style.decimals),
                    self.tree().n_node_rows(node),
                    p.collect::<Vec<_>>().join(", ")
                )
            };
            let _ = writeln!(out, "  {node} [label=\"{}\"];", escape_dot(&label));
            if !cut_off {
                for (branch, child) in self.tree().children(node).enumerate() {
                    let missing = self.missing_branch_note(node, branch, schema, style);
                    let edge = escape_dot(&format!("{}{missing}", self.edge_text(node, branch, schema)));
                    let _ = writeln!(out, "  {node} -> {child} [label=\"{edge}\"];");
                }
            }
        }
        out.push_str("}\n");
        out
    }

    pub(super) fn split_text(&self, node: usize, schema: &Schema, decimals: usize) -> String {
        match self.tree().split(node) {
            TreeSplit::EachLevel => schema.feature_rule_text(self.tree().column(node)).into_owned(),
            _ => self.branch_text(node, 0, schema, decimals),
        }
    }

    pub(super) fn edge_text(&self, node: usize, branch: usize, schema: &Schema) -> String {
        match (self.tree().split(node), branch) {
            (TreeSplit::EachLevel, branch) => {
                let column = self.tree().column(node);
                branch_level(schema, column, branch)
                    .map_or_else(|| "missing".into(), |level| schema.level_rule_text(column, level))
            }
            (_, 0) => "yes".into(),
            _ => "no".into(),
        }
    }
}

fn indent(depth: usize) -> String {
    let shown = "|   ".repeat(depth.min(MOST_INDENT));
    if depth > MOST_INDENT { format!("{shown}... depth {depth} ") } else { shown }
}

/// Returns the level of a branch of a multiway split; `None` for the missing-value branch.
pub(super) fn branch_level(schema: &Schema, column: usize, branch: usize) -> Option<u32> {
    let known = match schema.features.get(column).map(|feature| &feature.kind) {
        Some(FeatureKind::Nominal { levels }) => branch < levels.len(),
        _ => true,
    };
    known.then_some(branch as u32)
}

fn escape_dot(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_groups::ClassGroups;
    use crate::prediction::leaf_estimate::LeafEstimate;
    use crate::tree::Tree;
    use imbcore_core::{Feature, Label, Schema};

    fn chain(depth: usize) -> (TreeModel, Schema) {
        let n_nodes = 2 * depth + 1;
        let inner = |node: usize| node.is_multiple_of(2) && node + 1 < n_nodes;
        let tree = Tree {
            n_classes: 2,
            cut: (0..n_nodes)
                .map(|node| if inner(node) { TreeSplit::Below(node as f64) } else { TreeSplit::Leaf })
                .collect(),
            column: vec![0; n_nodes],
            first_child: (0..n_nodes as u32).map(|node| node + 1).collect(),
            n_children: (0..n_nodes).map(|node| if inner(node) { 2 } else { 0 }).collect(),
            missing_child: vec![0; n_nodes],
            rows: vec![1; n_nodes],
            gain: vec![0.0; n_nodes],
            mass: crate::masses::NodeMasses::Table(vec![1.0; 2 * n_nodes]),
            sets: Vec::new(),
            groups: ClassGroups::default(),
            statistics: crate::statistics::TargetStatisticTables::default(),
        };
        let schema = Schema {
            features: vec![Feature { name: "x".into(), kind: FeatureKind::Numeric }],
            named: true,
            named_beside: false,
            column_labels: Vec::new(),
            without_values: Vec::new(),
            classes: vec![Label::Int(0), Label::Int(1)],
            class_dtype: "int64".into(),
        };
        (TreeModel::new(tree, LeafEstimate::Frequency, 1.0, false), schema)
    }

    #[test]
    fn the_text_of_a_deep_tree_grows_with_its_nodes() {
        let style =
            TextStyle { max_depth: None, decimals: 0, show_weights: false, positive: 0, show_missing: false };
        let (model, schema) = chain(20_000);
        let text = model.to_text(&schema, style);
        // There is one line per node below the root and one per leaf. The length of a line is bounded by the
        // maximum indentation.
        assert_eq!(text.lines().count(), 40_000 + 20_001);
        assert!(text.lines().map(str::len).max() < Some(4 * MOST_INDENT + 80));
        let last: Vec<&str> = text.lines().rev().take(2).collect();
        let indent = "|   ".repeat(MOST_INDENT);
        assert_eq!(
            last[0],
            format!("{indent}... depth 20000 |--- class: 0 (p(0) 0, lift 1.00, recall 1, 1 rows)")
        );
        assert_eq!(last[1], format!("{indent}... depth 19999 |--- x > 39998"));
    }

    #[test]
    fn a_tree_of_a_few_levels_is_indented() {
        let style =
            TextStyle { max_depth: None, decimals: 0, show_weights: false, positive: 0, show_missing: false };
        let (model, schema) = chain(2);
        let leaf = "class: 0 (p(0) 0, lift 1.00, recall 1, 1 rows)";
        assert_eq!(
            model.to_text(&schema, style),
            format!(
                "|--- x <= 0\n|   |--- {leaf}\n|--- x > 0\n|   |--- x <= 2\n|   |   |--- {leaf}\n\
                 |   |--- x > 2\n|   |   |--- {leaf}\n"
            )
        );
    }
}
