// The page: its state, its controls, and the parts that are updated when the state changes.

const byId = (id) => document.getElementById(id);
const NUMBERS = ["recall", "alerts", "rows-a-day", "false-alert-cost", "miss-cost"];
// Values of the cost sliders.
const ROUND = [1, 10, 100, 1000].flatMap((ten) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9].map((digit) => digit * ten));

const state = { position: 0, goal: "own" };
let movers = [];

function whole(value) {
  return Math.round(value).toLocaleString("en");
}

function percent(share) {
  if (Number.isNaN(share)) {
    return "–";
  }
  const digits = share === 0 || share >= 0.1 ? 1 : 2;
  return `${(100 * share).toLocaleString("en", { maximumFractionDigits: digits })}\u00a0%`;
}

function shortNumber(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 3, notation: value >= 1e4 ? "compact" : "standard" });
}

function thresholdWords(threshold) {
  return threshold === null ? "none" : Number(threshold.toPrecision(4)).toString();
}

// The number in a field, or null if it is not valid.
function numberIn(id) {
  const field = byId(id);
  const value = field.valueAsNumber;
  const fits = Number.isFinite(value) && field.validity.valid;
  field.setAttribute("aria-invalid", String(!fits));
  return fits ? value : null;
}

function costs() {
  const [falseAlert, miss] = [numberIn("false-alert-cost"), numberIn("miss-cost")];
  return falseAlert === null || miss === null ? null : { falseAlert, miss };
}

// --- goals ----------------------------------------------------------------------------------------

// The position that meets a goal; null if a field has no valid number.
const GOALS = {
  recall() {
    const share = numberIn("recall");
    // 90 / 100 rounds to the same double as the 0.9 of the Python API.
    return share === null ? null : positionForRecall(share / 100);
  },
  alerts() {
    const [alerts, rows] = [numberIn("alerts"), numberIn("rows-a-day")];
    return alerts === null || rows === null ? null : positionForAlerts(alerts, rows);
  },
  cost() {
    const found = costs();
    return found === null ? null : positionForCost(found);
  },
  own: () => facts.own.position,
  hand: () => state.position,
};

function follow(goal) {
  state.goal = goal;
  byId(`goal-${goal}`).checked = true;
  state.position = GOALS[goal]() ?? state.position;
  show();
}

function choose(position) {
  state.position = position;
  state.goal = "hand";
  byId("goal-hand").checked = true;
  show();
}

// Note on how the goal was met.
function remark(counts) {
  if (state.goal !== "hand" && GOALS[state.goal]() === null) {
    return "A field above has no valid number; the threshold is unchanged.";
  }
  if (state.goal === "own" && !facts.own.exact) {
    const { tp, raised } = facts.own;
    return `The predictions of the model find ${whole(tp)} of ${whole(facts.positives)} with ${whole(raised)} alerts, but not by one threshold on this probability: test folds can have different thresholds, and rows different costs. The nearest threshold is shown.`;
  }
  if (state.goal === "alerts" && state.position === lastPosition) {
    return "The budget is not a limit: an alert for every row stays within it.";
  }
  if (state.goal === "alerts" && state.position === 0) {
    return `Only a threshold without alerts stays within the budget: ${whole(countsAt(1).raised)} of these rows have the largest probability.`;
  }
  if (counts.threshold === null) {
    return `No threshold excludes every row: ${whole(countsAt(1).raised)} of them have probability 1.`;
  }
  return "";
}

// --- output ------------------------------------------------------------------------------

function write(id, words) {
  byId(id).textContent = words;
}

function sentenceOf(counts) {
  const found = `finds ${whole(counts.tp)} of ${whole(facts.positives)} ${facts.positiveName} (${percent(counts.recall)})`;
  const alerts = `${whole(counts.raised)} alert${counts.raised === 1 ? "" : "s"}`;
  const right = counts.raised > 0 ? `, ${percent(counts.precision)} of them correct` : "";
  const from = counts.threshold === null ? "No alert" : `Threshold ${thresholdWords(counts.threshold)}`;
  return `${from}: ${found} with ${alerts}${right}.`;
}

function showTiles(counts) {
  const rowsADay = numberIn("rows-a-day") ?? facts.rows;
  const perDay = rowsADay / facts.rows;
  write("tile-threshold", thresholdWords(counts.threshold));
  write("tile-recall", percent(counts.recall));
  write("tile-found", `${whole(counts.tp)} of ${whole(facts.positives)}; ${whole(counts.fn)} missed; ${intervalWords(counts.tp, facts.positives)}`);
  write("tile-precision", percent(counts.precision));
  write("tile-right", `${whole(counts.tp)} of ${whole(counts.raised)}; ${whole(counts.fp)} false; ${intervalWords(counts.tp, counts.raised)}`);
  write("tile-specificity", percent(counts.tn / facts.negatives));
  write("tile-quiet", `${whole(counts.tn)} of ${whole(facts.negatives)} without alert; ${intervalWords(counts.tn, facts.negatives)}`);
  const quiet = counts.fn + counts.tn;
  write("tile-npv", percent(counts.tn / quiet));
  write("tile-clear", `${whole(counts.tn)} of ${whole(quiet)} without alert; ${intervalWords(counts.tn, quiet)}`);
  write("tile-alerts", shortAmount(counts.raised * perDay));
  write("tile-per", `of ${whole(rowsADay)} rows per day with the same scores`);
  const found = costs();
  write("tile-cost", found ? shortAmount(costOf(counts, found) * rowsADay) : "–");
  write("tile-costs", found ? `false alert ${shortNumber(found.falseAlert)}, miss ${shortNumber(found.miss)}` : "a cost is missing");
}

function intervalWords(hits, rows) {
  const [low, high] = wilsonInterval(hits, rows);
  return `interval ${percent(low)} to ${percent(high)}`;
}

function shortAmount(value) {
  return value < 100 ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : whole(value);
}

function showCounts(counts) {
  for (const name of ["tp", "fp", "fn", "tn", "raised"]) {
    write(name, whole(counts[name]));
  }
  write("quiet", whole(counts.fn + counts.tn));
}

let announcement;
function announce(words) {
  // Screen readers read the text once the threshold has stopped moving.
  clearTimeout(announcement);
  announcement = setTimeout(() => write("spoken", words), 400);
}

function show() {
  const counts = countsAt(state.position);
  const sentence = sentenceOf(counts);
  byId("threshold").value = state.position;
  byId("threshold").setAttribute("aria-valuetext", sentence);
  write("sentence", sentence);
  write("remark", remark(counts));
  announce(`${sentence} ${remark(counts)}`);
  showTiles(counts);
  showCounts(counts);
  showRules(counts);
  showHull();
  showDaily();
  showCode(counts);
  movers.forEach((move) => move(counts));
}

// --- setup -----------------------------------------------------------------------------------------

function showCalibration() {
  const bins = facts.calibration[document.querySelector("input[name=bins]:checked").value];
  drawCalibration(byId("calibration"), bins);
  byId("calibration-rows").replaceChildren(...bins.map(([rows, predicted, observed, low, high]) => {
    const words = [whole(rows), percent(predicted), percent(observed), `${percent(low)} – ${percent(high)}`];
    return node("tr", {}, ...words.map((word) => node("td", {}, word)));
  }));
}

function drawAll() {
  const share = facts.positives / facts.rows;
  movers = [
    drawCurve(byId("precision-recall"), {
      description: `Precision against recall of ${whole(lastPosition)} thresholds; average precision ${facts.averagePrecision.toFixed(3)}.`,
      xName: "recall", yName: "precision", from: 1, chance: [[0, share], [1, share]],
      placeOf: (counts) => [counts.recall, counts.precision],
    }, choose),
    drawCurve(byId("roc"), {
      description: `Recall against false positive rate of ${whole(lastPosition)} thresholds; area ${facts.auc.toFixed(3)}.`,
      xName: "false positive rate", yName: "recall", from: 0, chance: [[0, 0], [1, 1]],
      placeOf: (counts) => [counts.fpr, counts.recall],
    }, choose),
    drawHistogram(byId("histogram")),
  ];
  showCalibration();
}

// Connects a slider of rounded values with a field that accepts any number.
function tieSlider(id) {
  const [field, slider] = [byId(id), byId(`${id}-slider`)];
  Object.assign(slider, { min: 0, max: ROUND.length - 1, step: 1 });
  const toSlider = () => {
    const place = ROUND.findLastIndex((value) => value <= field.valueAsNumber);
    slider.value = Math.max(0, place);
    slider.setAttribute("aria-valuetext", field.value);
  };
  slider.addEventListener("input", () => {
    field.value = ROUND[slider.valueAsNumber];
    toSlider();
    follow("cost");
  });
  field.addEventListener("input", toSlider);
  toSlider();
}

function bindEvents() {
  const slider = byId("threshold");
  slider.max = lastPosition;
  slider.addEventListener("input", () => choose(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => {
    const jump = { PageUp: 1, PageDown: -1 }[event.key] ?? 0;
    if (jump !== 0) {
      event.preventDefault();
      const step = jump * Math.max(1, Math.round(lastPosition / 20));
      choose(Math.min(lastPosition, Math.max(0, state.position + step)));
    }
  });
  for (const radio of document.querySelectorAll("input[name=goal]")) {
    radio.addEventListener("change", () => follow(radio.value));
  }
  const goalOf = { recall: "recall", alerts: "alerts", "false-alert-cost": "cost", "miss-cost": "cost" };
  for (const id of NUMBERS) {
    // Rows per day appear in the output of every goal, and determine the alert budget.
    byId(id).addEventListener("input", () => follow(goalOf[id] ?? state.goal));
  }
  for (const radio of document.querySelectorAll("input[name=bins]")) {
    radio.addEventListener("change", showCalibration);
  }
}

function start() {
  byId("rows-a-day").value = facts.rowsADay;
  byId("alerts").value = Math.max(1, Math.min(200, Math.round(facts.rowsADay / 100)));
  write("average-precision", facts.averagePrecision.toFixed(3));
  write("auc", facts.auc.toFixed(3));
  for (const name of ["positives", "negatives", "rows"]) {
    write(name, whole(facts[name]));
  }
  makeCode();
  makeRules();
  ["false-alert-cost", "miss-cost"].forEach(tieSlider);
  bindEvents();
  drawAll();
  follow("own");
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) {
      width = innerWidth;
      drawAll();
      show();
    }
  });
}

start();
