//! A fitted tree in words: indented text, Graphviz DOT, rules and nodes as JSON.

use crate::model::{Spoken, TreeModel};
use crate::tree::Cut;
use imbcore_base::{FeatureKind, Label, Schema};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// How text and pictures are written.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Deepest level written out; deeper parts are summed up.
    pub max_depth: Option<u32>,
    /// Digits after the point.
    pub decimals: usize,
    /// Whether leaves show their class masses.
    pub show_weights: bool,
    /// Class that leaves speak of.
    pub positive: usize,
    /// Whether rows may lack values, so that every test says where these go.
    pub holes: bool,
}

/// Depth from which lines are no longer indented further but say how deep they are, so that the text of a tree grows
/// with its nodes and not with their depths.
const MOST_INDENT: usize = 64;

impl TreeModel {
    /// The tree as indented text, one line a branch or leaf.
    pub fn text(&self, schema: &Schema, style: TextStyle) -> String {
        let mut out = String::new();
        // (node, depth, branch text); a stack, since a tree may be deeper than the call stack allows.
        let mut stack: Vec<(usize, usize, Option<String>)> = vec![(0, 0, None)];
        while let Some((node, depth, branch)) = stack.pop() {
            if let Some(branch) = branch {
                let _ = writeln!(out, "{}|--- {branch}", indent(depth - 1));
            }
            let indent = indent(depth);
            if self.tree().cut(node) == Cut::Leaf {
                let _ = writeln!(out, "{indent}|--- {}", self.leaf_text(node, schema, style));
            } else if style.max_depth.is_some_and(|deepest| depth >= deepest as usize) {
                let more = self.size_below(node);
                let _ = writeln!(out, "{indent}|--- ... ({more} more nodes)");
            } else {
                for (place, child) in self.tree().children(node).enumerate().rev() {
                    let mut text = self.branch_text(node, place, schema, style.decimals);
                    text.push_str(self.missing_text(node, place, schema, style));
                    stack.push((child, depth + 1, Some(text)));
                }
            }
        }
        if style.holes && self.shares_missing() && self.tree().n_nodes() > 1 {
            out.push_str("rows without a value go down all branches, in shares\n");
        }
        out
    }

    fn leaf_text(&self, node: usize, schema: &Schema, style: TextStyle) -> String {
        let (class, positive) = (self.node_class(node), style.positive);
        let proba = |class: usize| {
            let name = schema.class_in_rules(class);
            format!("p({name}) {:.*}, ", style.decimals, self.node_proba(node)[class])
        };
        let mut text = format!("class: {} (", schema.class_in_rules(class));
        // Of two classes one says all.
        if self.tree().n_classes() > 2 && class != positive {
            text.push_str(&proba(class));
        }
        let Spoken { lift, recall, .. } = self.spoken(node, positive);
        let _ = write!(
            text,
            "{}lift {lift:.2}, recall {recall:.*}, {} rows)",
            proba(positive),
            style.decimals,
            self.tree().rows(node)
        );
        if style.show_weights {
            let mass = self.tree().mass(node).iter().map(|w| format!("{w:.*}", style.decimals));
            let _ = write!(text, " weights: [{}]", mass.collect::<Vec<_>>().join(", "));
        }
        text
    }

    /// Says of a branch that rows without a value take it too.
    fn missing_text(&self, node: usize, branch: usize, schema: &Schema, style: TextStyle) -> &'static str {
        let said = match self.tree().cut(node) {
            Cut::Known => true,
            Cut::EachLevel => level_of(schema, self.tree().column(node), branch).is_none(),
            _ => false,
        };
        let one_way = style.holes && !self.shares_missing();
        if one_way && !said && self.tree().missing_branch(node) == branch { " (or missing)" } else { "" }
    }

    fn size_below(&self, node: usize) -> usize {
        let mut stack = vec![node];
        let mut size = 0;
        while let Some(node) = stack.pop() {
            size += self.tree().children(node).len();
            stack.extend(self.tree().children(node));
        }
        size
    }

    /// The condition of one branch, such as `age <= 31.5`.
    fn branch_text(&self, node: usize, branch: usize, schema: &Schema, decimals: usize) -> String {
        let column = self.tree().column(node);
        let name = schema.feature_in_rules(column);
        match (self.tree().cut(node), branch) {
            (Cut::Leaf, _) => String::new(),
            (Cut::Below(threshold), 0) => format!("{name} <= {threshold:.decimals$}"),
            (Cut::Below(threshold), _) => format!("{name} > {threshold:.decimals$}"),
            (Cut::Known, 0) => format!("{name} is known"),
            (Cut::Known, _) => format!("{name} is missing"),
            (Cut::IsLevel(level), 0) => format!("{name} = {}", schema.level_in_rules(column, level)),
            (Cut::IsLevel(level), _) => format!("{name} != {}", schema.level_in_rules(column, level)),
            (Cut::InLevels(set), 0) => format!("{name} in {}", self.set_text(column, set, schema)),
            (Cut::InLevels(set), _) => format!("{name} not in {}", self.set_text(column, set, schema)),
            (Cut::EachLevel, level) => match level_of(schema, column, level) {
                Some(level) => format!("{name} = {}", schema.level_in_rules(column, level)),
                None => format!("{name} is missing"),
            },
        }
    }

    /// A set of levels, such as `{red, green}`.
    fn set_text(&self, column: usize, set: u32, schema: &Schema) -> String {
        let levels =
            self.tree().set_levels(set).into_iter().map(|level| schema.level_in_rules(column, level));
        format!("{{{}}}", levels.collect::<Vec<_>>().join(", "))
    }

    /// The tree in the DOT language of Graphviz.
    pub fn dot(&self, schema: &Schema, style: TextStyle) -> String {
        let mut out =
            String::from("digraph tree {\n  node [shape=box, style=rounded, fontname=\"helvetica\"];\n");
        let depths = self.tree().depths();
        let deepest = style.max_depth.map_or(u32::MAX, |depth| depth);
        for node in (0..self.tree().n_nodes()).filter(|&node| depths[node] <= deepest) {
            let cut_off = depths[node] == deepest && self.tree().cut(node) != Cut::Leaf;
            let label = if self.tree().cut(node) == Cut::Leaf {
                self.leaf_text(node, schema, style)
            } else if cut_off {
                format!("... ({} more nodes)", self.size_below(node))
            } else {
                let p = self.node_proba(node).iter().map(|p| format!("{p:.*}", style.decimals));
                format!(
                    "{}\n{} rows, p [{}]",
                    self.split_text(node, schema, style.decimals),
                    self.tree().rows(node),
                    p.collect::<Vec<_>>().join(", ")
                )
            };
            let _ = writeln!(out, "  {node} [label=\"{}\"];", escaped(&label));
            if !cut_off {
                for (branch, child) in self.tree().children(node).enumerate() {
                    let missing = self.missing_text(node, branch, schema, style);
                    let edge = escaped(&format!("{}{missing}", self.edge_text(node, branch, schema)));
                    let _ = writeln!(out, "  {node} -> {child} [label=\"{edge}\"];");
                }
            }
        }
        out.push_str("}\n");
        out
    }

    /// The question a node asks.
    fn split_text(&self, node: usize, schema: &Schema, decimals: usize) -> String {
        match self.tree().cut(node) {
            Cut::EachLevel => schema.feature_in_rules(self.tree().column(node)).into_owned(),
            _ => self.branch_text(node, 0, schema, decimals),
        }
    }

    /// The answer that leads along a branch.
    fn edge_text(&self, node: usize, branch: usize, schema: &Schema) -> String {
        match (self.tree().cut(node), branch) {
            (Cut::EachLevel, branch) => {
                let column = self.tree().column(node);
                level_of(schema, column, branch)
                    .map_or_else(|| "missing".into(), |level| schema.level_in_rules(column, level))
            }
            (_, 0) => "yes".into(),
            _ => "no".into(),
        }
    }

    /// One rule a leaf, as JSON: conditions (redundant bounds left out), class, probabilities, rows and masses, and what the
    /// leaf says of the class `positive`; the largest lift comes first.
    pub fn rules(&self, schema: &Schema, positive: usize, holes: bool) -> Value {
        let leaves: Vec<usize> =
            (0..self.tree().n_nodes()).filter(|&node| self.tree().cut(node) == Cut::Leaf).collect();
        let mut rules = self.rules_of(schema, &leaves, positive, holes);
        rules.sort_by(|(a, _), (b, _)| {
            let key = |node: usize| self.spoken(node, positive);
            let (a, b) = (key(*a), key(*b));
            b.lift.total_cmp(&a.lift).then(b.recall.total_cmp(&a.recall))
        });
        rules.into_iter().map(|(_, rule)| rule).collect()
    }

    /// One rule a box of [`TreeModel::region`], as [`TreeModel::rules`] writes those of leaves, in the order of the region.
    pub fn region_rules(&self, schema: &Schema, class: usize, holes: bool) -> Value {
        let mut rules = self.rules_of(schema, &self.region(class), class, holes);
        for (_, rule) in &mut rules {
            rule["class"] = json!(schema.classes.get(class));
        }
        rules.into_iter().map(|(_, rule)| rule).collect()
    }

    /// One rule for each of some nodes, none of them below another, in depth-first order.
    fn rules_of(
        &self,
        schema: &Schema,
        nodes: &[usize],
        positive: usize,
        holes: bool,
    ) -> Vec<(usize, Value)> {
        let mut wanted = vec![false; self.tree().n_nodes()];
        for &node in nodes {
            wanted[node] = true;
        }
        let mut rules: Vec<(usize, Value)> = Vec::new();
        let mut stack: Vec<(usize, Vec<Value>)> = vec![(0, Vec::new())];
        while let Some((node, conditions)) = stack.pop() {
            if wanted[node] {
                let mut rule = self.facts(node, schema);
                let Spoken { share, lift, recall } = self.spoken(node, positive);
                let more = [
                    ("leaf", json!(node)),
                    ("positive", json!(schema.classes.get(positive))),
                    ("share", json!(share)),
                    ("lift", json!(lift)),
                    ("recall", json!(recall)),
                    ("conditions", conditions.into()),
                ];
                rule.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
                rules.push((node, rule.into()));
                continue;
            }
            for (branch, child) in self.tree().children(node).enumerate().rev() {
                let mut longer = conditions.clone();
                let mut condition = self.condition(node, branch, schema, holes);
                // A later bound on the same side of the same feature is the tighter one; a row without the value must pass both.
                if condition["op"] == "<=" || condition["op"] == ">" {
                    let same = |c: &Value| c["feature"] == condition["feature"] && c["op"] == condition["op"];
                    if let Some(place) = longer.iter().position(same)
                        && longer.remove(place)["or_missing"] == false
                    {
                        condition["or_missing"] = false.into();
                    }
                }
                longer.push(condition);
                stack.push((child, longer));
            }
        }
        rules
    }

    fn condition(&self, node: usize, branch: usize, schema: &Schema, holes: bool) -> Value {
        let column = self.tree().column(node);
        let level = |code: u32| match schema.features.get(column).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) => json!(levels.get(code as usize)),
            _ => Value::Null,
        };
        let levels = |set| self.tree().set_levels(set).into_iter().map(level).collect::<Value>();
        let (op, value) = match (self.tree().cut(node), branch) {
            (Cut::Below(threshold), 0) => ("<=", json!(threshold)),
            (Cut::Below(threshold), _) => (">", json!(threshold)),
            (Cut::IsLevel(code), 0) => ("==", level(code)),
            (Cut::IsLevel(code), _) => ("!=", level(code)),
            (Cut::InLevels(set), 0) => ("in", levels(set)),
            (Cut::InLevels(set), _) => ("not in", levels(set)),
            (Cut::EachLevel, branch) => match level_of(schema, column, branch) {
                Some(code) => ("==", level(code)),
                None => ("missing", Value::Null),
            },
            (_, 0) => ("known", Value::Null),
            _ => ("missing", Value::Null),
        };
        let or_missing = match (holes, self.shares_missing()) {
            (false, _) => json!(false),
            (true, true) => json!("part"),
            (true, false) => json!(self.tree().missing_branch(node) == branch),
        };
        let mut condition =
            json!({"feature": schema.feature(column), "op": op, "value": value, "or_missing": or_missing});
        if let Some(group) = self.group(node, schema) {
            condition["group"] = group;
        }
        condition
    }

    /// Labels of the classes that the node's split tells from the others, where the tree keeps them.
    fn group(&self, node: usize, schema: &Schema) -> Option<Value> {
        let group = self.tree().class_group(node);
        let label = |&class: &u32| json!(schema.classes.get(class as usize));
        (!group.is_empty()).then(|| group.iter().map(label).collect())
    }

    /// Class, probabilities, rows and masses of a node.
    fn facts(&self, node: usize, schema: &Schema) -> Map<String, Value> {
        let class = schema.classes.get(self.node_class(node)).unwrap_or(&Label::Bool(false));
        let facts = [
            ("class", json!(class)),
            ("probability", json!(self.node_proba(node))),
            ("rows", json!(self.tree().rows(node))),
            ("mass", json!(self.tree().mass(node))),
        ];
        facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Every node as JSON, for drawing.
    pub fn nodes(&self, schema: &Schema, decimals: usize) -> Value {
        let (depths, parents) = (self.tree().depths(), self.tree().parents());
        (0..self.tree().n_nodes())
            .map(|node| {
                let (kind, label) = match self.tree().cut(node) {
                    Cut::Leaf => ("leaf", schema.class_in_rules(self.node_class(node))),
                    Cut::Below(_) => ("below", self.split_text(node, schema, decimals)),
                    Cut::Known => ("known", self.split_text(node, schema, decimals)),
                    Cut::IsLevel(_) => ("level", self.split_text(node, schema, decimals)),
                    Cut::InLevels(_) => ("set", self.split_text(node, schema, decimals)),
                    Cut::EachLevel => ("levels", self.split_text(node, schema, decimals)),
                };
                let is_leaf = kind == "leaf";
                let branch = (node > 0).then(|| {
                    self.edge_text(parents[node], node - self.tree().children(parents[node]).start, schema)
                });
                let mut facts = self.facts(node, schema);
                let more = [
                    ("id", json!(node)),
                    ("parent", json!((node > 0).then_some(parents[node]))),
                    ("depth", json!(depths[node])),
                    ("kind", json!(kind)),
                    ("label", json!(label)),
                    ("feature", json!((!is_leaf).then(|| schema.feature(self.tree().column(node))))),
                    ("children", json!(self.tree().children(node).collect::<Vec<_>>())),
                    ("branch", json!(branch)),
                    ("gain", json!(self.tree().gain(node))),
                ];
                facts.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
                facts.extend(self.group(node, schema).map(|group| ("group".to_owned(), group)));
                Value::Object(facts)
            })
            .collect()
    }
}

fn indent(depth: usize) -> String {
    let shown = "|   ".repeat(depth.min(MOST_INDENT));
    if depth > MOST_INDENT { format!("{shown}... depth {depth} ") } else { shown }
}

/// Level of a branch of a split by all levels; none for the branch of the rows without a value.
fn level_of(schema: &Schema, column: usize, branch: usize) -> Option<u32> {
    let known = match schema.features.get(column).map(|feature| &feature.kind) {
        Some(FeatureKind::Nominal { levels }) => branch < levels.len(),
        _ => true,
    };
    known.then_some(branch as u32)
}

/// Text inside a quoted DOT string.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::leaf::LeafRule;
    use crate::tree::Tree;
    use imbcore_base::{Feature, Schema};

    /// A tree in which every left child is a leaf.
    fn chain(depth: usize) -> (TreeModel, Schema) {
        let n_nodes = 2 * depth + 1;
        let inner = |node: usize| node.is_multiple_of(2) && node + 1 < n_nodes;
        let tree = Tree {
            n_classes: 2,
            cut: (0..n_nodes)
                .map(|node| if inner(node) { Cut::Below(node as f64) } else { Cut::Leaf })
                .collect(),
            column: vec![0; n_nodes],
            first_child: (0..n_nodes as u32).map(|node| node + 1).collect(),
            n_children: (0..n_nodes).map(|node| if inner(node) { 2 } else { 0 }).collect(),
            missing_child: vec![0; n_nodes],
            rows: vec![1; n_nodes],
            gain: vec![0.0; n_nodes],
            mass: vec![1.0; 2 * n_nodes],
            sets: Vec::new(),
            groups: Vec::new(),
        };
        let schema = Schema {
            features: vec![Feature { name: "x".into(), kind: FeatureKind::Numeric }],
            named: true,
            named_beside: false,
            classes: vec![Label::Int(0), Label::Int(1)],
            class_dtype: "int64".into(),
        };
        (TreeModel::new(tree, LeafRule::Frequency, 1.0, false), schema)
    }

    #[test]
    fn the_text_of_a_deep_tree_grows_with_its_nodes() {
        let style =
            TextStyle { max_depth: None, decimals: 0, show_weights: false, positive: 0, holes: false };
        let (model, schema) = chain(20_000);
        let text = model.text(&schema, style);
        // A branch a node below the root, and a line a leaf; none longer than the deepest indent and what it shows.
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
            TextStyle { max_depth: None, decimals: 0, show_weights: false, positive: 0, holes: false };
        let (model, schema) = chain(2);
        let leaf = "class: 0 (p(0) 0, lift 1.00, recall 1, 1 rows)";
        assert_eq!(
            model.text(&schema, style),
            format!(
                "|--- x <= 0\n|   |--- {leaf}\n|--- x > 0\n|   |--- x <= 2\n|   |   |--- {leaf}\n\
                 |   |--- x > 2\n|   |   |--- {leaf}\n"
            )
        );
    }
}
