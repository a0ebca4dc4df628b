// Scores per day at some of the thresholds; the nearest of them to the current threshold is shown.

function nearestDaily(position) {
  const distance = (place) => Math.abs(facts.daily.positions[place] - position);
  return facts.daily.positions.reduce((best, _, place) => (distance(place) < distance(best) ? place : best), 0);
}

function dailyLines(place) {
  const daily = facts.daily;
  const alerted = daily.byGroup ? "groups with an alert, each counted once" : "alerts";
  const amount = (value) => (Math.abs(value) < 100 ? shortAmount(value) : whole(value));
  const lines = [
    [`Mean number of ${alerted}`, daily.alertsPerDay[place], amount],
    [`Time from the first positive row of a group to its first alert, in ${daily.unit}`, daily.daysToDetection[place], shortAmount],
    ["Amount saved by alerts, without the cost of alerts", daily.moneySavedPerDay[place], amount],
    [`Precision of the ${daily.k.toLocaleString("en")} largest scores, at any threshold`, daily.precisionAtKPerDay, percent],
    [`Precision of the ${daily.k.toLocaleString("en")} most suspicious groups, at any threshold`, daily.cardPrecisionAtKPerDay, percent],
  ];
  return lines.filter(([, value]) => value !== null);
}

function showDaily() {
  // Pages without times and reports have no such scores.
  if (!facts.daily) {
    return;
  }
  byId("daily").hidden = false;
  const place = nearestDaily(state.position);
  const position = facts.daily.positions[place];
  const threshold = thresholdWords(facts.points.threshold[position]);
  write("daily-threshold", position === state.position
    ? `These scores are for the current threshold, ${threshold}.`
    : `These scores are for the threshold ${threshold}, the nearest of ${whole(facts.daily.positions.length)} for which they are computed.`);
  byId("daily-rows").replaceChildren(...dailyLines(place).map(([words, value, format]) => {
    return node("tr", {}, node("th", { scope: "row", class: "words" }, words), node("td", {}, format(value)));
  }));
}
