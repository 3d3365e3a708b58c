// Slices: the picture of a plane at true aspect, its axes and its colours.
import {ask} from "./live_ask.js";
import {axes, child, html, numberText, svg, ticks} from "./live_axes.js";

const left = 58, top = 22, bottom = 42;  // px around a plane
const barGap = 14, barWidth = 16, barLabels = 62;
const around = left + barGap + barWidth + barLabels;  // px of the width beside a plane
const usual = 240, tallest = 400;  // px of height: of slices beside each other, and at most

/// Places of a slice in a figure `width` px wide.
function layoutOf(slice, width) {
  const room = Math.max(60, width - around);
  const scale = Math.min(room / slice.right.length, tallest / slice.up.length);
  const box = {left, top, width: scale * slice.right.length, height: scale * slice.up.length};
  return {box, barHeight: Math.max(box.height, 48),
          height: top + Math.max(box.height, 48) + bottom};
}

function axisOf(axis) {
  return {low: axis.origin, high: axis.origin + axis.length, name: `${axis.name} [L]`};
}

function bar(slice, layout) {
  const x = layout.box.left + layout.box.width + barGap, height = layout.barHeight;
  const group = svg("g", {class: "bar"});
  const colours = slice.colours.match(/.{6}/g), part = height / colours.length;
  colours.forEach((colour, n) => group.append(
      svg("rect", {x, y: top + height - (n + 1) * part, width: barWidth, height: part + 0.5,
                   fill: `#${colour}`})));
  group.append(svg("rect", {class: "axis", x, y: top, width: barWidth, height}));
  const length = slice.high - slice.low;
  let marks = ticks(slice.low, slice.high, Math.max(2, Math.floor(height / 32)));
  if (marks.length === 0) marks = [{value: slice.low, text: numberText(slice.low)}];
  for (const tick of marks) {
    const y = top + height * (length > 0 ? 1 - (tick.value - slice.low) / length : 0.5);
    group.append(svg("path", {class: "axis", d: `M${x + barWidth} ${y}h5`}),
                 svg("text", {x: x + barWidth + 8, y: y + 4}, tick.text));
  }
  group.append(svg("text", {x, y: 12}, `[${slice.unit}]`));
  return group;
}

function figureOf(id) {
  const figure = html("figure");
  figure.append(html("figcaption"), svg("svg", {role: "img"}), html("p", "", "place"));
  figure.id = id;
  return figure;
}

/// Draws a slice anew; `figure.source` is the address of its picture.
function draw(figure, slice) {
  const width = Math.floor(figure.clientWidth);
  const layout = layoutOf(slice, width), {box} = layout;
  const enlarged = box.width * devicePixelRatio > 1.5 * slice.width ? "enlarged" : "";
  const image = svg("image", {x: box.left, y: box.top, width: box.width, height: box.height,
                              preserveAspectRatio: "none", href: figure.source, class: enlarged});
  const up = axisOf(slice.up);
  const surroundings = axes(box, axisOf(slice.right), up);
  const words = `${slice.variable.replaceAll("_", " ")} at ${slice.axis} = ${numberText(slice.at)}`;
  const drawing = figure.querySelector("svg");
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", layout.height);
  drawing.setAttribute("viewBox", `0 0 ${width} ${layout.height}`);
  drawing.setAttribute("aria-label", `${words}, from ${numberText(slice.low)} to ` +
                       `${numberText(slice.high)} ${slice.unit}`);
  drawing.replaceChildren(image, surroundings.group,
                          svg("text", {x: left - 8, y: 12, "text-anchor": "end"}, up.name),
                          bar(slice, layout));
  figure.querySelector("figcaption").replaceChildren(
      html("strong", slice.variable.replaceAll("_", " ")),
      ` [${slice.unit}] at ${slice.axis} = ${numberText(slice.at)} L`);
  figure.querySelector(".place").textContent =
      `${slice.name}: step ${slice.step}, t = ${numberText(slice.time)} L/U, ` +
      `${numberText(slice.low)} to ${numberText(slice.high)} ${slice.unit}`;
}

/// Loads a new picture before the old one goes, so that nothing flickers.
async function load(figure, slice, start) {
  const version = `${start}-${slice.step}`;
  if (figure.version === version) return;
  const picture = await ask(`slices/${slice.name}.png?step=${slice.step}`, "blob");
  const before = figure.source;
  figure.source = URL.createObjectURL(picture);
  figure.version = version;
  draw(figure, slice);
  if (before) URL.revokeObjectURL(before);
}

let shown = [];

function areaOf(slice) { return slice.right.length * slice.up.length; }

/// The largest plane first.
export async function showSlices(pictures, start) {
  const slices = [...pictures].sort((a, b) => areaOf(b) - areaOf(a));
  shown = slices;
  const parent = document.getElementById("slices");
  document.getElementById("slices-note").hidden = slices.length > 0;
  for (const slice of slices) {
    const id = `slice-${slice.name}`;
    const figure = child(parent, id, () => figureOf(id));
    const aspect = slice.right.length / slice.up.length;
    figure.style.flex = `${aspect} 1 ${around + usual * aspect}px`;
    figure.style.maxWidth = `max(${around + tallest * aspect}px, 260px)`;
    await load(figure, slice, start);
  }
}

export function redrawSlices() {
  for (const slice of shown) {
    const figure = document.getElementById(`slice-${slice.name}`);
    if (figure?.source) draw(figure, slice);
  }
}
