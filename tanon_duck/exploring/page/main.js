// Start the page: load the columns, then connect events and series to them.
import * as events from "./events.js";
import * as roles from "./roles.js";
import * as series from "./series.js";
import { ask, tell } from "./server.js";

let counted = null;

/** Load the columns; with a respondent their figures count persons instead of rows. */
async function columns() {
  counted = roles.of("respondent")[0] ?? "";
  const found = await ask("columns", { respondent: counted });
  roles.show(found.columns, changed);
  return found;
}

async function changed() {
  roles.redraw(changed);
  events.changed();
  series.changed();
  if ((roles.of("respondent")[0] ?? "") === counted) return;
  try {
    await columns();
    tell(null);
  } catch (error) {
    tell(error);
  }
}

try {
  const { names, levels } = await columns();
  document.getElementById("title").textContent = names.title;
  document.title = `Explore ${names.title}`;
  events.start(names, levels);
  series.start(names);
  document.getElementById("take-all").addEventListener("click", () => {
    roles.takeAll();
    changed();
  });
  document.body.dataset.ready = "yes";
  await changed();
} catch (error) {
  tell(error);
}
