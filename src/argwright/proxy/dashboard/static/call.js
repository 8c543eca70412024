// One call: what the model wrote with every repair in place, the arguments field by field, what is wrong with them, and
// what the model was told. The playground shows its results by the same functions.

import { ask } from "./api.js";
import { code, el, visible } from "./dom.js";
import { badge, card, facts, notice, pointer } from "./shared.js";
import { amount, count, meaning, moment, t } from "./words.js";

const FOLD = 900; // characters of an unmarked piece that are shown before it is folded
const KEPT = 260; // of a folded piece, on both sides
const SAME = new Set(["same", "moved"]); // of a field whose value is what it was
let rules = null;

export async function rulesByName() {
  rules ??= await ask("rules").catch(() => ({}));
  return rules;
}

export async function callView(id) {
  const [call] = await Promise.all([ask(`calls/${id}`), rulesByName()]);
  document.title = `${call.tool} · argwright`;
  return [
    el("p", { class: "back" }, el("a", { href: "#/", data: { back: "" } }, t("call.back"))),
    headline(call),
    facts([
      [t("field.time"), el("time", { datetime: new Date(call.at * 1000).toISOString() }, moment(call.at))],
      [t("field.model"), call.model ? code(call.model) : null],
      [t("field.upstream"), call.upstream ? code(call.upstream) : null],
      [t("field.protocol"), code(call.protocol)],
      [t("field.origin"), call.origin === "structured" ? null : [code(call.origin), " ", el("span", { class: "soft" }, t("origin.text"))]],
      [t("field.attempt"), call.attempt > 1 ? amount(call.attempt) : null],
      [t("field.streamed"), call.streamed ? t("yes") : t("no")],
      [t("field.request"), code(call.request_id)],
    ]),
    call.detail ? parts(call) : withoutText(call),
  ];
}

function headline(call) {
  const why = call.status === "refused" ? `${call.kind} / ${call.reason}` : null;
  return el(
    "div",
    { class: "headline" },
    el("h1", { tabindex: -1 }, code(call.tool), " ", badge(call.status)),
    el("p", { class: "lead" }, t(`status.${call.status}.means`), why ? [" ", meaning("reason", `${call.reason}.means`) || meaning("kind", `${call.kind}.means`)] : null),
    why ? el("p", { class: "slug" }, code(why)) : null,
  );
}

function withoutText(call) {
  return [
    notice("plain", t("call.metadata.title"), el("p", {}, t("call.metadata.why", { option: el("code", {}, "--journal full") }))),
    call.rules.length ? card(t("call.repairs"), el("ol", { class: "repairs" }, call.rules.map((rule, index) => el("li", {}, el("span", { class: "number-chip" }, index + 1), el("div", {}, el("p", {}, ruleName(rule)), example(rule)))))) : null,
  ];
}

export function parts(call) {
  const { detail } = call;
  return [
    detail.issues.length ? card(t("call.issues"), el("ul", { class: "issues" }, detail.issues.map(issue))) : null,
    card({ title: t("call.raw"), note: detail.pieces ? el("span", { class: "soft" }, count("characters", detail.characters)) : null }, raw(detail), repairs(detail)),
    comparison(call),
    detail.message ? card(t("call.told"), el("p", { class: "soft" }, t("call.told.why")), el("pre", { class: "text", tabindex: 0, dir: "ltr" }, visible(detail.message))) : null,
  ];
}

// --- the text --------------------------------------------------------------------------------------------------------

function raw(detail) {
  if (detail.pieces === null) {
    return notice("plain", t(`omitted.${detail.omitted}.title`), el("p", {}, t(`omitted.${detail.omitted}.why`, { n: amount(detail.characters) })));
  }
  if (!detail.characters) return el("p", { class: "soft" }, t("call.raw.empty"));
  return el("pre", { class: "text raw", tabindex: 0, dir: "ltr", "aria-label": t("call.raw") }, detail.pieces.map(piece));
}

function piece({ text, on, begins, point, wide }) {
  if (!on.length) return folded(text);
  const labels = begins.map(label);
  if (point) return [el("span", { class: on[0] === 0 ? "point stop" : "point", data: { marks: on.join(" ") } }), on[0] === 0 ? el("span", { class: "stop-label" }, t("call.stopped")) : labels];
  return [labels, el("mark", { class: on[0] < 0 ? "fault" : wide ? "wide" : "", data: { marks: on.join(" ") } }, folded(text.replaceAll("\n", "⏎\n")))];
}

function label(number) {
  const name = number < 0 ? t("call.fault", { n: -number }) : t("call.mark", { n: number });
  return el("button", { class: number < 0 ? "mark-label fault" : "mark-label", type: "button", data: { mark: number, key: `mark-${number}` }, "aria-label": name, on: { click: () => goTo(number) } }, number < 0 ? "✕" : number);
}

function goTo(number) {
  const entry = document.querySelector(`[data-repair="${number}"]`);
  if (!entry) return;
  entry.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  entry.focus({ preventScroll: true });
  light(number);
}

function light(number) {
  for (const one of document.querySelectorAll("[data-marks]")) one.classList.toggle("lit", one.dataset.marks.split(" ").includes(String(number)));
}

function folded(text) {
  const characters = text.length > FOLD ? [...text] : [];
  if (characters.length <= FOLD) return visible(text);
  const holder = el("span");
  const more = el("button", { class: "fold", type: "button", on: { click: () => holder.replaceChildren(...visible(text).map((one) => (one instanceof Node ? one : document.createTextNode(one)))) } }, t("call.fold", { n: amount(characters.length - 2 * KEPT) }));
  holder.append(
    el("span", {}, visible(characters.slice(0, KEPT).join(""))),
    more,
    el("span", {}, visible(characters.slice(-KEPT).join(""))),
  );
  return holder;
}

// --- its repairs -----------------------------------------------------------------------------------------------------

function repairs(detail) {
  if (!detail.repairs.length) return null;
  return [el("h3", {}, t("call.repairs")), el("ol", { class: "repairs" }, detail.repairs.map(repair))];
}

function repair(one) {
  return el(
    "li",
    { data: { repair: one.number }, tabindex: -1, on: { pointerenter: () => light(one.number), focus: () => light(one.number), pointerleave: () => light(null), blur: () => light(null) } },
    el("span", { class: "number-chip" }, one.number),
    el(
      "div",
      {},
      el("p", { class: "repair-head" }, ruleName(one.rule), " ", certainty(one.certainty), one.count > 1 ? el("span", { class: "soft" }, " ", count("times", one.count)) : null, one.pointer ? [" ", pointer(one.pointer)] : null),
      el("p", { class: "change" }, side(one.before, "removed"), el("span", { class: "arrow", "aria-label": t("call.becomes") }, "→"), side(one.after, "added")),
    ),
  );
}

function side(text, kind) {
  if (text === null || text === "") return el("span", { class: "soft" }, t("nothing"));
  const short = [...text.slice(0, 500)].slice(0, 240).join("");
  return code(signs(short.length < text.length ? `${short}…` : short), { class: kind, dir: "ltr" });
}

// What is nothing but blanks is written out.
function signs(text) {
  return text.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(/^ +| +$/g, (blanks) => "␣".repeat(blanks.length));
}

function certainty(level) {
  return level ? el("abbr", { class: `certainty ${level}`, title: meaning("certainty", `${level}.means`) }, t(`certainty.${level}`)) : null;
}

export function ruleName(name) {
  const known = rules?.[name];
  if (!known?.before) return code(name, { class: "rule" });
  return el("code", { class: "rule", title: t("rule.example", { before: known.before, after: known.after }) }, name);
}

// What a rule does, where the call itself cannot show it.
function example(name) {
  const known = rules?.[name];
  if (!known?.before) return null;
  return el("p", { class: "change soft" }, el("span", {}, t("rule.for-example")), code(signs(known.before), { dir: "ltr" }), el("span", { class: "arrow", "aria-label": t("call.becomes") }, "→"), code(signs(known.after), { dir: "ltr" }));
}

// --- the arguments ---------------------------------------------------------------------------------------------------

function comparison(call) {
  const { detail } = call;
  if (!detail.fields.length && detail.pieces === null) return null;
  if (!detail.fields.length) return detail.readable || call.status !== "refused" ? card(t("call.fields"), el("p", { class: "soft" }, t("call.fields.none"))) : null;
  const ran = call.status !== "refused";
  const wrong = wrongRows(detail);
  const both = ran && detail.readable;
  return card(
    { title: t("call.fields"), note: both ? el("span", { class: "soft" }, changes(detail.fields)) : null },
    el(
      "div",
      { class: "scrolls" },
      el(
        "table",
        { class: "fields" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("field.field")), detail.readable ? el("th", { scope: "col" }, t("field.written")) : null, ran ? el("th", { scope: "col" }, t("field.ran")) : null)),
        el("tbody", {}, detail.fields.map((row) => field(row, { readable: detail.readable, ran, wrong: wrong.get(row.pointer) }))),
      ),
    ),
  );
}

// The violation at each field; one of a whole object or list stands at its first field.
function wrongRows({ fields, issues }) {
  const wrong = new Map();
  for (const one of issues) {
    const row = fields.find((field) => field.pointer === one.pointer) ?? fields.find((field) => field.pointer.startsWith(`${one.pointer}/`));
    if (row && one.pointer && !wrong.has(row.pointer)) wrong.set(row.pointer, one);
  }
  return wrong;
}

function changes(fields) {
  const changed = fields.filter((row) => row.change !== "same").length;
  return changed ? count("changed", changed) : t("call.fields.same");
}

function field(row, { readable, ran, wrong }) {
  return el(
    "tr",
    { class: wrong ? "wrong" : row.change },
    el("th", { scope: "row" }, pointer(row.pointer), row.from ? el("span", { class: "soft moved-from" }, t("call.moved", { from: code(row.from) })) : null, row.change !== "same" && !row.from ? el("span", { class: "spoken" }, ` (${t(`change.${row.change}`)})`) : null),
    readable ? el("td", { data: { label: t("field.written") } }, value(row.before, SAME.has(row.change) ? "" : "removed"), wrong ? el("p", { class: "wrong-note" }, "✕ ", wrong.pointer === row.pointer ? null : [code(wrong.pointer), " "], visible(wrong.message)) : null) : null,
    ran ? el("td", { data: { label: t("field.ran") } }, value(row.after, SAME.has(row.change) ? "" : "added")) : null,
  );
}

function value(text, kind) {
  if (text === null) return el("span", { class: "soft" }, t("absent"));
  return el("code", { dir: "ltr", class: kind }, folded(text));
}

// --- what is wrong with them -----------------------------------------------------------------------------------------

function issue(one) {
  return el(
    "li",
    { data: { repair: -one.number }, tabindex: -1, on: { pointerenter: () => light(-one.number), focus: () => light(-one.number), pointerleave: () => light(null), blur: () => light(null) } },
    el("p", { class: "issue-head" }, pointer(one.pointer), " ", el("span", {}, visible(one.message))),
    el("p", { class: "issue-more soft" }, [
      [t("issue.keyword"), one.keyword],
      [t("issue.expected"), one.expected],
      [t("issue.found"), one.found],
    ].filter(([, text]) => text !== null && text !== "").map(([name, text], index) => [index ? " · " : "", name, " ", code(text.length > 200 ? `${text.slice(0, 200)}…` : text)])),
  );
}
