// @ts-check
import { refusal, text } from "../texts/texts.js";
import { fieldsOf, LOG, problemOf } from "../net/hub-answer.js";
import { noteSignedOut, recordHubLog } from "./identity.js";

/**
 * Why the hub refused, as in problem+json, besides the reason for people: the `cause` of an error from `send`. It has
 * no code if something other than the hub answered. An error without any answer has no cause.
 * @typedef {{code?: string, status: number, name?: string}} Cause
 */

/** Not `Authorization`: a proxy that asks for a password uses that. */
const TOKEN = "X-Flipside-Token";

/** The hub's clock when this page started, in ms since 1970, from its latest answer: to the second. */
let start = performance.timeOrigin;

/** The hub's time: a browser's clock may be minutes off, which matters for what lasts minutes. */
export const hubTime = () => start + performance.now();

/**
 * Sends a request to the hub's HTTP API, with `token` if given; returns the answer's fields. Throws the reason as an
 * `Error` for people.
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
  // A proxy's answer says nothing about the player or the time.
  if (!fields && !problem) throw new Error(text("line.answered", { status }), { cause: { status } });
  const date = Date.parse(answer.headers.get("Date") ?? ""), log = answer.headers.get(LOG);
  if (!Number.isNaN(date)) start = date - performance.now();
  if (log) recordHubLog(log, fields && token);
  if (fields) return fields;
  if (problem?.code === "unknown-token" && token) noteSignedOut(token);
  throw new Error(refusal(problem ?? {}, hubTime()), { cause: { ...problem, status } });
}

/**
 * Whether the hub itself refused: then the request was not executed, and never will be.
 * @param {{cause?: Cause}} problem
 */
export const isRefused = ({ cause }) => Boolean(cause?.code) && Number(cause?.status) < 500 && cause?.status !== 429;
