// Trees of a hull: costs choose one of them, as the model's `at(cost_fp=, cost_fn=)` does.

// Where the tree of least cost in training stands; of equals the one of fewer false alarms.
function treeFor(found) {
  const ratio = found.miss / found.alarm;
  return facts.hull.findIndex((tree) => tree.to === null || ratio <= tree.to);
}

function rangeWords(tree) {
  const from = shortNumber(tree.from);
  return tree.to === null ? `${from} false alarms or more` : `${from} to ${shortNumber(tree.to)} false alarms`;
}

function treeSentence(tree, place, found) {
  const alarms = tree.tp + tree.fp;
  const right = alarms > 0 ? `, ${percent(tree.tp / alarms)} of them right` : "";
  const counts = { fp: tree.fp, fn: facts.positives - tree.tp };
  const cost = costOf(counts, found) * (numberIn("rows-a-day") ?? facts.rows);
  return `Tree ${place + 1} of ${facts.hull.length}, the best in training where a miss costs ${rangeWords(tree)}: here it finds `
    + `${whole(tree.tp)} of ${whole(facts.positives)} ${facts.positiveName} (${percent(tree.tp / facts.positives)}) with `
    + `${whole(alarms)} alarm${alarms === 1 ? "" : "s"}${right}, which costs ${shortAmount(cost)} a day.`;
}

function showHull() {
  // A report has no place for trees.
  const found = facts.hull ? prices() : null;
  if (found === null) {
    return;
  }
  byId("hull").hidden = false;
  const place = treeFor(found);
  const tree = facts.hull[place];
  write("hull-sentence", treeSentence(tree, place, found));
  const rules = tree.rules.length > 0 ? tree.rules : ["never"];
  byId("hull-rules").replaceChildren(...rules.map((rule) => node("li", {}, rule)));
  write("hull-code", `tree = model.at(cost_fp=${found.alarm}, cost_fn=${found.miss})`);
}
