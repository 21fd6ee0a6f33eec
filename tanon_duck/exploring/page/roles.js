// The columns with their proposed roles, and the roles that the owner chooses.
import { count, node, percent } from "./drawn.js";

const ROLES = ["respondent", "quasi-identifier", "time", "sensitive", "keep", "drop", "reading"];
const ROLE_LABELS = { reading: "reading of a series" };
let columns = [];
const chosen = new Map();

const proposed = ({ proposed: role, how, reason }) =>
  `Proposed: ${role}${how ? ` (${how})` : ""}. Why: ${reason}`;

function figures({ distinct_values, nulls, singled_out }) {
  const alone = singled_out === null ? "" : `; this column alone singles out ${percent(singled_out)}`;
  const missing = nulls ? `, ${count(nulls)} NULL` : "";
  return `${count(distinct_values)} different values${missing}${alone}`;
}

function card(column, changed) {
  const { column_name: name, column_type: type } = column;
  const select = node("select", {
    "aria-label": `Role of ${name}`,
    children: [
      node("option", { value: "", text: "no role: not released" }),
      ...ROLES.map((role) => node("option", { value: role, text: ROLE_LABELS[role] ?? role })),
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
  // A table has at most one respondent and one time.
  for (const [other, its] of chosen) {
    if (role === its && ["respondent", "time"].includes(role)) chosen.set(other, "");
  }
  chosen.set(name, role);
}

/** Draw the columns; a declared role is the first choice. */
export function show(found, changed) {
  columns = found;
  for (const { column_name: name, declared } of columns) {
    if (!chosen.has(name)) chosen.set(name, declared ?? "");
  }
  redraw(changed);
}

/** Draw the columns again and restore the keyboard focus. */
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
