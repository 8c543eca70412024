// The overview: how the calls came out, by what, and the last ones that were not right.

import { ask, Refused } from "./api.js";
import { chart, STATUSES, table } from "./chart.js";
import { code, el, remember, replace, visible } from "./dom.js";
import { ruleName, rulesByName } from "./call.js";
import { badge, card, notice, outcome } from "./shared.js";
import { amount, count, meaning, moment, share, t } from "./words.js";

const SPANS = [1, 24, 168, 720];
const FACETS = ["tool", "model", "kind", "reason", "rule", "upstream"];
const FIRST = 6; // entries of a list before "more"
const shown = { faultyOnly: false, all: new Set() };

export function overview(place, params, go) {
  const view = { place, params, go, more: [], next: null };
  return { refresh: () => refresh(view), resize: () => view.last && drawChart(view) };
}

function query(params, extra = {}) {
  const asked = new URLSearchParams({ hours: params.get("hours") ?? "24" });
  for (const facet of [...FACETS, "status"]) if (params.get(facet)) asked.set(facet, params.get(facet));
  for (const [name, value] of Object.entries(extra)) asked.set(name, value);
  return asked;
}

async function refresh(view) {
  const state = await ask("state");
  if (state.journal.phase === "off") {
    replace(view.place, banners(state), off());
    return state;
  }
  let rates;
  let calls;
  try {
    [rates, calls] = await Promise.all([ask(`rates?${query(view.params)}`), ask(`calls?${query(view.params)}`), rulesByName()]);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 503) throw error;
    replace(view.place, banners(state), unreadable(error));
    return state;
  }
  Object.assign(view, { last: rates, state, calls: calls.calls, next: view.more.length ? view.next : calls.next });
  draw(view);
  return state;
}

function draw(view) {
  const { last, state, params } = view;
  const restore = remember(view.place);
  const total = STATUSES.reduce((sum, status) => sum + last.totals[status], 0);
  const filtered = FACETS.some((facet) => params.get(facet)) || params.get("status");
  replace(
    view.place,
    el("h1", { class: "spoken", tabindex: -1 }, t("nav.overview")),
    banners(state),
    bar(view),
    total || filtered
      ? [
          numbers(last, total, params),
          el("div", { class: "card", id: "chart-card" }),
          el("div", { class: "facets" }, FACETS.map((facet) => facetCard(view, facet))),
          recent(view),
        ]
      : welcome(params),
  );
  drawChart(view);
  restore();
}

// --- above everything -------------------------------------------------------------------------------------------------

function banners(state) {
  const { journal } = state;
  const made = [];
  if (journal.phase === "stopped") {
    made.push(notice("bad", t("journal.stopped.title"), el("p", {}, t("journal.stopped.why", { reason: trouble(journal.cause, journal.reason), since: moment(journal.since) })), el("p", { class: "soft" }, t("journal.stopped.traffic"))));
  }
  if (journal.dropped) made.push(notice("plain", count("dropped", journal.dropped), el("p", {}, t("dropped.why"))));
  if (state.alerts.length) made.push(alerts(state.alerts));
  return made;
}

function alerts(all) {
  const [first, ...rest] = all;
  return el(
    "section",
    { class: "notice bad", "aria-label": t("alerts.title") },
    el("h2", { class: "notice-title" }, t("alerts.title")),
    alert(first),
    rest.length ? el("details", { data: { key: "alerts" } }, el("summary", { data: { key: "alerts-summary" } }, count("alerts.more", rest.length)), rest.map(alert)) : null,
  );
}

function alert(one) {
  const what = one.tool ? code(one.tool) : t("alerts.unknown");
  return el("div", { class: "alert" }, el("p", {}, count("alerts.row", one.count, { tool: what, kind: t(`kind.${one.kind}`) }), " ", el("time", { class: "soft" }, moment(one.first, "point"))), el("p", { class: "soft" }, t(`action.${one.kind}`)));
}

function off() {
  return el(
    "section",
    { class: "card empty" },
    el("h1", { tabindex: -1 }, t("journal.off.title")),
    el("p", {}, t("journal.off.why")),
    el("p", {}, t("journal.off.how", { option: el("code", {}, "--journal metadata") })),
    el("p", {}, el("a", { class: "button", href: "#/try" }, t("nav.try"))),
  );
}

// Why the journal stands still: in the reader's language, where there are words for it.
function trouble(cause, reason) {
  return meaning("cause", cause) || (reason ?? "");
}

function unreadable(error) {
  return el("section", { class: "card empty" }, el("h1", { tabindex: -1 }, t("journal.unreadable.title")), el("p", {}, trouble(error.cause, error.message)), el("p", { class: "soft" }, t("journal.stopped.traffic")), el("p", {}, el("a", { class: "button", href: "#/try" }, t("nav.try"))));
}

function welcome(params) {
  const base = `${location.origin}/v1`;
  return el(
    "section",
    { class: "card empty" },
    el("h2", {}, t("empty.title", { span: t(`span.${params.get("hours") ?? 24}`) })),
    el("p", {}, t("empty.how")),
    el("pre", { class: "text", tabindex: 0 }, `base_url = "${base}"`),
    el("p", {}, el("a", { class: "button", href: "#/try" }, t("nav.try"))),
  );
}

function bar({ params, go }) {
  const hours = Number(params.get("hours") ?? 24);
  const spans = SPANS.map((span) =>
    el("label", { class: "segment" }, el("input", { type: "radio", name: "span", checked: span === hours, data: { key: `span-${span}` }, on: { change: () => go({ hours: String(span) }) } }), el("span", {}, t(`span.${span}`))),
  );
  const chips = [...FACETS, "status"]
    .filter((facet) => params.get(facet))
    .map((facet) =>
      el("button", { class: "chip", type: "button", data: { key: `chip-${facet}` }, on: { click: () => go({ [facet]: null }) } }, el("span", { class: "soft" }, t(`field.${facet}`)), " ", facetName(facet, params.get(facet)), el("span", { class: "cross", "aria-hidden": "true" }, "✕"), el("span", { class: "spoken" }, t("filter.remove"))),
    );
  return el("div", { class: "bar" }, el("fieldset", { class: "segments" }, el("legend", { class: "spoken" }, t("filter.span")), spans), el("div", { class: "chips" }, chips));
}

// --- numbers ----------------------------------------------------------------------------------------------------------

function numbers(rates, total, params) {
  const { exchanges } = rates;
  const across = ["tool", "kind", "reason", "rule", "status"].every((facet) => !params.get(facet));
  const tiles = STATUSES.map((status) =>
    el(
      "div",
      { class: `tile ${status}` },
      el("p", { class: "tile-name" }, badge(status)),
      el("p", { class: "tile-value" }, share(rates.totals[status], total)),
      el("p", { class: "tile-note" }, count("calls", rates.totals[status])),
      el("p", { class: "tile-means" }, t(`status.${status}.means`)),
    ),
  );
  const asides = [
    count("calls", total),
    across && exchanges.requests ? count("requests", exchanges.requests) : null,
    across && exchanges.retries ? count("retries", exchanges.retries) : null,
    across && exchanges.stalled ? count("stalled", exchanges.stalled) : null,
  ].filter(Boolean);
  return [el("div", { class: "tiles" }, tiles), el("p", { class: "asides" }, asides.map((text, index) => [index ? " · " : "", text]))];
}

function drawChart(view) {
  const place = document.getElementById("chart-card");
  if (!place) return;
  const width = Math.floor(place.clientWidth - parseFloat(getComputedStyle(place).paddingLeft) * 2);
  const faulty = el("label", { class: "check" }, el("input", { type: "checkbox", checked: shown.faultyOnly, data: { key: "faulty-only" }, on: { change: (event) => { shown.faultyOnly = event.target.checked; drawChart(view); } } }), t("chart.faulty"));
  replace(
    place,
    el("div", { class: "card-head" }, el("h2", {}, t("chart.title")), faulty),
    el("p", { class: "legend", "aria-hidden": "true" }, STATUSES.slice(shown.faultyOnly ? 1 : 0).map((status) => el("span", { class: `key ${status}` }, t(`status.${status}`)))),
    chart(view.last, { faultyOnly: shown.faultyOnly, width }),
    table(view.last),
  );
}

// --- by tool, by model, … -----------------------------------------------------------------------------------------------

function faulty(row) {
  return row.mended + row.refused;
}

export function facetName(facet, name) {
  if (name === null) return t("others");
  if (facet === "status") return t(`status.${name}`);
  if (facet === "kind" || facet === "reason") return meaning(facet, name) || code(name);
  if (facet === "rule") return ruleName(name);
  return code(name);
}

function facetCard(view, facet) {
  const rows = [...view.last.by[facet]].filter((row) => facet !== "model" || row.name !== "").sort((a, b) => faulty(b) - faulty(a) || b.valid - a.valid);
  if (!rows.length || (facet === "upstream" && rows.length < 2)) return null;
  const all = shown.all.has(facet);
  const most = Math.max(...rows.map((row) => (facet === "tool" || facet === "model" || facet === "upstream" ? faulty(row) + row.valid : faulty(row))));
  const list = rows.slice(0, all ? rows.length : FIRST).map((row) => facetRow(view, facet, row, most));
  const toggle = el("button", { class: "link", type: "button", data: { key: `all-${facet}` }, "aria-expanded": String(all), on: { click: () => { all ? shown.all.delete(facet) : shown.all.add(facet); draw(view); } } }, all ? t("fewer") : count("more", rows.length - FIRST));
  return card({ title: t(`by.${facet}`) }, el("p", { class: "soft small" }, t(`by.${facet}.means`)), el("ul", { class: "rows" }, list), rows.length > FIRST ? toggle : null);
}

function facetRow({ params, go }, facet, row, most) {
  const total = faulty(row) + row.valid;
  const chosen = params.get(facet) === row.name;
  const split = facet === "tool" || facet === "model" || facet === "upstream";
  const told = split ? t("row.of", { faulty: amount(faulty(row)), total: amount(total) }) : amount(faulty(row));
  const stripes = STATUSES.slice(split ? 0 : 1).filter((status) => row[status]).map((status) => {
    const stripe = el("span", { class: `stripe ${status}` });
    stripe.style.width = `${(row[status] / most) * 100}%`;
    return stripe;
  });
  const label = `${STATUSES.map((status) => `${amount(row[status])} ${t(`status.${status}`)}`).join(", ")}`;
  return el(
    "li",
    {},
    el(
      "button",
      { class: "row", type: "button", disabled: row.name === null, data: { key: `row-${facet}-${row.name}` }, "aria-pressed": String(chosen), title: facet === "kind" || facet === "reason" ? meaning(facet, `${row.name}.means`) : label, on: { click: () => go({ [facet]: chosen ? null : row.name }) } },
      el("span", { class: "row-name" }, facetName(facet, row.name)),
      el("span", { class: "row-number" }, told),
      el("span", { class: "stripes", "aria-hidden": "true" }, stripes),
      el("span", { class: "spoken" }, label),
    ),
  );
}

// --- the last faulty calls ------------------------------------------------------------------------------------------------

function recent(view) {
  const { params, go } = view;
  const known = new Set();
  const calls = [...view.calls, ...view.more].filter((call) => !known.has(call.id) && known.add(call.id));
  const kinds = [null, "mended", "refused"].map((status) =>
    el("label", { class: "segment" }, el("input", { type: "radio", name: "status", checked: (params.get("status") ?? null) === status, data: { key: `status-${status}` }, on: { change: () => go({ status }) } }), el("span", {}, status ? t(`status.${status}`) : t("recent.both"))),
  );
  const more = el("button", { class: "button", type: "button", data: { key: "older" }, on: { click: () => older(view) } }, t("recent.older"));
  return card(
    { title: t("recent.title"), note: el("fieldset", { class: "segments small" }, el("legend", { class: "spoken" }, t("field.status")), kinds) },
    calls.length
      ? el(
          "table",
          { class: "calls" },
          el("thead", {}, el("tr", {}, ["time", "status", "tool", "what", "model"].map((name) => el("th", { scope: "col" }, t(`field.${name}`))))),
          el("tbody", {}, calls.map(row)),
        )
      : el("p", { class: "soft" }, t("recent.none")),
    view.next ? el("p", { class: "center" }, more) : null,
  );
}

function row(call) {
  return el(
    "tr",
    {},
    el("td", { class: "when" }, el("time", { datetime: new Date(call.at * 1000).toISOString() }, moment(call.at, "row"))),
    el("td", {}, badge(call.status)),
    el("td", { class: "tool" }, el("a", { href: `#/call/${call.id}`, data: { key: `call-${call.id}` } }, el("bdi", {}, visible(call.tool)))),
    el("td", { class: "what" }, outcome(call)),
    el("td", { class: "model" }, call.model ? el("bdi", {}, visible(call.model)) : el("span", { class: "soft" }, "–")),
  );
}

async function older(view) {
  const found = await ask(`calls?${query(view.params, { before: view.next })}`);
  view.more.push(...found.calls);
  view.next = found.next;
  draw(view);
}
