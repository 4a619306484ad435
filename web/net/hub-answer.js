// @ts-check

/**
 * Tells the hub's answers from those of a proxy in between. A proxy may answer with any status, which only means that
 * the hub did not hear the request.
 */

const PROBLEM = "application/problem+json";
const JSON_TYPE = "application/json";
/** The header in which each answer of the hub's API names its log. */
export const LOG = "X-Flipside-Log";

/**
 * The hub's problem, if it refuses; null if the hub did not send this answer.
 * @param {Response} answer
 * @returns {Promise<(Record<string, any> & {code: string}) | null>}
 */
export async function problemOf(answer) {
  if (answer.ok) return null;
  const fields = await fieldsAs(PROBLEM, answer);
  return typeof fields?.code === "string" ? fields : null;
}

/**
 * The hub's fields, if it agrees; null if the hub did not send this answer.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function fieldsOf(answer) {
  if (!answer.ok) return null;
  if (answer.status !== 204) return fieldsAs(JSON_TYPE, answer);
  // Nothing else in an answer without a body shows that it is the hub's.
  return answer.headers.has(LOG) ? {} : null;
}

/**
 * Whether the answer has this content type.
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
