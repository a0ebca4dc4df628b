// Charts: a frame with axes that is drawn once, and marks that move with the threshold.

const HEIGHT = 300;
const MARGIN = { left: 68, right: 14, top: 10, bottom: 40 };

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// An empty chart: the plot area, and groups for fixed marks, moving marks, and labels in front.
function newChart(holder, description, height = HEIGHT) {
  const width = Math.max(260, holder.clientWidth);
  const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  const still = svg("g");
  const moving = svg("g");
  const front = svg("g");
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": description }, still, moving, front);
  holder.replaceChildren(drawing);
  return { box, still, moving, front, drawing };
}

function scale(low, high, start, end) {
  return high > low ? (value) => start + ((value - low) / (high - low)) * (end - start) : () => (start + end) / 2;
}

function line(x1, y1, x2, y2, kind) {
  return svg("line", { x1, y1, x2, y2, class: kind });
}

function text(x, y, anchor, words, kind = "") {
  return svg("text", { x, y, "text-anchor": anchor, class: kind }, words);
}

function drawAxes(chart, xAxis, yAxis) {
  const { box, still } = chart;
  for (const tick of yAxis.ticks) {
    const y = yAxis.at(tick.value);
    still.append(line(box.left, y, box.right, y, "grid"), text(box.left - 7, y + 4, "end", tick.words));
  }
  for (const tick of xAxis.ticks) {
    const x = xAxis.at(tick.value);
    still.append(line(x, box.bottom, x, box.bottom + 4, "frame"), text(x, box.bottom + 18, "middle", tick.words));
  }
  still.append(line(box.left, box.bottom, box.right, box.bottom, "frame"));
  still.append(text((box.left + box.right) / 2, box.bottom + 35, "middle", xAxis.name));
  const middle = (box.top + box.bottom) / 2;
  still.append(svg("text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, yAxis.name));
}

function shareTicks(high = 1) {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => ({ value: part * high, words: percent(part * high) }));
}

// A curve of two rates over all thresholds; returns a function that moves its point.
function drawCurve(holder, { description, xName, yName, placeOf, from, chance }, choose) {
  const chart = newChart(holder, description);
  const { box, still, moving } = chart;
  const x = scale(0, 1, box.left, box.right);
  const y = scale(0, 1, box.bottom, box.top);
  drawAxes(chart, { at: x, ticks: shareTicks(), name: xName }, { at: y, ticks: shareTicks(), name: yName });
  still.append(svg("polyline", { class: "chance", points: chance.map(([a, b]) => `${x(a)},${y(b)}`).join(" ") }));
  still.append(svg("path", { class: "curve", d: pathOf(placeOf, from, x, y) }));
  onDrag(holder, chart.drawing, (place) => choose(nearestPosition(place, (counts) => {
    const [a, b] = placeOf(counts);
    return Number.isNaN(b) ? [x(a), Infinity] : [x(a), y(b)];
  })));
  return (counts) => {
    const [a, b] = placeOf(counts);
    moving.replaceChildren();
    if (!Number.isNaN(b)) {
      moving.append(line(x(a), y(b), x(a), box.bottom, "guide"), line(box.left, y(b), x(a), y(b), "guide"));
      moving.append(svg("circle", { cx: x(a), cy: y(b), r: 7, class: "point" }));
    }
  };
}

function pathOf(placeOf, from, x, y) {
  const parts = [];
  for (let position = from; position <= lastPosition; position += 1) {
    const [a, b] = placeOf(countsAt(position));
    parts.push(`${x(a).toFixed(1)} ${y(b).toFixed(1)}`);
  }
  return `M${parts.join("L")}`;
}

// Calls `move` with the position in the drawing while the pointer is pressed.
function onDrag(holder, drawing, move) {
  const placeIn = (event) => {
    const frame = drawing.getBoundingClientRect();
    const zoom = drawing.viewBox.baseVal.width / frame.width;
    return [(event.clientX - frame.left) * zoom, (event.clientY - frame.top) * zoom];
  };
  holder.onpointerdown = (event) => {
    holder.setPointerCapture(event.pointerId);
    move(placeIn(event));
  };
  holder.onpointermove = (event) => {
    if (holder.hasPointerCapture(event.pointerId)) {
      move(placeIn(event));
    }
  };
}

// Rows by score on a log axis, the positives above the others; returns a function that moves the threshold.
function drawHistogram(holder) {
  const bins = facts.histogram;
  const chart = newChart(holder, describeHistogram(), 360);
  const { box, still, moving, front } = chart;
  const [low, high] = [bins[0][0], bins[bins.length - 1][1]];
  const x = scale(low, high, box.left, box.right);
  const panels = [
    { name: facts.positiveName, kind: "positive", column: 2, top: box.top + 16, bottom: box.top + 140 },
    { name: facts.restName, kind: "rest", column: 3, top: box.bottom - 124, bottom: box.bottom },
  ];
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
  for (const value of low < high ? ticks : [low]) {
    still.append(text(x(value), box.bottom + 18, "middle", shortNumber(value)));
  }
  still.append(text((box.left + box.right) / 2, box.bottom + 35, "middle", "probability"));
  front.append(...panels.map((panel) => text(box.left + 4, panel.top - 6, "start", panel.name, "value")));
  const bars = panels.flatMap((panel) => drawPanel(still, panel, bins, x, box));
  return (counts) => {
    const at = counts.threshold ?? high;
    const place = Math.min(Math.max(x(at), box.left), box.right);
    moving.replaceChildren(line(place, box.top + 4, place, box.bottom, "mark"));
    for (const bar of bars) {
      bar.drawn.classList.toggle("below", bar.high <= at);
    }
  };
}

function drawPanel(still, panel, bins, x, box) {
  const most = Math.max(1, ...bins.map((bin) => bin[panel.column]));
  const decades = Math.max(1, Math.ceil(Math.log10(most)));
  // The axis begins below 1, so that a bar of one row is visible.
  const y = scale(-0.35, decades, panel.bottom, panel.top);
  for (let decade = 0; decade <= decades; decade += 1) {
    still.append(line(box.left, y(decade), box.right, y(decade), "grid"));
    still.append(text(box.left - 7, y(decade) + 4, "end", shortNumber(10 ** decade)));
  }
  still.append(line(box.left, panel.bottom, box.right, panel.bottom, "frame"));
  return bins.filter((bin) => bin[panel.column] > 0).map((bin) => {
    const top = y(Math.log10(bin[panel.column]));
    const wide = bin[1] > bin[0];
    const left = wide ? x(bin[0]) : x(bin[0]) - 6;
    const width = wide ? Math.max(1, x(bin[1]) - left - 1) : 12;
    const drawn = svg("rect", { x: left, y: top, width, height: panel.bottom - top, class: panel.kind });
    drawn.append(svg("title", {}, `${shortNumber(bin[0])} to ${shortNumber(bin[1])}: ${whole(bin[panel.column])} rows`));
    still.append(drawn);
    return { drawn, high: bin[1] };
  });
}

function describeHistogram() {
  const bins = facts.histogram;
  return `Rows by probability in ${bins.length} bins, counts on a log axis: ${whole(facts.positives)} of `
    + `${facts.positiveName} above, ${whole(facts.negatives)} of ${facts.restName} below.`;
}

// Observed against predicted, one dot per bin, up to the largest probability.
function drawCalibration(holder, bins) {
  const high = Math.min(1, 1.05 * Math.max(...bins.map((bin) => Math.max(bin[1], bin[4])), 1e-9));
  const chart = newChart(holder, "Observed against predicted probability; the table next to it has the numbers.");
  const { box, still } = chart;
  const x = scale(0, high, box.left, box.right);
  const y = scale(0, high, box.bottom, box.top);
  drawAxes(chart, { at: x, ticks: shareTicks(high), name: "mean predicted probability" }, { at: y, ticks: shareTicks(high), name: "observed fraction of positives" });
  still.append(line(x(0), y(0), x(high), y(high), "chance"));
  for (const [rows, predicted, observed, from, to] of bins) {
    still.append(line(x(predicted), y(from), x(predicted), y(to), "interval"));
    const dot = svg("circle", { cx: x(predicted), cy: y(observed), r: 5, class: "said" });
    dot.append(svg("title", {}, `${whole(rows)} rows: predicted ${percent(predicted)}, observed ${percent(observed)}`));
    still.append(dot);
  }
}
