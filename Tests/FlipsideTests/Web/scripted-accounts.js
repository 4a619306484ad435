// @ts-check
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { storage } from "./scripted-storage.js";
import { drawLinkCode, takeName } from "../../../web/store/account.js";
import { adopt, followIdentity, forget, identity } from "../../../web/store/identity.js";
import { dropPlayer, savedPlayers } from "../../../web/store/saved-players.js";

/** A hub that turns full-width letters into plain ones, as the real one does. An account's devices are its tokens. */
export const hub = {
  accounts: /** @type {{id: string, name: string, tokens: string[], hasRecovery: boolean}[]} */ ([]),
  /** The codes and their makers: each works once. */
  codes: /** @type {Map<string, {id: string, by: string}>} */ (new Map()),
  asked: /** @type {string[]} */ ([]),
  /** The id of its log. */
  log: "log-1",
  /** What happens to the next answer; a status is a proxy's, which has not asked the hub. */
  line: /** @type {"given" | "lost" | number} */ ("given"),
  /** By method, the status with which a proxy answers without asking the hub. */
  proxied: /** @type {Record<string, number>} */ ({}),
  /** What happens in the browser's other pages before the next answer. */
  meanwhile() {},
};
/** What followers of the browser's identity received. */
export const told = /** @type {string[]} */ ([]);
/** The hub's clock, which the browser's may differ from by far. */
const clock = new Date(60_000);

Object.defineProperty(globalThis, "fetch", {
  value: (path, { method, headers, body }) => answer(method, path, headers["X-Flipside-Token"], body),
});
followIdentity((player, how) => told.push(`${player?.name} ${how}`));

/** Before each test everything is new, and this browser has no player. */
beforeEach(() => {
  storage.isOff = false;
  storage.ofTheTab.clear();
  become(null);
  for (const { token } of savedPlayers()) dropPlayer(token);
  hub.accounts = [];
  hub.codes.clear();
  hub.asked = [];
  hub.log = "log-1";
  hub.proxied = {};
  told.length = 0;
});

/** A code for another device of this browser's player. */
export const linkCode = async () => (await drawLinkCode()).code;

/** Makes this browser `player`, no matter who it was; null means no player. */
export function become(player) {
  const now = identity();
  if (player) adopt(player, now?.token ?? null);
  else if (now) forget(now.token);
}

/** A player with a device elsewhere; this browser has no player. */
export async function elsewhere(name) {
  await takeName(name);
  const player = identity();
  assert.ok(player);
  become(null);
  return player;
}

/** The result of `make`, requested by `player` elsewhere. */
export async function as(player, make) {
  const before = identity();
  become(player);
  const made = await make();
  become(before);
  return made;
}

async function answer(method, path, token, body) {
  hub.asked.push(`${method} ${path}`);
  const line = hub.proxied[method] ?? hub.line, isLost = line === "lost";
  hub.line = "given";
  if (typeof line === "number") {
    const page = line === 204 ? null : "<h1>A proxy</h1>";
    return new Response(page, { status: line, headers: { "Content-Type": "text/html" } });
  }
  const [status, fields] = answered(method, path, token, body && JSON.parse(body));
  hub.meanwhile();
  hub.meanwhile = () => {};
  if (isLost) throw new TypeError("Failed to fetch");
  const type = status < 400 ? "application/json" : "application/problem+json";
  const headers = { Date: clock.toUTCString(), "X-Flipside-Log": hub.log, "Content-Type": type };
  return new Response(status === 204 ? null : JSON.stringify(fields), { status, headers });
}

/** @returns {[number, any]} */
function answered(method, path, token, body) {
  const own = hub.accounts.find(({ tokens }) => tokens.includes(token ?? body?.token));
  if (path === "/api/players") return registered(own, body);
  if (path === "/api/players/devices") return added(own, body);
  if (path === "/api/rooms") return [200, { rooms: [] }];
  if (!own) return [403, { code: "unknown-token" }];
  const [, , , , what, device] = path.split("/");
  if (what === "name") return renamed(own, body.name.normalize("NFKC"));
  if (what === "devices") return revoked(own, device);
  if (what?.endsWith("-code")) return [201, { code: codeOf(own, what.slice(0, -5)), until: clock.getTime() + 600_000 }];
  if (method === "DELETE") hub.accounts = hub.accounts.filter((one) => one !== own);
  return method === "DELETE" ? [204, {}] : [200, shown(own, token)];
}

function registered(own, { name, token }) {
  const kept = name.normalize("NFKC");
  if (own) return own.name === kept ? [200, own] : [409, { code: "token-has-name" }];
  if (hub.accounts.some((one) => one.name === kept)) return [409, { code: "name-taken" }];
  hub.accounts.push({ id: `id of ${kept}`, name: kept, tokens: [token], hasRecovery: false });
  return [201, { id: `id of ${kept}`, name: kept }];
}

function added(own, { code, token }) {
  const { id, by } = hub.codes.get(code) ?? {}, other = hub.accounts.find((one) => one.id === id);
  if (!other) return own?.lastCode === code ? [200, { ...own, by: "link" }] : [404, { code: "unknown-code" }];
  if (own && own !== other) return [409, { code: "token-has-name", name: other.name }];
  if (!own) other.tokens.push(token);
  hub.codes.delete(code);
  Object.assign(other, { lastCode: code, hasRecovery: other.hasRecovery && by !== "recovery" });
  return [201, { id: other.id, name: other.name, by }];
}

function renamed(own, name) {
  if (hub.accounts.some((one) => one !== own && one.name === name)) return [409, { code: "name-taken" }];
  own.name = name;
  return [200, { id: own.id, name }];
}

function revoked(own, device) {
  if (!own.tokens.includes(device)) return [404, { code: "no-such-device" }];
  if (own.tokens.length === 1 && !own.hasRecovery) return [409, { code: "last-device" }];
  own.tokens = own.tokens.filter((one) => one !== device);
  return [204, {}];
}

const shown = ({ id, name, tokens, hasRecovery }, token) => ({
  id, name, recoveryCode: hasRecovery,
  devices: tokens.map((one) => ({ id: one, label: "", since: 0, ...(one === token && { current: true }) })),
});

function codeOf(own, by) {
  const code = `${hub.codes.size}`.padStart(32, "Z");
  hub.codes.set(code, { id: own.id, by });
  own.hasRecovery ||= by === "recovery";
  return code;
}
