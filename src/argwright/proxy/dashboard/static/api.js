// Questions to the gateway. An answer is JSON; whatever else happens is an Error with a text for people.

import { t } from "./words.js";

export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? t("error.status", { status }));
    this.status = status;
    this.pointer = body?.error?.pointer ?? null;
    this.cause = body?.error?.cause ?? null;
  }
}

export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(`api/${path}`, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(t("error.offline"));
  }
  if (response.status === 401) throw new Error(t("error.signed-out"));
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) throw new Refused(response.status, body);
  return body;
}

export function send(path, text) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text });
}
