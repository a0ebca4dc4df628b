// Rules of a tree or box model, and which of them raise alerts at a threshold.

function node(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function makeRules() {
  const rules = facts.rules;
  if (rules === null) {
    return;
  }
  byId("rules-table").hidden = false;
  rules.list.forEach((rule, place) => {
    const cells = [node("td", { class: "sign" }), node("td", { class: "rule" }, rule.text)];
    const bounds = [rule.low, rule.high].map(thresholdWords);
    const numbers = [bounds[0] === bounds[1] ? bounds[0] : bounds.join(" – "), whole(rule.rows), percent(rule.hits / rule.rows), percent(rule.hits / facts.positives)];
    byId("rules-rows").append(node("tr", { id: `rule-${place}` }, ...cells, ...numbers.map((words) => node("td", {}, words))));
  });
  if (rules.others > 0) {
    const cells = ["rows", "precision", "recall"].map((name) => node("td", { id: `other-${name}` }));
    const words = `alerts of the ${whole(rules.others)} other rules`;
    byId("rules-rows").append(node("tr", {}, node("td"), node("td", { class: "rule" }, words), node("td"), ...cells));
  }
}

// Sign for all, some or none of the rows of a rule raising an alert.
function signOf(rule, threshold) {
  if (threshold === null || rule.high < threshold) {
    return "○ no";
  }
  return rule.low >= threshold ? "● yes" : "◐ some";
}

function showRules(counts) {
  const rules = facts.rules;
  if (rules === null) {
    return;
  }
  let [rows, hits, known] = [counts.raised, counts.tp, !rules.overlap];
  rules.list.forEach((rule, place) => {
    const sign = signOf(rule, counts.threshold);
    const row = byId(`rule-${place}`);
    row.classList.toggle("fires", sign !== "○ no");
    row.firstChild.textContent = sign;
    known &&= sign !== "◐ some";
    if (sign === "● yes") {
      rows -= rule.rows;
      hits -= rule.hits;
    }
  });
  if (rules.others > 0) {
    write("other-rows", known ? whole(rows) : "–");
    write("other-precision", percent(known && rows > 0 ? hits / rows : NaN));
    write("other-recall", percent(known ? hits / facts.positives : NaN));
  }
}
