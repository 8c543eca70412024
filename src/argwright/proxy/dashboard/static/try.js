// The playground: a raw text and a schema, read as the gateway reads them. Nothing of it is kept.

import { Refused, send } from "./api.js";
import { parts, rulesByName } from "./call.js";
import { el, replace, say, visible } from "./dom.js";
import { badge, card, notice } from "./shared.js";
import { meaning, t } from "./words.js";

const SCHEMA = `{
  "type": "object",
  "properties": {
    "query": { "type": "string" },
    "limit": { "type": "integer" },
    "sort": { "enum": ["price", "rating"] }
  },
  "required": ["query"],
  "additionalProperties": false
}`;
const EXAMPLES = {
  notation: { text: "Sure, here you go:\n```json\n{'query': '上海 🍜', 'limit': 10, // the first ten\n 'sort': 'Price',}\n```" },
  alias: { text: '{"q": "red shoes", "limit": "5"}', aliases: '{ "q": "query" }' },
  cut: { text: '{"query": "red shoes", "sort": "pri' },
  type: { text: '{"query": ["red", "shoes"], "limit": "many", "colour": "red"}' },
  wrapper: { text: '{"name": "search", "arguments": "{\\"query\\": \\"9007199254740993\\", \\"limit\\": 9007199254740993}"}' },
};
const kept = { name: "search", text: EXAMPLES.notation.text, schema: SCHEMA, aliases: "", finish: "", policy: "" };

export function tryView() {
  document.title = `${t("nav.try")} · argwright`;
  const result = el("div", { id: "result", tabindex: -1, role: "region", "aria-label": t("try.result") });
  const form = el(
    "form",
    { class: "try", novalidate: true, on: { submit: (event) => { event.preventDefault(); run(form, result); }, keydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(form, result); } } } },
    el("div", { class: "examples" }, el("span", { class: "soft" }, t("try.examples")), Object.keys(EXAMPLES).map((name) => el("button", { class: "chip", type: "button", data: { key: `example-${name}` }, on: { click: () => fill(form, name, result) } }, t(`example.${name}`)))),
    el("div", { class: "columns" }, field("text", t("try.text"), area("text", 9), t("try.text.means")), field("schema", t("try.schema"), area("schema", 9), t("try.schema.means"))),
    el(
      "div",
      { class: "columns three" },
      field("name", t("try.name"), el("input", { id: "try-name", name: "name", value: kept.name, autocomplete: "off", spellcheck: "false" }), t("try.name.means")),
      field("finish", t("try.finish"), choice("finish", ["", "stop", "length"], "finish"), t("try.finish.means")),
      field("policy", t("try.policy"), choice("policy", ["", "strict", "exact", "standard", "lenient"], "policy"), t("try.policy.means")),
    ),
    field("aliases", t("try.aliases"), area("aliases", 2), t("try.aliases.means")),
    el("p", { class: "actions" }, el("button", { class: "button strong", type: "submit" }, t("try.run")), el("span", { class: "soft small" }, t("try.keys"))),
  );
  return [el("h1", { tabindex: -1 }, t("nav.try")), el("p", { class: "lead" }, t("try.lead")), card({ title: t("try.ask"), class: "card" }, form), result];
}

function area(name, rows) {
  return el("textarea", { id: `try-${name}`, name, rows, spellcheck: "false", autocapitalize: "off", autocomplete: "off", dir: "auto", value: kept[name] });
}

function choice(name, values, group) {
  return el("select", { id: `try-${name}`, name }, values.map((value) => el("option", { value, selected: kept[name] === value }, t(`${group}.${value || "default"}`))));
}

function field(name, label, control, help) {
  control.setAttribute("aria-describedby", `help-${name}`);
  return el("div", { class: "field" }, el("label", { for: `try-${name}` }, label), control, el("p", { class: "help", id: `help-${name}` }, help), el("p", { class: "wrong-note", id: `wrong-${name}`, hidden: true }));
}

function fill(form, name, result) {
  form.elements.text.value = EXAMPLES[name].text;
  form.elements.schema.value = SCHEMA;
  form.elements.aliases.value = EXAMPLES[name].aliases ?? "";
  form.elements.name.value = "search";
  form.elements.finish.value = "";
  form.elements.policy.value = "";
  run(form, result);
}

// The request's text is put together from the texts themselves: a parser here would round large integers.
function request(form) {
  const value = (name) => form.elements[name].value;
  const schema = parsed(form, "schema");
  const aliases = value("aliases").trim() ? parsed(form, "aliases") : null;
  if (schema === undefined || aliases === undefined) return null;
  const isTools = Array.isArray(schema) || (schema !== null && typeof schema === "object" && !("type" in schema) && !("properties" in schema) && Object.keys(schema).length > 0 && !Object.keys(schema).some((key) => key.startsWith("$")));
  const members = [
    ["name", JSON.stringify(value("name"))],
    ["arguments", JSON.stringify(value("text"))],
    [isTools ? "tools" : "schema", value("schema")],
    ["aliases", aliases === null ? null : value("aliases")],
    ["finish_reason", value("finish") ? JSON.stringify(value("finish")) : null],
    ["policy", value("policy") ? JSON.stringify(value("policy")) : null],
  ].filter(([name, text]) => text !== null && !(name === "name" && text === '""' && !isTools));
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
}

function parsed(form, name) {
  try {
    return JSON.parse(form.elements[name].value);
  } catch (error) {
    wrong(form, name, t("try.not-json", { why: error.message }));
    return undefined;
  }
}

function wrong(form, name, text) {
  const control = form.elements[name];
  const place = form.querySelector(`#wrong-${name}`);
  place.textContent = text;
  place.hidden = !text;
  control.setAttribute("aria-invalid", String(Boolean(text)));
  control.setAttribute("aria-describedby", text ? `wrong-${name} help-${name}` : `help-${name}`);
  if (text) control.focus();
}

async function run(form, result) {
  for (const name of ["text", "schema", "aliases", "name"]) wrong(form, name, "");
  for (const name of Object.keys(kept)) kept[name] = form.elements[name].value;
  const body = request(form);
  if (body === null) return;
  try {
    const [call] = await Promise.all([send("repair", body), rulesByName()]);
    replace(result, shownResult(call));
    say(`${t(`status.${call.status}`)}. ${t(`status.${call.status}.means`)}`);
  } catch (error) {
    const name = error instanceof Refused && error.pointer ? { tools: "schema", arguments: "text", finish_reason: "finish" }[error.pointer.split("/")[1]] ?? error.pointer.split("/")[1] : "";
    if (name in kept) wrong(form, name, error.message);
    replace(result, name in kept ? null : notice("bad", t("error.title"), el("p", {}, visible(error.message))));
  }
}

function shownResult(call) {
  const why = call.status === "refused" ? meaning("reason", `${call.reason}.means`) : "";
  return [
    el("div", { class: "headline" }, el("h2", {}, badge(call.status), " ", el("span", {}, t(`status.${call.status}.means`))), why ? el("p", { class: "lead" }, why) : null),
    parts(call),
    card(t("try.answer"), el("p", { class: "soft" }, t("try.answer.means", { path: el("code", {}, "POST /v1/repair") })), el("pre", { class: "text", tabindex: 0, dir: "ltr" }, visible(call.answer))),
  ];
}
