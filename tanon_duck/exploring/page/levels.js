// Levels of hierarchies: one slider for each quasi-identifier that has a hierarchy.
import { count, node } from "./drawn.js";

let known = [];
const chosen = new Map();

/** The levels of a column, the finest first. */
const of = (column) =>
  known.filter(({ attribute }) => attribute.toLowerCase() === column.toLowerCase());

export const start = (levels) => { known = levels; };

/** The chosen level of each of these columns that has a hierarchy. */
export const levelsOf = (columns) =>
  Object.fromEntries(columns.filter((each) => of(each).length).map((each) => [each, chosen.get(each) ?? 0]));

const said = (column, level) =>
  level ? `level ${level} (${count(of(column).find((each) => each.level === level)?.values ?? null)} different)`
    : "unchanged";

/** Draw a slider for each of these columns that has a hierarchy. */
export function draw(columns, moved) {
  const raised = columns.filter((each) => of(each).length);
  const place = document.getElementById("levels");
  place.hidden = !raised.length;
  if (JSON.stringify(raised) === place.dataset.columns) return;
  place.dataset.columns = JSON.stringify(raised);
  place.replaceChildren(...raised.map((column) => {
    const level = chosen.get(column) ?? 0;
    const told = node("output", { text: said(column, level) });
    const slider = node("input", {
      type: "range", min: 0, max: Math.max(...of(column).map((each) => each.level)), step: 1,
      value: level, "data-column": column, "aria-label": `Level of ${column}`, "aria-valuetext": said(column, level),
    });
    slider.addEventListener("input", () => {
      chosen.set(column, Number(slider.value));
      told.textContent = said(column, Number(slider.value));
      slider.setAttribute("aria-valuetext", told.textContent);
      moved();
    });
    return node("label", { children: [`${column}: `, told, slider] });
  }));
}
