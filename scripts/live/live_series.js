// The time series: read in pieces, drawn as curves, what matters first.
import {ask} from "./live_ask.js";
import {axes, child, html, numberText, svg} from "./live_axes.js";

const mostPoints = 2000;     // kept per curve; beyond that every other one goes
const wholePiece = 1 << 18;  // characters of the series that one answer holds at most
const height = 210;          // px of a figure
const box = {left: 66, top: 8, height: 152};
const mostLines = 6;         // of a figure: as many as can be told apart
const dashes = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2"];  // lines differ by more than colour

/// Figures in the order of what matters: columns that match share one. `line` is the part of the
/// name that tells curves of a figure apart.
const figures = [
  [/^kinetic_energy$/, "kinetic energy", "U\u00b2"],
  [/^dissipation$/, "dissipation", "U\u00b3/L"],
  [/^friction_velocity$/, "friction velocity", "U"],
  [/^nusselt_(?<line>.+)$/, "Nusselt number", ""],
  [/^heat_flux_(?<line>[xyz]_(min|max))$/, "heat flux at", "U T0"],
  [/^force_(?<body>.+)_(?<line>[xyz])$/, "force on", "U\u00b2 L\u00b2"],
  [/^torque_(?<body>.+)_(?<line>[xyz])$/, "torque on", "U\u00b2 L\u00b3"],
  [/^heat_(?<body>.+)$/, "heat from", "U T0 L\u00b2"],
  [/^bulk_velocity_(?<line>[xyz])$/, "bulk velocity", "U"],
  [/^temperature_mean$/, "mean temperature", "T0"],
  [/^driving_(?<line>[xyz])$/, "driving acceleration", "U\u00b2/L"],
  [/^wall_shear_(?<line>.+)$/, "wall shear stress", "U\u00b2"],
  [/^cfl$/, "CFL number", ""],
  [/^dt$/, "time step", "L/U"],
  [/^body_slip$/, "slip in bodies", "U"],
  [/^divergence_(?<line>.+)$/, "divergence", "U/L"],
  [/^global_iterations$/, "global iterations", ""],
  [/^iteration_change$/, "change in the last iteration", ""],
];

// None at step 0.
const ofSteps = /^(force|torque|heat_(?!flux_[xyz]_m)|body_slip|global_iterations|iteration_change)/;

let series;

/// The time series as far as it has been read: names of the columns, rows of numbers.
export function forgetSeries() {
  series = {from: 0, rest: "", names: null, rows: [], last: null, stride: 1, lines: 0};
  for (const id of ["curves", "quiet-curves"]) document.getElementById(id).replaceChildren();
}

function readLines(text) {
  const lines = (series.rest + text).split("\n");
  series.rest = lines.pop();
  for (const line of lines) {
    const words = line.split(",");
    if (!series.names) { series.names = words; continue; }
    series.last = words.map(Number);
    if (series.lines++ % series.stride === 0) series.rows.push(series.last);
    if (series.rows.length > mostPoints) {
      series.rows = series.rows.filter((row, n) => n % 2 === 0);
      series.stride *= 2;
    }
  }
}

/// Reads what there is, not what comes meanwhile: a short piece is the last.
export async function readSeries() {
  let text;
  do {
    text = await ask(`series?from=${series.from}`);
    series.from += text.length;
    readLines(text);
  } while (text.length === wholePiece);
}

/// Rows that were kept, and the newest.
function rowsNow() {
  const rows = series.rows;
  return rows.at(-1) === series.last ? rows : [...rows, series.last];
}

function curveOf(name, rows) {
  const [column, time, step] = [name, "time", "step"].map(word => series.names.indexOf(word));
  const isMeant = row => row[step] > 0 || !ofSteps.test(name);
  const points = rows.filter(row => Number.isFinite(row[column]) && isMeant(row))
                     .map(row => ({t: row[time], value: row[column]}));
  const values = points.map(point => point.value);
  const low = Math.min(...values), high = Math.max(...values);
  return {name, points, low, high, largest: Math.max(Math.abs(low), Math.abs(high)),
          now: values.at(-1)};
}

/// Where a column belongs: the place of its figure, its title, unit, and name within it.
function placeOf(name) {
  for (const [order, [pattern, title, unit]] of figures.entries()) {
    const match = pattern.exec(name);
    if (!match) continue;
    const {body = "", line = ""} = match.groups ?? {};
    return {order, title: body ? `${title} ${body}` : title, unit, line: line.replaceAll("_", " ")};
  }
  return {order: figures.length, title: name.replaceAll("_", " "), unit: "", line: ""};
}

/// Whether a curve says nothing: it is constant, at round-off of quantities of order one, or next
/// to nothing beside the others of its figure.
function isQuiet(curve, largestOfFigure, precision) {
  const roundOff = precision === "float" ? 1e-5 : 1e-12;
  const isDivergence = curve.name.startsWith("divergence");  // over cells of some 1/100
  return curve.high - curve.low <= 1e-5 * curve.largest ||
         curve.largest <= (isDivergence ? 100 : 1) * roundOff ||
         (!isDivergence && curve.largest <= 1e-3 * largestOfFigure);
}

/// Figures of at most six of the curves each: "force on rod (1 of 2)".
function divided(figure) {
  const count = Math.ceil(figure.curves.length / mostLines);
  return Array.from({length: count}, (_, n) => ({
    ...figure, title: count > 1 ? `${figure.title} (${n + 1} of ${count})` : figure.title,
    curves: figure.curves.slice(n * mostLines, (n + 1) * mostLines)}));
}

/// [{title, unit, order, curves}], those that matter and those that do not.
function sorted(precision) {
  const rows = rowsNow(), all = new Map();
  for (const name of series.names) {
    if (["step", "time", "wall_seconds"].includes(name)) continue;
    const curve = curveOf(name, rows), place = placeOf(name);
    if (curve.points.length === 0) continue;
    if (!all.has(place.title)) all.set(place.title, {...place, curves: []});
    all.get(place.title).curves.push({...curve, line: place.line});
  }
  const loud = [], quiet = [];
  for (const figure of [...all.values()].sort((a, b) => a.order - b.order)) {
    const largest = Math.max(...figure.curves.map(curve => curve.largest));
    const says = curve => !isQuiet(curve, largest, precision);
    for (const [list, curves] of [[loud, figure.curves.filter(says)],
                                  [quiet, figure.curves.filter(curve => !says(curve))]])
      list.push(...divided({...figure, curves}));
  }
  return {loud, quiet};
}

function rangeOf(curves) {
  let low = Math.min(...curves.map(curve => curve.low));
  let high = Math.max(...curves.map(curve => curve.high));
  const margin = high > low ? 0.05 * (high - low) : 0.1 * Math.abs(high) || 1;
  return {low: low - margin, high: high + margin};
}

function pathOf(curve, x, y) {
  return "M" + curve.points.map(p => `${x(p.t).toFixed(1)} ${y(p.value).toFixed(1)}`).join("L");
}

function strokeOf(n) {
  return {stroke: `var(--line-${n % dashes.length})`, "stroke-dasharray": dashes[n % dashes.length]};
}

function nearest(points, t) {
  return points.reduce((a, b) => Math.abs(b.t - t) < Math.abs(a.t - t) ? b : a);
}

/// Names and values of the curves, now or at a time that is pointed at.
function writeLegend(element, figure, t) {
  const entries = figure.curves.map((curve, n) => {
    const value = t === null ? curve.now : nearest(curve.points, t).value;
    const entry = html("span");
    if (figure.curves.length > 1)
      entry.append(svg("svg", {viewBox: "0 0 26 8", "aria-hidden": "true"},
                       svg("path", {class: "curve", d: "M0 4H26", ...strokeOf(n)})), " ");
    entry.append(`${curve.line ? curve.line + " " : ""}${numberText(value)}`);
    return entry;
  });
  element.replaceChildren(t === null ? "now " : `at t = ${numberText(t)}: `, ...entries);
}

function figureElement() {
  const element = html("figure");
  const drawing = svg("svg", {role: "img"});
  element.append(html("figcaption"), drawing, html("p", "", "legend"));
  drawing.addEventListener("pointermove", event => {
    const {x, figure, span} = element.drawn;
    const part = (event.clientX - drawing.getBoundingClientRect().left - box.left) / span;
    if (part < 0 || part > 1) return;
    const t = x.low + part * (x.high - x.low);
    writeLegend(element.querySelector(".legend"), figure, t);
    element.querySelector(".pointer").setAttribute("d", `M${box.left + part * span} ${box.top}` +
                                                        `v${box.height}`);
  });
  drawing.addEventListener("pointerleave", () => {
    writeLegend(element.querySelector(".legend"), element.drawn.figure, null);
    element.querySelector(".pointer").setAttribute("d", "");
  });
  return element;
}

function draw(element, figure, x) {
  const width = Math.floor(element.clientWidth);
  if (width === 0) return;  // folded away
  const inside = {...box, width: width - box.left - 14};
  const range = rangeOf(figure.curves);
  const frame = axes(inside, {...x, name: "t [L/U]"}, range);
  const drawing = element.querySelector("svg");
  const unit = figure.unit ? ` [${figure.unit}]` : "";
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.setAttribute("aria-label", `${figure.title}${unit} over time: ` + figure.curves.map(
      curve => `${curve.line} now ${numberText(curve.now)}, from ${numberText(curve.low)} to ` +
               `${numberText(curve.high)}`).join("; "));
  drawing.replaceChildren(frame.group, ...figure.curves.map((curve, n) => svg(
      "path", {class: "curve", d: pathOf(curve, frame.x, frame.y), ...strokeOf(n)})),
      svg("path", {class: "pointer", d: ""}));
  element.querySelector("figcaption").replaceChildren(html("strong", figure.title), unit);
  element.drawn = {x, figure, span: inside.width};
  if (!drawing.matches(":hover")) writeLegend(element.querySelector(".legend"), figure, null);
}

/// "divergence", "bulk velocity y, z".
function nameOf(figure) {
  return `${figure.title} ${figure.curves.map(curve => curve.line).join(", ")}`.trim();
}

/// Draws figures into `parent`, in their order; those that belong elsewhere now go.
function drawAll(parent, list, x) {
  const ids = list.map(figure => `${parent.id}-${figure.title.replaceAll(" ", "-")}`);
  for (const old of [...parent.children]) if (!ids.includes(old.id)) old.remove();
  list.forEach((figure, n) => {
    const element = child(parent, ids[n], figureElement);
    if (parent.children[n] !== element) parent.insertBefore(element, parent.children[n]);
    draw(element, figure, x);
  });
}

export function showSeries(precision) {
  document.getElementById("curves-note").hidden = series.lines > 1;
  if (series.lines < 2) return;
  const {loud, quiet} = sorted(precision), time = series.names.indexOf("time");
  const x = {low: series.rows[0][time], high: series.last[time]};
  if (!(x.high > x.low)) return;
  drawAll(document.getElementById("curves"), loud, x);
  const details = document.getElementById("quiet");
  details.hidden = quiet.length === 0;
  document.getElementById("quiet-title").textContent = `Constant or at round-off: ` +
      quiet.map(nameOf).join("; ");
  drawAll(document.getElementById("quiet-curves"), quiet, x);
}
