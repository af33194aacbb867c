// The design sheet: each state of each theme on a stage of its own, with the style sheets of the overlay inside it.

import { options } from "./overlay_options.js";
import { SIZES, sheet, stage } from "./overlay_stage.js";

const ask = new URLSearchParams(location.search);
const { static: root, themes, pictures } = document.body.dataset;
const wanted = options(ask);
const [width, height] = SIZES[wanted.layout];
const size = Number(ask.get("size")) || (height > width ? 0.3 : 0.4);

function figure(theme, picture, sheets) {
  const host = document.createElement("div");
  const table = stage(host, wanted, sheets);
  host.style.scale = size;
  const box = document.createElement("div");
  box.className = "stage";
  box.style.cssText = `width: ${width * size}px; height: ${height * size}px`;
  box.append(host);
  const made = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = theme;
  made.append(box, caption);
  made.dataset.theme = theme;
  table.show(picture);
  return made;
}

const shown = themes.split(" ").filter((theme) => !ask.has("theme") || ask.get("theme") === theme);
const base = await Promise.all([sheet(root, "tokens"), sheet(root, "overlay")]);
const sheets = new Map(await Promise.all(shown.map(async (theme) => [theme, [...base, await sheet(root, `theme-${theme}`)]])));
for (const section of document.querySelectorAll("section")) {
  const state = section.dataset.state;
  if (ask.has("state") && ask.get("state") !== state) {
    section.remove();
    continue;
  }
  section.querySelector(".stages").append(...shown.map((theme) => figure(theme, JSON.parse(pictures)[state], sheets.get(theme))));
}
document.body.toggleAttribute("data-bare", ask.has("bare"));
await document.fonts.ready;
document.body.dataset.ready = "";
