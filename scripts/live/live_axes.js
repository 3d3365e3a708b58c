// Numbers and axes of figures.

/// A child of `parent` that is made when it is first asked for.
export function child(parent, id, make) {
  let element = document.getElementById(id);
  if (!element) {
    element = make();
    element.id = id;
    parent.append(element);
  }
  return element;
}

/// An element of HTML with text in it.
export function html(name, text = "", className = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

/// An element of SVG.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const superscripts = {"-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3",
                      4: "\u2074", 5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079"};

function powerOfTen(exponent) {
  return "10" + [...String(exponent)].map(letter => superscripts[letter]).join("");
}

/// "0.01234", "1.5·10⁻⁷", "none" of what is no number.
export function numberText(value, digits = 4) {
  if (!Number.isFinite(value)) return "none";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const sign = value < 0 ? "\u2212" : "";
  if (size >= 1e-3 && size < 1e6) return sign + Number(size.toPrecision(digits));
  const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
  return `${sign}${Number(mantissa)}\u00b7${powerOfTen(Number(exponent))}`;
}

/// "4 min 12 s".
export function durationText(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0) return "unknown";
  if (seconds < 10) return `${numberText(seconds, 2)} s`;
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds) % 60} s` : `${Math.floor(seconds)} s`;
}

/// Round numbers from low to high, at most `most` of them: [{value, text}].
export function ticks(low, high, most) {
  const length = high - low, largest = Math.max(Math.abs(low), Math.abs(high));
  if (!(length > 1e-300) || !Number.isFinite(length) || length < 1e-9 * largest) return [];
  const count = step => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
  const power = 10 ** Math.floor(Math.log10(length / most));
  const step = [1, 2, 5, 10, 20, 50].map(multiple => multiple * power)
                                    .find(multiple => count(multiple) <= most);
  const digits = Math.max(1, 1 + Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n)
    found.push({value: n * step, text: numberText(n * step, digits)});
  return found;
}

/// The axes of a figure whose inside is `box` {left, top, width, height} [px]: numbers below and on
/// the left, for the ranges `right` and `up` {low, high, name}.
export function axes(box, right, up) {
  const bottom = box.top + box.height, group = svg("g");
  const x = value => box.left + (value - right.low) / (right.high - right.low) * box.width;
  const y = value => bottom - (value - up.low) / (up.high - up.low) * box.height;
  for (const tick of ticks(right.low, right.high, Math.max(2, Math.floor(box.width / 64)))) {
    const at = x(tick.value);
    group.append(svg("path", {class: "axis", d: `M${at} ${bottom}v5`}),
                 svg("text", {x: at, y: bottom + 17, "text-anchor": "middle"}, tick.text));
  }
  for (const tick of ticks(up.low, up.high, Math.max(2, Math.floor(box.height / 32)))) {
    const at = y(tick.value);
    group.append(svg("path", {class: "axis", d: `M${box.left} ${at}h-5`}),
                 svg("text", {x: box.left - 8, y: at + 4, "text-anchor": "end"}, tick.text));
  }
  group.append(
      svg("rect", {class: "axis", x: box.left, y: box.top, width: box.width, height: box.height}),
      svg("text", {x: box.left + box.width / 2, y: bottom + 34, "text-anchor": "middle"},
          right.name));
  return {group, x, y};
}
