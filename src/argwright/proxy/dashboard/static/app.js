// The page: what stands around the views, which view is shown, and when it is asked for anew.

import { ask } from "./api.js";
import { callView } from "./call.js";
import { el, replace, visible } from "./dom.js";
import { overview } from "./overview.js";
import { notice } from "./shared.js";
import { tryView } from "./try.js";
import { current, keep, languages, meaning, preferred, read, speak, t } from "./words.js";

const EVERY = 10_000; // milliseconds between two looks, while somebody looks
const THEMES = ["auto", "light", "dark"];
const KINDS = ["json_error", "schema_error", "unknown_tool"];
const REASONS = ["empty", "not_json", "truncated", "ambiguous", "several_values", "duplicate_key", "blocked", "too_long", "too_deep", "too_many_repairs", "not_an_object", "missing", "unexpected", "type", "enum", "constraint", "alias_conflict", "absorbed", "rule_conflict", "unknown"];
const main = document.getElementById("main");
let view = null;
let turn = 0;
let last = "";

// --- where we are -----------------------------------------------------------------------------------------------------

function here() {
  const [path, search] = location.hash.replace(/^#/, "").split("?");
  return { path: path || "/", params: new URLSearchParams(search ?? "") };
}

function go(changes) {
  const { params } = here();
  for (const [name, value] of Object.entries(changes)) value === null ? params.delete(name) : params.set(name, value);
  const search = params.toString();
  location.hash = search ? `/?${search}` : "/";
}

async function show({ moved }) {
  const mine = ++turn;
  const { path, params } = here();
  const call = /^\/call\/(\d+)$/.exec(path);
  document.title = "argwright";
  mark(path);
  view = null;
  delete main.dataset.view;
  try {
    if (call) {
      const [nodes, state] = await Promise.all([callView(call[1]), ask("state")]);
      if (mine === turn) replace(main, nodes);
      if (mine === turn) tell(state);
    } else if (path === "/try") {
      replace(main, tryView());
      tell(await ask("state"));
    } else {
      view = overview(main, params, go);
      const state = await view.refresh();
      if (mine === turn) tell(state);
    }
  } catch (error) {
    if (mine === turn) replace(main, failure(error));
  }
  if (mine === turn) main.dataset.view = location.hash || "#/";
  if (moved && mine === turn) {
    scrollTo(0, 0);
    (main.querySelector("h1") ?? main).focus({ preventScroll: true });
  }
}

function failure(error) {
  return notice("bad", t("error.title"), el("p", {}, visible(error.message)), el("p", {}, el("button", { class: "button", type: "button", on: { click: () => show({ moved: false }) } }, t("error.again"))));
}

// --- what stands around -----------------------------------------------------------------------------------------------

function frame() {
  document.getElementById("skip").textContent = t("skip");
  const theme = read("argwright-theme") ?? "auto";
  replace(
    document.getElementById("header"),
    el("a", { class: "brand", href: "#/" }, el("img", { src: "static/icon.svg", alt: "", width: 24, height: 24 }), "argwright"),
    el("nav", { "aria-label": t("nav.label") }, el("a", { href: "#/", data: { path: "/" } }, t("nav.overview")), el("a", { href: "#/try", data: { path: "/try" } }, t("nav.try"))),
    el(
      "div",
      { class: "choices" },
      el("span", { id: "journal" }),
      el("button", { class: "link", type: "button", data: { key: "words" }, on: { click: words } }, t("words.open")),
      select("language", t("choose.language"), languages.map(([name, own]) => [name, own, name === current()]), async (value) => { keep("argwright-language", value); await speak(value); frame(); show({ moved: false }); }),
      select("theme", t("choose.theme"), THEMES.map((name) => [name, t(`theme.${name}`), name === theme]), (value) => { keep("argwright-theme", value); document.documentElement.dataset.theme = value; }),
    ),
  );
  mark(here().path);
}

function select(name, label, options, changed) {
  return el("label", { class: "choice" }, el("span", { class: "spoken" }, label), el("select", { data: { key: name }, on: { change: (event) => changed(event.target.value) } }, options.map(([value, text, selected]) => el("option", { value, selected }, text))));
}

function mark(path) {
  for (const link of document.querySelectorAll("nav a")) link.toggleAttribute("aria-current", link.dataset.path === path);
  for (const link of document.querySelectorAll("nav a[aria-current]")) link.setAttribute("aria-current", "page");
}

// What the journal keeps, said where it is always seen.
function tell({ journal, version }) {
  const kind = journal.phase === "stopped" ? "stopped" : journal.phase === "off" ? "off" : journal.mode;
  replace(document.getElementById("journal"), el("span", { class: `state ${kind}`, title: t(`journal.${kind}.means`) }, el("span", {}, t("journal.label"), " "), el("strong", {}, t(`journal.${kind}`))));
  replace(document.getElementById("footer"), el("p", {}, `argwright ${version}`, " · ", t(`journal.${kind}.means`)));
}

function words() {
  const dialog = document.getElementById("words");
  const entry = (name, text) => el("div", {}, el("dt", {}, name), el("dd", {}, text));
  const group = (title, slugs, prefix) => [el("h3", {}, title), el("dl", { class: "words" }, slugs.map((slug) => entry([t(`${prefix}.${slug}`), " ", prefix === "status" || prefix === "certainty" ? null : el("code", { class: "soft" }, slug)], meaning(prefix, `${slug}.means`))))];
  replace(
    dialog,
    el("div", { class: "card-head" }, el("h2", { id: "words-title" }, t("words.title")), el("button", { class: "button", type: "button", autofocus: true, on: { click: () => dialog.close() } }, t("close"))),
    group(t("field.status"), ["valid", "mended", "refused"], "status"),
    group(t("field.kind"), KINDS, "kind"),
    group(t("field.reason"), REASONS, "reason"),
    group(t("field.certainty"), ["exact", "likely", "guess"], "certainty"),
  );
  dialog.showModal();
}

// --- life -------------------------------------------------------------------------------------------------------------

async function look() {
  if (document.hidden || !view || document.getElementById("words").open) return;
  const mine = turn;
  try {
    const state = await view.refresh();
    if (mine === turn) tell(state);
  } catch {
    // the next look may find it again; what is shown stays
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("words").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close(); // beside it
});
document.addEventListener("click", (event) => {
  const back = event.target.closest?.("[data-back]");
  if (back && last) {
    event.preventDefault();
    location.hash = last;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && here().path.startsWith("/call/") && !document.querySelector("dialog[open]")) location.hash = last || "/";
});
addEventListener("hashchange", (event) => {
  const from = new URL(event.oldURL).hash.replace(/^#/, "");
  if (!from.startsWith("/call/")) last = from || "/";
  show({ moved: from.split("?")[0] !== here().path });
});
let drawn = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== drawn) view?.resize();
  drawn = innerWidth;
});

await speak(preferred());
frame();
await show({ moved: false });
setInterval(look, EVERY);
