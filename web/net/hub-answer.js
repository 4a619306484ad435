// @ts-check

/**
 * What tells an answer of the hub's from one of what stands between: a proxy may answer with any status, and
 * nothing follows from that but that the hub was not heard.
 */

const PROBLEM = "application/problem+json";
const JSON_TYPE = "application/json";
/** In which each answer of the hub's API says which log it has. */
export const LOG = "X-Flipside-Log";

/**
 * What the hub refuses; null where it is not the hub's word.
 * @param {Response} answer
 * @returns {Promise<(Record<string, any> & {code: string}) | null>}
 */
export async function problemOf(answer) {
  if (answer.ok) return null;
  const fields = await fieldsAs(PROBLEM, answer);
  return typeof fields?.code === "string" ? fields : null;
}

/**
 * What the hub grants; null where it is not the hub's word.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function fieldsOf(answer) {
  if (!answer.ok) return null;
  if (answer.status !== 204) return fieldsAs(JSON_TYPE, answer);
  // An answer without a body has nothing else to tell that it is the hub's.
  return answer.headers.has(LOG) ? {} : null;
}

/**
 * Whether the answer says that it is of this type.
 * @param {Response} answer
 * @param {string} type
 */
export const isOfType = ({ headers }, type) => (headers.get("Content-Type") ?? "").split(";")[0].trim() === type;

/**
 * @param {string} type
 * @param {Response} answer
 */
async function fieldsAs(type, answer) {
  const fields = isOfType(answer, type) ? await answer.json().catch(() => null) : null;
  return typeof fields === "object" ? fields : null;
}
