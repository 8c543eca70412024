// How many calls came out how, over time: stacked bars, one a step. The bars can be walked with the arrow keys, and the
// same numbers stand in a table below.

import { el, svg } from "./dom.js";
import { amount, count, moment, t } from "./words.js";

export const STATUSES = ["valid", "mended", "refused"];
const HEIGHT = 190;
const EDGE = { top: 10, right: 6, bottom: 26, left: 44 };

// Every step from the first to the last, also those in which nothing came.
function columns(rates, shown) {
  const { step } = rates;
  const start = Math.floor(rates.since / step) * step;
  const known = new Map(rates.points.map((point) => [point.at, point]));
  const made = [];
  for (let at = start; at < rates.until; at += step) {
    const point = known.get(at) ?? { valid: 0, mended: 0, refused: 0 };
    made.push({ at, ...point, height: shown.reduce((sum, status) => sum + point[status], 0) });
  }
  return made;
}

function ceiling(most) {
  if (most <= 4) return 4;
  const unit = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 5, 8, 10].map((factor) => factor * unit).find((value) => value >= most);
}

export function chart(rates, { faultyOnly, width }) {
  const shown = faultyOnly ? STATUSES.slice(1) : STATUSES;
  const bars = columns(rates, shown);
  const top = ceiling(Math.max(1, ...bars.map((bar) => bar.height)));
  const inner = { width: Math.max(80, width - EDGE.left - EDGE.right), height: HEIGHT - EDGE.top - EDGE.bottom };
  const slot = inner.width / bars.length;
  const y = (value) => EDGE.top + inner.height * (1 - value / top);
  const x = (index) => EDGE.left + index * slot;

  const grid = [0, top / 4, top / 2, (top * 3) / 4, top]
    .filter((value) => Number.isInteger(value))
    .map((value) => [
      svg("line", { class: value ? "grid" : "axis", x1: EDGE.left, x2: width - EDGE.right, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, amount(value)),
    ]);
  const cursor = svg("rect", { class: "cursor", y: EDGE.top, height: inner.height, width: Math.max(slot, 1), x: -99 });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" },
    grid,
    cursor,
    bars.map((bar, index) => stack(bar, { shown, y, left: x(index), slot })),
    times(bars, rates, { x, slot, width }),
  );
  return walkable(picture, cursor, { bars, rates, x, slot });
}

function stack(bar, { shown, y, left, slot }) {
  const gap = slot > 6 ? 2 : slot > 3 ? 1 : 0;
  let below = 0;
  return shown.map((status) => {
    if (!bar[status]) return null;
    const from = y(below);
    below += bar[status];
    const height = Math.max(1.5, from - y(below));
    return svg("rect", { class: `bar ${status}`, x: left + gap / 2, width: Math.max(0.8, slot - gap), y: from - height, height });
  });
}

// As many times as fit, at even steps of the clock on the wall.
function times(bars, rates, { x, slot, width }) {
  const span = rates.until - rates.since;
  const style = span > 2 * 86400 ? "day" : "hour";
  const wanted = Math.max(2, Math.floor((width - EDGE.left) / 90));
  const every = [300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 2 * 86400, 5 * 86400, 10 * 86400].find(
    (seconds) => span / seconds <= wanted,
  );
  if (!every) return [];
  const offset = new Date(rates.until * 1000).getTimezoneOffset() * 60;
  const labels = [];
  let last = null;
  for (const [index, bar] of bars.entries()) {
    const here = Math.floor((bar.at - offset) / every);
    if (last !== null && here !== last) {
      const at = x(index);
      if (at < width - 24) labels.push(svg("text", { class: "tick", x: at, y: HEIGHT - 6, "text-anchor": "middle" }, moment(bar.at, style)));
      if (at < width - 24) labels.push(svg("line", { class: "grid", x1: at, x2: at, y1: HEIGHT - EDGE.bottom, y2: HEIGHT - EDGE.bottom + 5 }));
    }
    last = here;
  }
  return slot ? labels : [];
}

function spoken(bar, step) {
  const from = moment(bar.at, "point");
  const numbers = STATUSES.map((status) => `${amount(bar[status])} ${t(`status.${status}`)}`).join(" · ");
  return `${from}–${moment(bar.at + step, "hour")}   ${numbers}`;
}

function walkable(picture, cursor, { bars, rates, x, slot }) {
  const readout = el("p", { class: "readout" }, t("chart.hint"));
  const slider = el(
    "div",
    {
      class: "plot",
      role: "slider",
      tabindex: 0,
      data: { key: "plot" },
      "aria-label": t("chart.label"),
      "aria-valuemin": 0,
      "aria-valuemax": bars.length - 1,
      "aria-valuenow": bars.length - 1,
      "aria-valuetext": spoken(bars[bars.length - 1], rates.step),
    },
    picture,
  );
  let at = bars.length - 1;
  const go = (index) => {
    at = Math.max(0, Math.min(bars.length - 1, index));
    cursor.setAttribute("x", x(at));
    const text = spoken(bars[at], rates.step);
    readout.textContent = text;
    slider.setAttribute("aria-valuenow", at);
    slider.setAttribute("aria-valuetext", text);
  };
  const away = () => {
    cursor.setAttribute("x", -99);
    readout.textContent = t("chart.hint");
  };
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageUp: -10, PageDown: 10, Home: -1e6, End: 1e6 };
  slider.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    go(at + steps[event.key]);
  });
  slider.addEventListener("focus", () => slider.matches(":focus-visible") && go(at));
  slider.addEventListener("blur", away);
  slider.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.floor((event.clientX - box.left - EDGE.left) / slot));
  });
  slider.addEventListener("pointerleave", away);
  return [slider, readout];
}

export function table(rates) {
  const rows = [...rates.points].reverse();
  return el(
    "details",
    { class: "as-table", data: { key: "chart-table" } },
    el("summary", { data: { key: "chart-summary" } }, t("chart.table")),
    el(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": t("chart.table") },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("field.time")), STATUSES.map((one) => el("th", { scope: "col", class: "number" }, t(`status.${one}`))))),
        el(
          "tbody",
          {},
          rows.length
            ? rows.map((point) => el("tr", {}, el("th", { scope: "row" }, moment(point.at, "point")), STATUSES.map((one) => el("td", { class: "number" }, amount(point[one])))))
            : el("tr", {}, el("td", { colspan: 4 }, count("calls", 0))),
        ),
      ),
    ),
  );
}
