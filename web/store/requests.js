// @ts-check
import { refusal, text } from "../texts/texts.js";
import { noteSignedOut } from "./identity.js";

/**
 * What the hub refuses, as problem+json has it, beside the reason for people: the `cause` of an error of `send`. There
 * is none where no answer came.
 * @typedef {{code?: string, status: number, name?: string}} Cause
 */

/** What the hub's clock showed as this page began, in ms since 1970, as its newest answer tells: to the second. */
let start = performance.timeOrigin;

/** The hub's time: a browser's clock may be wrong by more than what lasts for minutes. */
export const hubTime = () => start + performance.now();

/**
 * Asks the hub's HTTP API, as `token` if there is one; the answer's fields. Throws the reason as an `Error` for people.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {{body?: object, token?: string}} request
 */
export async function send(method, path, { body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Error(text("line.no-hub"));
  }
  const date = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isNaN(date)) start = date - performance.now();
  // Whatever stands between the page and the hub may answer with something else.
  const fields = await answer.json().catch(() => ({}));
  if (answer.ok) return fields;
  if (answer.status === 401 && token) noteSignedOut(token);
  const reason = fields.code ? refusal(fields, hubTime()) : text("line.answered", { status: answer.status });
  throw new Error(reason, { cause: { ...fields, status: answer.status } });
}
