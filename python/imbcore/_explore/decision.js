// Counts at a threshold, and the threshold that meets a goal, by the rules of imbcore's `threshold=`.
// A position is an index into the thresholds of the page, from 0 (no alert) to the last (all rows).

const facts = JSON.parse(document.getElementById("facts").textContent);
const points = facts.points;
const lastPosition = points.tp.length - 1;

function countsAt(position) {
  const tp = points.tp[position];
  const fp = points.fp[position];
  return {
    threshold: points.threshold[position],
    tp, fp, fn: facts.positives - tp, tn: facts.negatives - fp, raised: tp + fp,
    recall: tp / facts.positives, fpr: fp / facts.negatives, precision: tp + fp > 0 ? tp / (tp + fp) : NaN,
  };
}

// The 95 % interval of Wilson (1927) for a proportion.
function wilsonInterval(hits, rows) {
  if (rows === 0) return [0, 1];
  const z2 = 1.959963984540054 ** 2;
  const center = (hits + z2 / 2) / (rows + z2);
  const half = Math.sqrt(z2 * (hits * (rows - hits) / rows + z2 / 4)) / (rows + z2);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}

function costOf(counts, costs) {
  return (counts.fn * costs.miss + counts.fp * costs.falseAlert) / facts.rows;
}

// The first threshold with this recall, which has the fewest alerts.
function positionForRecall(share) {
  const found = points.tp.findIndex((tp, position) => position > 0 && tp >= share * facts.positives);
  return found < 0 ? lastPosition : found;
}

// The last threshold within the alert budget.
function positionForAlerts(alerts, perRows) {
  const share = alerts / perRows;
  const beyond = points.tp.findIndex((tp, position) => position > 0 && (tp + points.fp[position]) / facts.rows > share);
  return beyond < 0 ? lastPosition : beyond - 1;
}

// The threshold of least cost; of equal ones that in the widest interval between scores, then the first.
function positionForCost(costs) {
  let best = 0;
  let least = costOf(countsAt(0), costs);
  for (let position = 1; position <= lastPosition; position += 1) {
    const cost = costOf(countsAt(position), costs);
    if (cost < least || (cost === least && points.width[position] > points.width[best])) {
      [best, least] = [position, cost];
    }
  }
  return best;
}

function positionOfCounts(tp, fp) {
  return points.tp.findIndex((found, position) => found === tp && points.fp[position] === fp);
}

// The position whose point in a chart is nearest to a place.
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
