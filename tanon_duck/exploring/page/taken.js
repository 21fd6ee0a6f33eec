// Write the result as text to copy: SQL, a command line or a policy, quoted for each language.
import { node } from "./drawn.js";

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export const sql = (value) =>
  Array.isArray(value) ? `[${value.map(sql).join(", ")}]`
    : isMap(value) ? `{${Object.entries(value).map(([key, each]) => `${sql(key)}: ${sql(each)}`).join(", ")}}`
    : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);

export const toml = (value) =>
  Array.isArray(value) ? `[${value.map(toml).join(", ")}]`
    : JSON.stringify(value).replaceAll("\x7f", "\\u007f");

const plain = /^[A-Za-z0-9_.,/:=@%+-]+$/;
const word = (text) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
// In a list, a name that contains a comma or a quote needs double quotes.
const listed = (names) =>
  names.map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(",");

/** Write a call in SQL, with one argument on each line. */
export function call(name, source, given) {
  const lines = Object.entries(given).map(([key, value]) => `    ${key} := ${sql(value)}`);
  return `from tanon.${name}(${sql(source)},\n${lines.join(",\n")});`;
}

/** Write a call for the command line; the texts in `files` are quoted already. */
export function command(name, words, given, files = {}) {
  const options = Object.entries(given).map(([key, value]) => {
    const said = Array.isArray(value) ? listed(value) : isMap(value) ? sql(value) : String(value);
    const typed = files[key] ?? word(said);
    return `--${key.replaceAll("_", "-")}`.replace(/^--(?=.$)/, "-") + ` ${typed}`;
  });
  return `tanon-duck ${name} ${words} \\\n    ${options.join(" \\\n    ")}`;
}

/** Write a [[check]] of a policy. */
export function entry(head, name, given) {
  const relation = head.match(/^\[relation\.(.*)\]$/m)[1];
  const lines = Object.entries(given).map(([key, value]) => `${key} = ${toml(value)}`);
  return `${head}\n\n[[check]]\nrelation = ${relation}\nfunction = ${toml(name)}\n${lines.join("\n")}\n`;
}

/** Show each text with a button that copies it. */
export function show(place, texts) {
  const made = Object.entries(texts).map(([name, text]) => {
    const code = node("code", { text, "data-taken": name });
    const button = node("button", { type: "button", text: "Copy", "aria-label": `Copy: ${name}` });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    });
    const head = node("p", { children: [node("strong", { text: `${name} ` }), button] });
    return node("div", { children: [head, node("pre", { tabindex: 0, children: [code] })] });
  });
  document.getElementById(place).replaceChildren(...made);
}

/** Let the browser download a page. */
export function download(html, name) {
  const link = node("a", { href: URL.createObjectURL(new Blob([html], { type: "text/html" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Let a button request a report and download it. */
export function reports(button, state, name, ask, question) {
  document.getElementById(button).addEventListener("click", async () => {
    const line = document.getElementById(state);
    line.textContent = "Writing …";
    try {
      const { html, verdict } = await ask(name, question());
      download(html, "report.html");
      line.textContent = verdict;
    } catch (error) {
      line.textContent = error.message;
    }
  });
}
