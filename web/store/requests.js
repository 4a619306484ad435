// @ts-check
import { refusal, text } from "../texts/texts.js";
import { fieldsOf, LOG, problemOf } from "../net/hub-answer.js";
import { noteSignedOut, recordHubLog } from "./identity.js";

/**
 * What the hub refuses, as problem+json has it, beside the reason for people: the `cause` of an error of `send`. It has
 * no code where something else than the hub answered, and there is none where no answer came.
 * @typedef {{code?: string, status: number, name?: string}} Cause
 */

/** Not `Authorization`: that is a proxy's, where it asks for a password. */
const TOKEN = "X-Flipside-Token";

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
  if (token) headers[TOKEN] = token;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Error(text("line.no-hub"));
  }
  const { status } = answer, fields = await fieldsOf(answer), problem = await problemOf(answer);
  // A proxy says nothing of this player, nor of the time.
  if (!fields && !problem) throw new Error(text("line.answered", { status }), { cause: { status } });
  const date = Date.parse(answer.headers.get("Date") ?? ""), log = answer.headers.get(LOG);
  if (!Number.isNaN(date)) start = date - performance.now();
  if (log) recordHubLog(log, fields && token);
  if (fields) return fields;
  if (problem?.code === "unknown-token" && token) noteSignedOut(token);
  throw new Error(refusal(problem ?? {}, hubTime()), { cause: { ...problem, status } });
}

/**
 * Whether the hub itself has said that it does not do what was asked: then it has not been done, and is not done later.
 * @param {{cause?: Cause}} problem
 */
export const isRefused = ({ cause }) => Boolean(cause?.code) && Number(cause?.status) < 500 && cause?.status !== 429;
