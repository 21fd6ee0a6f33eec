// List the pages that contain all words of the query. Words in a title count most.
const query = new URLSearchParams(location.search).get("q") || "";
const words = query.toLowerCase().split(/\s+/).filter(Boolean);
const count = document.getElementById("count");
const list = document.getElementById("found");

function scoreOf(page) {
  let score = 0;
  for (const word of words) {
    const inTitle = page.title.toLowerCase().includes(word);
    const inHeadings = page.headings.toLowerCase().includes(word);
    if (!inTitle && !inHeadings && !page.text.toLowerCase().includes(word)) return 0;
    score += inTitle ? 100 : inHeadings ? 10 : 1;
  }
  return score;
}

function excerptOf(page) {
  const place = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 60);
  return (place ? "… " : "") + page.text.slice(place, place + 200) + " …";
}

if (words.length) {
  document.querySelector("input[type=search]").value = query;
  const found = PAGES.map((page) => [scoreOf(page), page])
    .filter(([score]) => score)
    .sort((a, b) => b[0] - a[0]);
  count.textContent = `${found.length} pages contain: ${words.join(", ")}`;
  for (const [, page] of found.slice(0, 40)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = page.address;
    link.textContent = page.title;
    const excerpt = document.createElement("p");
    excerpt.className = "soft";
    excerpt.textContent = excerptOf(page);
    item.append(link, excerpt);
    list.append(item);
  }
}
