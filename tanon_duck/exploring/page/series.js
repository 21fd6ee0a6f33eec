// Choose k and P of series: each change publishes a sample again.
import { count, envelope, fill, node, percent, row, tiles } from "./drawn.js";
import { of } from "./roles.js";
import { ask } from "./server.js";
import * as taken from "./taken.js";

const at = (id) => document.getElementById(id);
let names, timer = 0, latest = 0, running = false;

const given = () => ({
  series_id: of("respondent")[0] ?? "", series: of("reading"), k: Number(at("series-k").value),
  p: Number(at("series-p").value), algorithm: at("algorithm").value, sensitive: of("sensitive"),
});
const question = () => ({ ...given(), sample: Number(at("sample").value) });
const number = (value) => (value === null ? "–" : value.toPrecision(4));

function draw({ loss, groups, drawn }) {
  tiles("series-tiles", [
    [count(loss.records), "series are released"], [count(loss.suppressed), "are suppressed"],
    [number(loss.value_loss), "value loss: mean width of ranges"],
    [number(loss.pattern_loss), "pattern loss: 1 is no information"], [count(groups), "groups"],
  ]);
  at("series-tiles").dataset.loss = JSON.stringify(loss);
  const ends = drawn.flatMap(({ low, high }) => [...low, ...high]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  at("envelopes").replaceChildren(...drawn.map((each) => envelope(each, least, most)));
  fill("groups", drawn.map(({ group, series, words }) => row([String(group), count(series), words.join(", ")])));
}

/** Send one question at a time; of the waiting questions only the last is sent. */
async function settle() {
  if (running) return;
  running = true;
  try {
    for (let mine = -1; mine !== latest; ) {
      mine = latest;
      at("series-state").textContent = "Grouping …";
      try {
        draw(await ask("series", question()));
        at("series-state").textContent = `A sample of at most ${at("sample").value} series.`;
      } catch (error) {
        at("series-state").textContent = error.message;
        at("envelopes").replaceChildren();
        fill("groups", []);
        tiles("series-tiles", []);
      }
    }
  } finally {
    running = false;
  }
}

function moved() {
  at("series-p").max = at("series-k").value;
  at("series-k-said").textContent = at("series-k").value;
  at("series-p-said").textContent = at("series-p").value;
  const { sensitive, ...rest } = given();
  const all = sensitive.length ? { ...rest, sensitive, allow_identifying: sensitive } : rest;
  taken.show("series-taken", {
    "The release in SQL": taken.call("publish_series", names.sql, all),
    "The release on the command line": taken.command("publish_series", names.words, { ...all, output: "release.parquet" }),
    "A policy for tanon-duck check": taken.entry('[relation."release"]\nfile = "release.parquet"', "series_violations",
      { k: rest.k, p: rest.p, ...(sensitive.length ? { sensitive } : {}) }),
  });
  latest += 1;
  clearTimeout(timer);
  timer = setTimeout(settle, 120);
}

/** Show the section if a respondent and readings are chosen. */
export function changed() {
  at("series").hidden = !(of("respondent").length && of("reading").length);
  at("series-report-state").textContent = of("sensitive").length
    ? "" : "No sensitive column is chosen, so that the report contains no attack on one.";
  if (!at("series").hidden) moved();
}

export function start(called) {
  names = called;
  for (const id of ["series-k", "series-p", "algorithm", "sample"]) at(id).addEventListener("input", moved);
  taken.reports("series-report", "series-report-state", "series_report", ask,
    () => ({ ...question(), audience: "owner" }));
}
