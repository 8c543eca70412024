// Small pieces that several views show alike.

import { code, el } from "./dom.js";
import { meaning, t } from "./words.js";

const FIRST = 3; // rules that are named in a row
const SIGNS = { valid: "✓", mended: "~", refused: "✕" };

export function badge(status) {
  return el("span", { class: `badge ${status}`, title: meaning("status", `${status}.means`) }, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[status] ?? "?"), t(`status.${status}`));
}

// What happened to a call, in words: for a refused one kind and reason, for a mended one its rules.
export function outcome(call) {
  if (call.status === "refused") return [t(`reason.${call.reason}`) === `reason.${call.reason}` ? code(call.reason ?? "") : t(`reason.${call.reason}`)];
  const more = call.rules.length - FIRST;
  return [call.rules.slice(0, more > 1 ? FIRST : undefined).map((rule, index) => [index ? " " : "", code(rule, { class: "rule" })]), more > 1 ? el("span", { class: "soft", title: call.rules.slice(FIRST).join(", ") }, ` +${more}`) : null];
}

export function card(title, ...content) {
  const { key, note, level = 2, ...props } = typeof title === "string" ? {} : title;
  const heading = typeof title === "string" ? title : title.title;
  return el("section", { class: "card", ...props, title: null }, el("div", { class: "card-head" }, el(`h${level}`, {}, heading), note ?? null), content);
}

export function notice(kind, title, ...content) {
  return el("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "note" }, el("p", { class: "notice-title" }, title), content);
}

export function facts(entries) {
  return el("dl", { class: "facts" }, entries.filter(([, value]) => value !== null && value !== "").map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

export function pointer(place) {
  return place === "" ? el("span", { class: "soft" }, t("pointer.root")) : code(place);
}
