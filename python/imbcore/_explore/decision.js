// What is counted at a threshold, and which threshold reaches a goal: the rules of imbcore's `threshold=`.
// A position is a place among the thresholds that the page keeps, from 0 (no alarm) to the last (every row).

const facts = JSON.parse(document.getElementById("facts").textContent);
const points = facts.points;
const lastPosition = points.tp.length - 1;

function countsAt(position) {
  const tp = points.tp[position];
  const fp = points.fp[position];
  return {
    threshold: points.threshold[position],
    tp, fp, fn: facts.positives - tp, tn: facts.negatives - fp, alarms: tp + fp,
    recall: tp / facts.positives, fpr: fp / facts.negatives, precision: tp + fp > 0 ? tp / (tp + fp) : NaN,
  };
}

function costOf(counts, prices) {
  return (counts.fn * prices.miss + counts.fp * prices.alarm) / facts.rows;
}

// The first threshold that finds the share: the fewest alarms.
function positionForRecall(share) {
  const found = points.tp.findIndex((tp, position) => position > 0 && tp >= share * facts.positives);
  return found < 0 ? lastPosition : found;
}

// The last threshold within the budget.
function positionForAlerts(alerts, perRows) {
  const share = alerts / perRows;
  const beyond = points.tp.findIndex((tp, position) => position > 0 && (tp + points.fp[position]) / facts.rows > share);
  return beyond < 0 ? lastPosition : beyond - 1;
}

// The cheapest threshold; of equals the one in the widest gap between scores, then the first.
function positionForCost(prices) {
  let best = 0;
  let least = costOf(countsAt(0), prices);
  for (let position = 1; position <= lastPosition; position += 1) {
    const cost = costOf(countsAt(position), prices);
    if (cost < least || (cost === least && points.width[position] > points.width[best])) {
      [best, least] = [position, cost];
    }
  }
  return best;
}

function positionOfCounts(tp, fp) {
  return points.tp.findIndex((found, position) => found === tp && points.fp[position] === fp);
}

// The position whose drawn point is nearest to a place in a chart.
function nearestPosition(place, placeOf) {
  let best = 0;
  let least = Infinity;
  for (let position = 0; position <= lastPosition; position += 1) {
    const [x, y] = placeOf(countsAt(position));
    const distance = (x - place[0]) ** 2 + (y - place[1]) ** 2;
    if (distance < least) {
      [best, least] = [position, distance];
    }
  }
  return best;
}
