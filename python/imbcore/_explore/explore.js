// The page: one state, its controls, and everything that is written anew when it changes.

const byId = (id) => document.getElementById(id);
const NUMBERS = ["recall", "alerts", "rows-a-day", "alarm-cost", "miss-cost"];
// Costs that a slider stops at.
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

// A number of a field, or null where it holds none that makes sense.
function numberIn(id) {
  const field = byId(id);
  const value = field.valueAsNumber;
  const fits = Number.isFinite(value) && field.validity.valid;
  field.setAttribute("aria-invalid", String(!fits));
  return fits ? value : null;
}

function prices() {
  const [alarm, miss] = [numberIn("alarm-cost"), numberIn("miss-cost")];
  return alarm === null || miss === null ? null : { alarm, miss };
}

// --- goals ----------------------------------------------------------------------------------------

// The position that a goal leads to; null where a field lacks a number.
const GOALS = {
  recall() {
    const share = numberIn("recall");
    // As the API reads 0.9: 90 / 100 rounds to the same number.
    return share === null ? null : positionForRecall(share / 100);
  },
  alerts() {
    const [alerts, rows] = [numberIn("alerts"), numberIn("rows-a-day")];
    return alerts === null || rows === null ? null : positionForAlerts(alerts, rows);
  },
  cost() {
    const found = prices();
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

// What is to be known of how a goal was met.
function remark(counts) {
  if (state.goal !== "hand" && GOALS[state.goal]() === null) {
    return "A field above holds no number that makes sense; the threshold stays where it was.";
  }
  if (state.goal === "own" && !facts.own.exact) {
    return "The model does not answer by a threshold on this probability; what is shown is the nearest one.";
  }
  if (state.goal === "alerts" && state.position === lastPosition) {
    return "The budget is no limit: an alarm for every row keeps within it.";
  }
  if (state.goal === "alerts" && state.position === 0) {
    return `No threshold keeps within the budget but one without alarms: ${whole(countsAt(1).alarms)} of these rows share the largest probability.`;
  }
  if (counts.threshold === null) {
    return `No threshold leaves out every row: ${whole(countsAt(1).alarms)} of them have a probability of 1.`;
  }
  return "";
}

// --- what is written ------------------------------------------------------------------------------

function write(id, words) {
  byId(id).textContent = words;
}

function sentenceOf(counts) {
  const found = `finds ${whole(counts.tp)} of ${whole(facts.positives)} ${facts.positiveName} (${percent(counts.recall)})`;
  const alarms = `${whole(counts.alarms)} alarm${counts.alarms === 1 ? "" : "s"}`;
  const right = counts.alarms > 0 ? `, ${percent(counts.precision)} of them right` : "";
  const from = counts.threshold === null ? "No alarm" : `From ${thresholdWords(counts.threshold)} on`;
  return `${from}: ${found} with ${alarms}${right}.`;
}

function showTiles(counts) {
  const rowsADay = numberIn("rows-a-day") ?? facts.rows;
  const perDay = rowsADay / facts.rows;
  write("tile-threshold", thresholdWords(counts.threshold));
  write("tile-recall", percent(counts.recall));
  write("tile-found", `${whole(counts.tp)} of ${whole(facts.positives)}; ${whole(counts.fn)} missed`);
  write("tile-precision", percent(counts.precision));
  write("tile-right", `${whole(counts.tp)} of ${whole(counts.alarms)}; ${whole(counts.fp)} false`);
  write("tile-alerts", shortAmount(counts.alarms * perDay));
  write("tile-per", `of ${whole(rowsADay)} rows a day, were they like these`);
  const found = prices();
  write("tile-cost", found ? shortAmount(costOf(counts, found) * rowsADay) : "–");
  write("tile-prices", found ? `false alarm ${shortNumber(found.alarm)}, miss ${shortNumber(found.miss)}` : "a cost is missing");
}

function shortAmount(value) {
  return value < 100 ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : whole(value);
}

function showCounts(counts) {
  for (const name of ["tp", "fp", "fn", "tn", "alarms"]) {
    write(name, whole(counts[name]));
  }
  write("quiet", whole(counts.fn + counts.tn));
}

let speech;
function speak(words) {
  // Said once the threshold rests.
  clearTimeout(speech);
  speech = setTimeout(() => write("spoken", words), 400);
}

function show() {
  const counts = countsAt(state.position);
  const sentence = sentenceOf(counts);
  byId("threshold").value = state.position;
  byId("threshold").setAttribute("aria-valuetext", sentence);
  write("sentence", sentence);
  write("remark", remark(counts));
  speak(`${sentence} ${remark(counts)}`);
  showTiles(counts);
  showCounts(counts);
  showRules(counts);
  showHull();
  showCode(counts);
  movers.forEach((move) => move(counts));
}

// --- once -----------------------------------------------------------------------------------------

function showCalibration() {
  const bins = facts.calibration[document.querySelector("input[name=bins]:checked").value];
  drawCalibration(byId("calibration"), bins);
  byId("calibration-rows").replaceChildren(...bins.map(([rows, said, came, low, high]) => {
    const words = [whole(rows), percent(said), percent(came), `${percent(low)} – ${percent(high)}`];
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
      description: `Recall against false alarm rate of ${whole(lastPosition)} thresholds; area ${facts.auc.toFixed(3)}.`,
      xName: "share of the others with an alarm", yName: "recall", from: 0, chance: [[0, 0], [1, 1]],
      placeOf: (counts) => [counts.fpr, counts.recall],
    }, choose),
    drawHistogram(byId("histogram")),
  ];
  showCalibration();
}

// A slider of round numbers beside a field that takes any.
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

function listen() {
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
  const goalOf = { recall: "recall", alerts: "alerts", "alarm-cost": "cost", "miss-cost": "cost" };
  for (const id of NUMBERS) {
    // Rows a day matter to every goal, and decide one.
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
  ["alarm-cost", "miss-cost"].forEach(tieSlider);
  listen();
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
