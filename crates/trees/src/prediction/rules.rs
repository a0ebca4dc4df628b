//! Export of a fitted tree as JSON: rules of leaves and regions, and nodes.
//!
//! A rule is the conjunction of the conditions on the path to a node, with at most one lower and one upper
//! bound per feature. Of two upper (or lower) bounds of the same feature on a path, the deeper bound is
//! tighter and replaces the other one.

use crate::model::{NodeClassStats, TreeModel};
use crate::prediction::text::branch_level;
use crate::tree::TreeSplit;
use imbcore_core::{FeatureKind, Label, Schema};
use serde_json::{Map, Value, json};

const PART: &str = "part";

impl TreeModel {
    /// Returns one rule per leaf as JSON, ordered by decreasing lift of the class `positive`.
    ///
    /// A rule contains its conditions without redundant bounds, and the class, probabilities, row count and
    /// masses of the leaf. It also contains the statistics of the class `positive`. Rules with equal lift are
    /// ordered by decreasing recall. If `holes` is false, no condition accepts missing values.
    pub fn leaf_rules_json(&self, schema: &Schema, positive: usize, holes: bool) -> Value {
        let leaves: Vec<usize> =
            (0..self.tree().n_nodes()).filter(|&node| self.tree().split(node) == TreeSplit::Leaf).collect();
        let mut rules = self.rules_json_for_nodes(schema, &leaves, positive, holes);
        rules.sort_by(|(a, _), (b, _)| {
            let key = |node: usize| self.class_stats(node, positive);
            let (a, b) = (key(*a), key(*b));
            b.lift.total_cmp(&a.lift).then(b.recall.total_cmp(&a.recall))
        });
        rules.into_iter().map(|(_, rule)| rule).collect()
    }

    /// Returns one rule for each box of [`TreeModel::class_region_roots`], in the same order.
    ///
    /// The format is that of [`TreeModel::leaf_rules_json`].
    pub fn region_rules_json(&self, schema: &Schema, class: usize, holes: bool) -> Value {
        let mut rules = self.rules_json_for_nodes(schema, &self.class_region_roots(class), class, holes);
        for (_, rule) in &mut rules {
            rule["class"] = json!(schema.classes.get(class));
        }
        rules.into_iter().map(|(_, rule)| rule).collect()
    }

    /// Returns one rule for each of the given nodes, in depth-first order.
    /// None of the nodes may be a descendant of another.
    fn rules_json_for_nodes(
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
                let mut rule = self.node_stats_json(node, schema);
                let NodeClassStats { share, lift, recall } = self.class_stats(node, positive);
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
                let mut condition = self.branch_condition_json(node, branch, schema, holes);
                // The new condition replaces an earlier lower (or upper) bound of the same feature, because a
                // deeper bound is tighter. A row with a missing value reaches the node only if both
                // conditions accept missing values.
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

    /// Returns the threshold, the levels, and the child of missing values.
    ///
    /// The threshold is the largest value that goes to the first child. The levels are those of the first
    /// child, or of each child in a multiway split.
    fn split_fields_json(&self, node: usize, schema: &Schema) -> [(&'static str, Value); 3] {
        let (mut threshold, mut levels) = (Value::Null, Value::Null);
        let children = self.tree().children(node);
        let value = |branch| self.branch_condition_json(node, branch, schema, false)["value"].take();
        match self.tree().split(node) {
            TreeSplit::Below(_) => threshold = value(0),
            TreeSplit::IsLevel(_) => levels = json!([value(0)]),
            TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. } => levels = value(0),
            TreeSplit::EachLevel => levels = (0..children.len()).map(value).collect(),
            TreeSplit::Leaf | TreeSplit::Known => {}
        }
        let missing = match self.tree().split(node) {
            TreeSplit::Leaf => Value::Null,
            _ if self.sends_missing_to_all_branches() => json!(PART),
            _ => json!(children.start + self.tree().missing_branch(node)),
        };
        [("threshold", threshold), ("levels", levels), ("missing", missing)]
    }

    fn branch_condition_json(&self, node: usize, branch: usize, schema: &Schema, holes: bool) -> Value {
        let column = self.tree().column(node);
        let level = |code: u32| match schema.features.get(column).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) => json!(levels.get(code as usize)),
            _ => Value::Null,
        };
        let levels = || self.tree().left_levels(node).into_iter().flatten().map(level).collect::<Value>();
        let (op, value) = match (self.tree().split(node), branch) {
            (TreeSplit::Below(threshold), 0) => ("<=", json!(threshold)),
            (TreeSplit::Below(threshold), _) => (">", json!(threshold)),
            (TreeSplit::IsLevel(code), 0) => ("==", level(code)),
            (TreeSplit::IsLevel(code), _) => ("!=", level(code)),
            (TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. }, 0) => ("in", levels()),
            (TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. }, _) => ("not in", levels()),
            (TreeSplit::EachLevel, branch) => match branch_level(schema, column, branch) {
                Some(code) => ("==", level(code)),
                None => ("missing", Value::Null),
            },
            (_, 0) => ("known", Value::Null),
            _ => ("missing", Value::Null),
        };
        let or_missing = match (holes, self.sends_missing_to_all_branches()) {
            (false, _) => json!(false),
            (true, true) => json!(PART),
            (true, false) => json!(self.tree().missing_branch(node) == branch),
        };
        let mut condition = json!({"feature": schema.feature_name(column), "op": op, "value": value, "or_missing": or_missing});
        if let Some(group) = self.class_group_labels(node, schema) {
            condition["group"] = group;
        }
        condition
    }

    fn class_group_labels(&self, node: usize, schema: &Schema) -> Option<Value> {
        let group = self.tree().class_group(node);
        let label = |&class: &u32| json!(schema.classes.get(class as usize));
        (!group.is_empty()).then(|| group.iter().map(label).collect())
    }

    fn node_stats_json(&self, node: usize, schema: &Schema) -> Map<String, Value> {
        let class = schema.classes.get(self.node_class(node)).unwrap_or(&Label::Bool(false));
        let facts = [
            ("class", json!(class)),
            ("probability", json!(&*self.node_proba(node))),
            ("rows", json!(self.tree().n_node_rows(node))),
            ("mass", json!(&*self.tree().class_masses(node))),
        ];
        facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Returns every node as JSON, for drawings of the tree.
    pub fn nodes_json(&self, schema: &Schema, decimals: usize) -> Value {
        let (depths, parents) = (self.tree().depths(), self.tree().parents());
        (0..self.tree().n_nodes())
            .map(|node| {
                let (kind, label) = match self.tree().split(node) {
                    TreeSplit::Leaf => ("leaf", schema.class_rule_text(self.node_class(node))),
                    TreeSplit::Below(_) => ("below", self.split_text(node, schema, decimals)),
                    TreeSplit::Known => ("known", self.split_text(node, schema, decimals)),
                    TreeSplit::IsLevel(_) => ("level", self.split_text(node, schema, decimals)),
                    TreeSplit::InLevels(_) | TreeSplit::StatisticAtMost { .. } => {
                        ("set", self.split_text(node, schema, decimals))
                    }
                    TreeSplit::EachLevel => ("levels", self.split_text(node, schema, decimals)),
                };
                let is_leaf = kind == "leaf";
                let branch = (node > 0).then(|| {
                    self.edge_text(parents[node], node - self.tree().children(parents[node]).start, schema)
                });
                let mut facts = self.node_stats_json(node, schema);
                let more = [
                    ("id", json!(node)),
                    ("parent", json!((node > 0).then_some(parents[node]))),
                    ("depth", json!(depths[node])),
                    ("kind", json!(kind)),
                    ("label", json!(label)),
                    ("feature", json!((!is_leaf).then(|| schema.feature_name(self.tree().column(node))))),
                    ("children", json!(self.tree().children(node).collect::<Vec<_>>())),
                    ("branch", json!(branch)),
                    ("gain", json!(self.tree().split_gain(node))),
                ];
                facts.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
                facts.extend(
                    self.split_fields_json(node, schema)
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value)),
                );
                facts.extend(self.class_group_labels(node, schema).map(|group| ("group".to_owned(), group)));
                Value::Object(facts)
            })
            .collect()
    }
}
