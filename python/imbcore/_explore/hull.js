// Trees of a hull: costs select one of them, as `at(cost_fp=, cost_fn=)` of the model does.

// Index of the tree of least training cost; of equal ones that with fewer false alerts.
function treeFor(found) {
  const ratio = found.miss / found.falseAlert;
  return facts.hull.findIndex((tree) => tree.to === null || ratio <= tree.to);
}

function rangeWords(tree) {
  const from = shortNumber(tree.from);
  return tree.to === null ? `${from} false alerts or more` : `${from} to ${shortNumber(tree.to)} false alerts`;
}

function treeSentence(tree, place, found) {
  const raised = tree.tp + tree.fp;
  const right = raised > 0 ? `, ${percent(tree.tp / raised)} of them correct` : "";
  const counts = { fp: tree.fp, fn: facts.positives - tree.tp };
  const cost = costOf(counts, found) * (numberIn("rows-a-day") ?? facts.rows);
  return `Tree ${place + 1} of ${facts.hull.length}, the best in training if a miss costs as much as ${rangeWords(tree)}: here it finds `
    + `${whole(tree.tp)} of ${whole(facts.positives)} ${facts.positiveName} (${percent(tree.tp / facts.positives)}) with `
    + `${whole(raised)} alert${raised === 1 ? "" : "s"}${right}, which costs ${shortAmount(cost)} per day.`;
}

function showHull() {
  // A report has no section for trees of a hull.
  const found = facts.hull ? costs() : null;
  if (found === null) {
    return;
  }
  byId("hull").hidden = false;
  const place = treeFor(found);
  const tree = facts.hull[place];
  write("hull-sentence", treeSentence(tree, place, found));
  const rules = tree.rules.length > 0 ? tree.rules : ["never"];
  byId("hull-rules").replaceChildren(...rules.map((rule) => node("li", {}, rule)));
  write("hull-code", `tree = model.select(cost_fp=${found.falseAlert}, cost_fn=${found.miss})`);
}
