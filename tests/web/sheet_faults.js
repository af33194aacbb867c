// For the page of the design sheet: what lies over something else, leaves the safe area, is cut or small, or has too little
// contrast.
async () => {
  const faults = [];
  const solid = (text) => { const found = /rgba?\(([^)]*)\)/.exec(text)[1].split(/[ ,/]+/).map(Number); return found[3] === 0 ? null : found; };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
  const contrast = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x); return (a + .05) / (b + .05); };
  for (const section of document.querySelectorAll("section")) for (const figure of section.querySelectorAll("figure")) {
    const root = figure.querySelector(".stage > div").shadowRoot;
    const frame = root.querySelector("tb-frame").getBoundingClientRect();
    const scale = frame.width / root.querySelector("tb-frame").offsetWidth;
    const say = (text) => faults.push(`${section.dataset.state} ${figure.dataset.theme}: ${text}`);
    const box = (element) => element.getBoundingClientRect();
    const margin = 40 * scale;
    const parts = [...root.querySelectorAll(".seats, .board, .pot, .result, .meta, .history, .counts, .third")].filter((part) => box(part).width);
    for (const part of parts) {
      const at = box(part);
      if (at.left < frame.left + margin || at.top < frame.top + margin || at.right > frame.right - margin || at.bottom > frame.bottom - margin)
        say(`${part.className} leaves the safe area`);
      for (const other of parts) {
        const its = box(other);
        if (part !== other && at.left < its.right - 1 && its.left < at.right - 1 && at.top < its.bottom - 1 && its.top < at.bottom - 1)
          say(`${part.className} lies over ${other.className}`);
      }
    }
    for (const part of root.querySelectorAll(".line, .made, .position, .stack, .does, .meta, .pot, .result, .item")) {
      if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) say(`${part.className} is too long: ${part.textContent}`);
    }
    for (const seat of root.querySelectorAll(".seat")) {
      const [position, equity] = [".position", ".equity"].map((part) => seat.querySelector(part));
      if (equity && box(position).right > box(equity).left + 1 && box(position).bottom > box(equity).top + 1 && box(position).top < box(equity).bottom - 1) say("position lies over equity");
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const element = text.parentElement;
      if (!text.textContent.trim() || !box(element).width || element.closest("style")) continue;
      const style = getComputedStyle(element);
      if (parseFloat(style.fontSize) < 28) say(`${element.className} has letters of ${style.fontSize}`);
      let ground = element;
      while (ground && !solid(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
      const grounds = [solid(getComputedStyle(ground).backgroundColor)];
      const bar = element.closest(".seat")?.querySelector(".bar > i");
      if (bar && getComputedStyle(bar.parentElement).position === "absolute" && ground.matches(".seat")) grounds.push(solid(getComputedStyle(bar).backgroundColor));
      const dims = /brightness\(([.\d]+)\)/.exec(element.closest(".seat") ? getComputedStyle(element.closest(".seat")).filter : "")?.[1] ?? 1;
      for (const under of grounds) {
        const found = contrast(solid(style.color).map((c) => c * dims), under.map((c) => c * dims));
        if (found < 4.5) say(`${element.className || element.tagName} "${text.textContent}": contrast ${found.toFixed(1)}`);
      }
    }
  }
  return faults;
}
