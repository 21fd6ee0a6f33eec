// Build parts of the page from nodes, so that names and values are text and never markup.

const NARROW = "\u202f";

/** An element with text, attributes and children. */
export function node(kind, { text, children = [], ...attributes } = {}) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export const count = (value) =>
  value === null ? "–" : String(value).replace(/\B(?=(\d{3})+(?!\d))/g, NARROW);

/** Format a share with one decimal; never round it to 0 % or 100 %. */
export function percent(share) {
  if (share === null) return "–";
  const shown = (100 * share).toFixed(1);
  if (share > 0 && shown === "0.0") return `<${NARROW}0.1${NARROW}%`;
  if (share < 1 && shown === "100.0") return `>${NARROW}99.9${NARROW}%`;
  return `${shown}${NARROW}%`;
}

/** A row of a table; a cell is a text, or a pair of text and value. */
export function row(cells, attributes = {}) {
  const made = cells.map((cell, place) => {
    const [text, value] = Array.isArray(cell) ? cell : [cell, null];
    if (text instanceof Node) return node("td", { class: "drawn", children: [text] });
    return node(place ? "td" : "th", {
      text, scope: place ? null : "row", "data-value": value === null ? null : String(value),
    });
  });
  return node("tr", { ...attributes, children: made });
}

export function fill(table, rows) {
  document.querySelector(`#${table} tbody`).replaceChildren(...rows);
}

/** A bar as long as a share. */
export function bar(share, bad) {
  const made = node("div", { class: bad ? "bar bad" : "bar" });
  made.style.width = `${100 * share}%`;
  made.style.minWidth = share ? "1px" : "0";
  return made;
}

/** Show figures as tiles; each pair is [figure, label]. */
export function tiles(place, pairs) {
  document.getElementById(place).replaceChildren(
    ...pairs.map(([figure, says]) =>
      node("div", { children: [node("dt", { text: says }), node("dd", { text: figure })] })),
  );
}

const SVG = "http://www.w3.org/2000/svg";

/** Draw the range that the series of a group share at each position. */
export function envelope({ group, series, low, high, words }, least, most) {
  const svg = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "polygon");
  const step = 300 / Math.max(low.length - 1, 1);
  const at = (value, place) =>
    `${(10 + place * step).toFixed(1)},${(110 - (100 * (value - least)) / (most - least || 1)).toFixed(1)}`;
  const back = low.map((value, place) => at(value, place)).reverse();
  shape.setAttribute("points", [...high.map((value, place) => at(value, place)), ...back].join(" "));
  svg.setAttribute("viewBox", "0 0 320 120");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Ranges of group ${group}: ${series} series`);
  svg.append(shape);
  const said = `Group ${group}: ${series} series, ${words.join(", ")}`;
  return node("figure", { children: [svg, node("figcaption", { text: said })] });
}
