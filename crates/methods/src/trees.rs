//! Single trees as a family of methods: fitting, and their part of the model file.

use crate::file::{Reader, Writer};
use crate::model::Fitted;
use crate::registry::{Recipe, Run};
use imbcore_base::{Error, Feature, FeatureKind, Joined, Learner, Result, Schema};
use imbcore_tree::{
    AlphaParams, C45Params, ColumnKind, LeafRule, MissingRule, Tree, TreeArrays, TreeModel, TreeParams,
};
use serde_json::Value;

/// The parameters for a learner whose constraints are about the second class: they speak of the positive one, whose
/// probability rises where that of the other of two falls.
pub(crate) fn about_second(params: TreeParams, positive: u32) -> TreeParams {
    if positive == 1 {
        return params;
    }
    let turned = |signs: Vec<i8>| signs.into_iter().map(i8::wrapping_neg).collect();
    TreeParams { monotonic_cst: params.monotonic_cst.map(turned), ..params }
}

impl Recipe for TreeParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let costs = run.costs.map(|costs| costs.cells().to_vec());
        let learner =
            about_second(self, run.positive).check(method)?.class_weight(run.class_weight).costs(costs);
        Ok(Fitted::Tree(learner.fit(run.data, run.key, run.ctl)?))
    }
}

impl Recipe for Joined<AlphaParams, TreeParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let costs = run.costs.map(|costs| costs.cells().to_vec());
        let inner = about_second(self.inner, run.positive);
        let learner = self.own.check(inner, method)?.class_weight(run.class_weight).costs(costs);
        let fitted = learner.fit(run.data, run.key, run.ctl).map_err(|error| match error {
            // The options of the criterion are parameters of this method.
            Error::Parameter { method, name, expected, got } => {
                let name = name.trim_start_matches("criterion.").to_owned();
                Error::Parameter { method, name, expected, got }
            }
            other => other,
        });
        Ok(Fitted::Tree(fitted?))
    }
}

impl Recipe for Joined<C45Params, TreeParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.own.check(self.inner, method)?.class_weight(run.class_weight);
        Ok(Fitted::Tree(learner.fit(run.data, run.key, run.ctl)?))
    }
}

pub(crate) fn write(model: &TreeModel, file: &mut Writer) {
    let arrays = model.tree().to_arrays();
    file.u8s("tree.kind", &arrays.kind);
    file.f64s("tree.operand", &arrays.operand);
    file.u32s("tree.column", &arrays.column);
    file.u32s("tree.first_child", &arrays.first_child);
    file.u32s("tree.n_children", &arrays.n_children);
    file.u32s("tree.missing_child", &arrays.missing_child);
    file.u32s("tree.rows", &arrays.rows);
    file.f64s("tree.gain", &arrays.gain);
    file.f64s("tree.mass", &arrays.mass);
    // Few trees have these; without them the file is as it was before they came.
    for (name, words) in [("tree.sets", &arrays.sets), ("tree.groups", &arrays.groups)] {
        if !words.is_empty() {
            file.u32s(name, words);
        }
    }
}

pub(crate) fn read(file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<TreeModel> {
    let tree = read_tree(file, schema)?;
    let (leaf, m, fraction) = leaf_rule(params)?;
    Ok(TreeModel::new(tree, leaf, m, fraction))
}

/// The one leaf of a constant model.
pub(crate) fn read_leaf(file: &Reader<'_>, schema: &Schema) -> Result<TreeModel> {
    let tree = read_tree(file, schema)?;
    if tree.n_nodes() != 1 {
        return Err(Error::Format("the model file is damaged: a constant model has one leaf".into()));
    }
    Ok(TreeModel::new(tree, LeafRule::Frequency, 1.0, false))
}

/// The tree alone, as [`write`] puts it down.
pub(crate) fn read_tree(file: &Reader<'_>, schema: &Schema) -> Result<Tree> {
    let columns = column_kinds(schema);
    let arrays = TreeArrays {
        kind: file.u8s("tree.kind")?,
        operand: file.f64s("tree.operand")?,
        column: file.u32s("tree.column")?,
        first_child: file.u32s("tree.first_child")?,
        n_children: file.u32s("tree.n_children")?,
        missing_child: file.u32s("tree.missing_child")?,
        rows: file.u32s("tree.rows")?,
        gain: file.f64s("tree.gain")?,
        mass: file.f64s("tree.mass")?,
        sets: file.u32s_or_none("tree.sets")?,
        groups: file.u32s_or_none("tree.groups")?,
    };
    Tree::from_arrays(arrays, &columns, schema.classes.len())
}

/// Kind of every column of a schema.
pub(crate) fn column_kinds(schema: &Schema) -> Vec<ColumnKind> {
    let kind = |feature: &Feature| match &feature.kind {
        FeatureKind::Numeric => ColumnKind::Numeric,
        FeatureKind::Nominal { levels } => ColumnKind::Nominal(levels.len() as u32),
    };
    schema.features.iter().map(kind).collect()
}

/// Estimate of leaves, its `m`, and whether rows without a value are shared out, from the parameters of a file.
pub(crate) fn leaf_rule(params: &Value) -> Result<(LeafRule, f64, bool)> {
    let damaged =
        |name: &str| Error::Format(format!("the model file is damaged: parameter `{name}` is invalid"));
    let leaf: LeafRule = serde_json::from_value(params["leaf"].clone()).map_err(|_| damaged("leaf"))?;
    // Older files have the name that papers give it.
    let weight = params.get("prior_weight").or_else(|| params.get("m")).and_then(Value::as_f64);
    let m = weight.filter(|m| m.is_finite() && *m > 0.0).ok_or_else(|| damaged("prior_weight"))?;
    let missing: MissingRule =
        serde_json::from_value(params["missing"].clone()).map_err(|_| damaged("missing"))?;
    Ok((leaf, m, missing == MissingRule::Fraction))
}
