// The rules of a tree or box drawing, and which of them raise alarms at a threshold.

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
    const said = [rule.low, rule.high].map(thresholdWords);
    const numbers = [said[0] === said[1] ? said[0] : said.join(" – "), whole(rule.rows), percent(rule.hits / rule.rows), percent(rule.hits / facts.positives)];
    byId("rules-rows").append(node("tr", { id: `rule-${place}` }, ...cells, ...numbers.map((words) => node("td", {}, words))));
  });
  if (rules.others > 0) {
    const cells = ["rows", "precision", "recall"].map((name) => node("td", { id: `other-${name}` }));
    const words = `alarms of the ${whole(rules.others)} others`;
    byId("rules-rows").append(node("tr", {}, node("td"), node("td", { class: "rule" }, words), node("td"), ...cells));
  }
}

// Whether all rows of a rule raise an alarm, or some, or none.
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
  let [rows, hits, known] = [counts.alarms, counts.tp, !rules.overlap];
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
