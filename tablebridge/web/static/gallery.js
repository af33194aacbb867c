// The design sheet: each state of each theme on a stage of its own, with the style sheets of the overlay inside it.

import { options } from "./overlay_options.js";
import "./table.js";

const SIZES = { "16x9": [1920, 1080], "9x16": [1080, 1920] };
const ask = new URLSearchParams(location.search);
const { static: root, themes, pictures } = document.body.dataset;
const wanted = options(ask);
const [width, height] = SIZES[wanted.layout];
const size = Number(ask.get("size")) || (wanted.layout === "9x16" ? 0.3 : 0.4);

async function sheet(name) {
  const made = new CSSStyleSheet();
  await made.replace(await (await fetch(`${root}/${name}.css`)).text());
  return made;
}

function stage(theme, picture, sheets) {
  const table = document.createElement("tb-table");
  table.options = wanted;
  table.dataset.layout = wanted.layout;
  table.dataset.deck = wanted.deck;
  const host = document.createElement("div");
  host.style.cssText = `width: ${width}px; height: ${height}px; scale: ${size}`;
  host.attachShadow({ mode: "open" }).append(table);
  host.shadowRoot.adoptedStyleSheets = sheets;
  const box = document.createElement("div");
  box.className = "stage";
  box.style.cssText = `width: ${width * size}px; height: ${height * size}px`;
  box.append(host);
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = theme;
  figure.append(box, caption);
  figure.dataset.theme = theme;
  table.show(picture);
  return figure;
}

const shown = themes.split(" ").filter((theme) => !ask.has("theme") || ask.get("theme") === theme);
const base = await Promise.all([sheet("tokens"), sheet("overlay")]);
const sheets = new Map(await Promise.all(shown.map(async (theme) => [theme, [...base, await sheet(`theme-${theme}`)]])));
for (const section of document.querySelectorAll("section")) {
  const state = section.dataset.state;
  if (ask.has("state") && ask.get("state") !== state) {
    section.remove();
    continue;
  }
  section.querySelector(".stages").append(...shown.map((theme) => stage(theme, JSON.parse(pictures)[state], sheets.get(theme))));
}
document.body.toggleAttribute("data-bare", ask.has("bare"));
await document.fonts.ready;
document.body.dataset.ready = "";
