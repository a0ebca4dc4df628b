// Code that reproduces the decision elsewhere, with buttons to copy it.

// Values of the placeholders of snippets.
function codeValues(counts) {
  return {
    threshold: String(counts.threshold),
    recall: String(byId("recall").valueAsNumber / 100),
    alerts: String(byId("alerts").valueAsNumber),
    per: String(byId("rows-a-day").valueAsNumber),
    false_alert: String(byId("false-alert-cost").valueAsNumber),
    miss: String(byId("miss-cost").valueAsNumber),
  };
}

// Odd parts of a snippet are names of placeholders.
function filled(parts, values) {
  return parts.map((part, place) => (place % 2 ? values[part] : part)).join("");
}

function showCode(counts) {
  const values = codeValues(counts);
  facts.code.forEach((snippet, place) => {
    const goal = snippet.goals[state.goal];
    let words = snippet.never;
    if (counts.threshold !== null) {
      const met = snippet.counts === undefined || (counts.tp === snippet.counts[0] && counts.fp === snippet.counts[1]);
      words = met ? filled(snippet.parts, values) + (goal ? filled(goal, values) : "") : snippet.otherwise;
    }
    write(`code-${place}`, words);
  });
}

async function copyCode(place) {
  const code = byId(`code-${place}`);
  try {
    await navigator.clipboard.writeText(code.textContent);
    write(`copied-${place}`, "copied");
  } catch {
    // If the page may not use the clipboard, select the text.
    getSelection().selectAllChildren(code);
    write(`copied-${place}`, "selected: press Ctrl+C");
  }
}

function makeCode() {
  facts.code.forEach((snippet, place) => {
    const button = node("button", { type: "button", "aria-label": `Copy ${snippet.name}` }, "Copy");
    button.addEventListener("click", () => copyCode(place));
    const status = node("span", { id: `copied-${place}`, role: "status", class: "note" });
    const head = node("div", { class: "head" }, node("h3", {}, snippet.name), node("span", {}, status, " ", button));
    const code = node("pre", { id: `code-${place}`, tabindex: "0", role: "region", "aria-label": snippet.name });
    byId("code").append(node("div", { class: "snippet" }, head, code));
  });
}
