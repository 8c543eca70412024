// The page's words: one table a language, both with the same keys. Numbers and times are written as the language does.

const LANGUAGES = { en: "English", zh: "中文" };
let table = {};
let language = "en";

export const languages = Object.entries(LANGUAGES);

export function preferred() {
  const stored = read("argwright-language");
  if (stored in LANGUAGES) return stored;
  return (navigator.languages ?? [navigator.language]).find((one) => one)?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function speak(next) {
  const response = await fetch(`static/words.${next}.json`);
  table = await response.json();
  language = next;
  document.documentElement.lang = next === "zh" ? "zh-Hans" : "en";
}

export function current() {
  return language;
}

// A sentence; {name} stands for a value, which may be a node: then the answer is a list of nodes.
export function t(key, values = {}) {
  const sentence = table[key] ?? key;
  const parts = sentence.split(/\{(\w+)\}/);
  if (parts.length === 1) return sentence;
  const filled = parts.map((part, index) => (index % 2 ? (values[part] ?? "") : part));
  return filled.some((part) => part instanceof Node) ? filled : filled.join("");
}

// A sentence that depends on a number, as `key.one` or `key.other`.
export function count(key, number, values = {}) {
  const form = new Intl.PluralRules(language).select(number) === "one" ? "one" : "other";
  return t(`${key}.${form}`, { n: amount(number), ...values });
}

// The explanation of a slug; nothing for one that nobody has written one for.
export function meaning(group, slug) {
  return table[`${group}.${slug}`] ?? "";
}

export function amount(number) {
  return new Intl.NumberFormat(language).format(number);
}

export function share(part, whole) {
  if (!whole) return "–";
  const ratio = part / whole;
  const digits = ratio > 0 && ratio < 0.1 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(ratio);
}

export function moment(seconds, style = "long") {
  const styles = {
    long: { dateStyle: "medium", timeStyle: "medium" },
    row: { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false },
    hour: { hour: "2-digit", minute: "2-digit", hour12: false },
    day: { month: "short", day: "numeric" },
    point: { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false },
  };
  return new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", styles[style]).format(seconds * 1000);
}

export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is switched off: it holds until the page is closed
  }
}
