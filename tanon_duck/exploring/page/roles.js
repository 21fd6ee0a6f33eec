// The columns, what is proposed of each, and what its owner decides.
import { count, node, percent } from "./drawn.js";

const ROLES = ["respondent", "quasi-identifier", "time", "sensitive", "keep", "drop", "reading"];
const SAID = { reading: "reading of a series" };
let columns = [];
const chosen = new Map();

const proposed = ({ proposed: role, how, reason }) =>
  `Proposed: ${role}${how ? ` (${how})` : ""}. Why: ${reason}`;

function figures({ distinct_values, nulls, singled_out }) {
  const alone = singled_out === null ? "" : `; singles out ${percent(singled_out)} by itself`;
  const missing = nulls ? `, ${count(nulls)} NULL` : "";
  return `${count(distinct_values)} different values${missing}${alone}`;
}

function card(column, changed) {
  const { column_name: name, column_type: type } = column;
  const select = node("select", {
    "aria-label": `Role of ${name}`,
    children: [
      node("option", { value: "", text: "no role: stays home" }),
      ...ROLES.map((role) => node("option", { value: role, text: SAID[role] ?? role })),
    ],
  });
  select.value = chosen.get(name) ?? "";
  select.addEventListener("change", () => { decide(name, select.value); changed(); });
  return node("li", {
    children: [
      node("p", { children: [node("span", { class: "name", text: name }), " ", node("span", { class: "soft", text: type })] }),
      select,
      node("p", { class: "soft", text: proposed(column) }),
      node("p", { class: "soft", text: figures(column) }),
    ],
  });
}

function decide(name, role) {
  // There is one respondent and one time.
  for (const [other, its] of chosen) {
    if (role === its && ["respondent", "time"].includes(role)) chosen.set(other, "");
  }
  chosen.set(name, role);
}

/** Draw the columns; roles that are declared are chosen already. */
export function show(found, changed) {
  columns = found;
  for (const { column_name: name, declared } of columns) {
    if (!chosen.has(name)) chosen.set(name, declared ?? "");
  }
  redraw(changed);
}

/** Draw them again, and leave the keyboard where it was. */
export function redraw(changed) {
  const focus = document.activeElement?.getAttribute("aria-label");
  document.getElementById("columns").replaceChildren(...columns.map((each) => card(each, changed)));
  if (focus) document.querySelector(`[aria-label="${CSS.escape(focus)}"]`)?.focus();
}

export function takeAll() {
  for (const { column_name: name, proposed: role } of columns) decide(name, role);
}

/** The columns of a role, in the order of the table. */
export const of = (role) =>
  columns.map((each) => each.column_name).filter((name) => chosen.get(name) === role);
