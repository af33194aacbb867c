// The words that a page's script shows, in the language of the page: the server writes them into the page
// as JSON, with the names that the script uses. `{name}` in a text stands for a value.

const read = (id) => JSON.parse(globalThis.document?.getElementById(id)?.textContent ?? "{}");
const texts = { ...read("shared-words"), ...read("words") };

/** Takes texts that came in another way than with the page. */
export const take = (more) => Object.assign(texts, more);

export function word(name, values = {}) {
  return (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** Whether there is such a text. */
export const knows = (name) => Object.hasOwn(texts, name);
