// Elements, and text of unknown origin. Nothing here or elsewhere writes markup: a string only ever becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

// Characters that cannot be seen or that turn the reading direction. Joiners stay: emoji and Persian need them.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;
const LONE = /[\ud800-\udfff]/;

function put(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value" || name === "disabled" || name === "open") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function el(tag, props = {}, ...children) {
  return put(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return put(document.createElementNS(SVG, tag), props, children);
}

// A text as nodes, in which what cannot be seen is written out.
export function visible(text) {
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > last) nodes.push(text.slice(last, match.index));
    nodes.push(el("span", { class: "hidden-character" }, codeOf(match[0])));
    last = match.index + match[0].length;
  }
  if (last < text.length) nodes.push(text.slice(last));
  return nodes;
}

function codeOf(character) {
  const code = LONE.test(character) ? character.charCodeAt(0) : character.codePointAt(0);
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

// A name or a value that somebody else wrote: isolated, so that its direction stays its own.
export function code(text, props = {}) {
  return el("code", { dir: "auto", ...props }, visible(text));
}

// New content; the control that was in use before it stays in use, and what was unfolded stays so, where there is one
// with the same key.
export function replace(parent, ...children) {
  const restore = remember(parent);
  parent.replaceChildren();
  append(parent, children);
  restore();
}

export function remember(parent) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const open = new Set([...parent.querySelectorAll("details[data-key][open]")].map((one) => one.dataset.key));
  return () => {
    for (const one of parent.querySelectorAll("details[data-key]")) if (open.has(one.dataset.key)) one.open = true;
    const same = key && [...parent.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    if (same && same !== document.activeElement) same.focus({ preventScroll: true });
  };
}

export function say(text) {
  document.getElementById("spoken").textContent = text;
}
