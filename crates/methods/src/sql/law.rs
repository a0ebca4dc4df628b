//! What a fitted family says of a row, as columns of a query: probabilities, and the answer.

use super::boxes::of_boxes;
use super::committee::of_committee;
use super::said::{Own, Said, most, plain, shifted};
use crate::fitted::Fitted;
use imbcore_base::sql::{Query, Sums};
use imbcore_base::{Error, Result, Schema};
use imbcore_ensemble::{ForestModel, Vote};
use imbcore_tree::{Cut, TreeModel};

/// What was fitted says of a row; `schema` names the features that it sees, and rows may lack values where `holes`.
pub(super) fn said(fitted: &Fitted, query: &mut Query, schema: &Schema, holes: bool) -> Result<Said> {
    match fitted {
        Fitted::Tree(tree) | Fitted::Constant(tree) => of_tree(tree, query, schema, holes),
        Fitted::Svr(tree) => of_tree(tree.tree(), query, schema, holes),
        Fitted::Optimal(tree) => of_tree(tree.tree(), query, schema, holes),
        Fitted::Forest(forest) => of_forest(forest, query, schema, holes),
        Fitted::Boxes(boxes) => of_boxes(boxes, query, schema),
        Fitted::Bayes(networks) => {
            let (proba, lacking) = networks.sql(query, schema)?;
            Ok(Said { lacking, ..Said::most(proba) })
        }
        Fitted::Committee(committee) => of_committee(committee, query, (schema, holes), said),
        Fitted::Decomposed(_) => Err(Error::Unsupported(
            "a decomposition of several classes cannot be written as SQL; write its members, or fit a method that knows several classes"
                .into(),
        )),
    }
}

fn of_tree(tree: &TreeModel, query: &mut Query, schema: &Schema, holes: bool) -> Result<Said> {
    let n_classes = tree.tree().n_classes();
    if tree.shares_missing() && holes {
        return Ok(Said::most(of_shares(&[tree], query, schema)?.concat()));
    }
    let dialect = query.dialect();
    let style = plain(dialect, schema);
    let mut proba = Vec::with_capacity(n_classes);
    for class in 0..n_classes {
        proba.push(query.add(tree.sql(|leaf| dialect.number(tree.node_proba(leaf)[class]), style)?)?);
    }
    let own = query.add(tree.sql(|leaf| tree.node_class(leaf).to_string(), style)?)?;
    query.close()?;
    Ok(Said { proba: Some(proba), own: Own::Code(own), lacking: Vec::new() })
}

/// Probabilities of every tree, whose rows without a value go down all branches in shares.
fn of_shares(trees: &[&TreeModel], query: &mut Query, schema: &Schema) -> Result<Vec<Vec<String>>> {
    let leaves = TreeModel::sql_shares(trees, query, schema)?;
    let dialect = query.dialect();
    let mut all = Vec::with_capacity(trees.len());
    for (tree, leaves) in trees.iter().zip(leaves) {
        let n_classes = tree.tree().n_classes();
        let mut sums = Sums::new(n_classes);
        for (leaf, share) in leaves {
            let term = |p: &f64| format!("{share} * {}", dialect.number(*p));
            sums.add(query, tree.node_proba(leaf).iter().map(term).collect())?;
        }
        all.push(sums.close(query)?);
    }
    Ok(all)
}

fn of_forest(forest: &ForestModel, query: &mut Query, schema: &Schema, holes: bool) -> Result<Said> {
    let trees = (0..forest.n_trees()).map(|tree| forest.member(tree)).collect::<Result<Vec<_>>>()?;
    let sums = if forest.shares_missing() && holes {
        sums_of_shares(forest, &trees, query, schema)?
    } else {
        sums_of_leaves(forest, &trees, query, schema)?
    };
    let (sums, weight) = sums;
    let votes = sums.iter().map(|sum| query.add(format!("{sum} / {weight}"))).collect::<Result<Vec<_>>>()?;
    query.close()?;
    let proba = shifted(forest.recalibration(), query, &votes)?;
    Ok(Said { own: Own::Most(votes), proba: Some(proba), lacking: Vec::new() })
}

/// Sums of what the trees say of each class, and their weight.
type Weighed = (Vec<String>, String);

fn sums_of_leaves(
    forest: &ForestModel,
    trees: &[TreeModel],
    query: &mut Query,
    schema: &Schema,
) -> Result<Weighed> {
    let (dialect, weighted) = (query.dialect(), forest.vote().1);
    let n_classes = trees[0].tree().n_classes();
    let mut sums = Sums::new(n_classes + usize::from(weighted));
    for tree in trees {
        let node = |node: usize| match tree.tree().cut(node) {
            Cut::Leaf => forest.voice(tree, node),
            _ => (Vec::new(), 0.0),
        };
        let voices: Vec<(Vec<f64>, f64)> = (0..tree.tree().n_nodes()).map(node).collect();
        let mut terms = Vec::with_capacity(n_classes + 1);
        for class in 0..n_classes {
            terms.push(tree.sql(|leaf| dialect.number(voices[leaf].0[class]), plain(dialect, schema))?);
        }
        if weighted {
            terms.push(tree.sql(|leaf| dialect.number(voices[leaf].1), plain(dialect, schema))?);
        }
        sums.add(query, terms)?;
    }
    let mut columns = sums.close(query)?;
    let weight =
        if weighted { columns.pop().unwrap_or_default() } else { dialect.number(trees.len() as f64) };
    Ok((columns, weight))
}

fn sums_of_shares(
    forest: &ForestModel,
    trees: &[TreeModel],
    query: &mut Query,
    schema: &Schema,
) -> Result<Weighed> {
    let dialect = query.dialect();
    let (vote, weighted) = forest.vote();
    if vote == Vote::Hard && weighted {
        return Err(Error::Unsupported(
            "votes that count by the weight of a leaf, of rows that go down all branches in shares, cannot be written as SQL; fit with \
             missing=\"direction\""
                .into(),
        ));
    }
    let of_trees = of_shares(&trees.iter().collect::<Vec<_>>(), query, schema)?;
    let n_classes = of_trees[0].len();
    let mut sums = Sums::new(n_classes);
    let votes = [dialect.number(0.0), dialect.number(1.0)];
    for proba in of_trees {
        let cast = |class: usize| {
            let says: Vec<String> =
                (0..n_classes).map(|other| votes[usize::from(other == class)].clone()).collect();
            most(&proba, &says)
        };
        let terms = match vote {
            Vote::Soft => proba.clone(),
            Vote::Hard => (0..n_classes).map(cast).collect(),
        };
        sums.add(query, terms)?;
    }
    Ok((sums.close(query)?, dialect.number(trees.len() as f64)))
}
