// Making elements without markup as text: nothing that comes from a table can become one.

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export function drawing(viewBox, path) {
  const svg = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", viewBox);
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
