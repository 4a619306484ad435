// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { changeName, forget, identity, register } from "../../../web/store/identity.js";

/** A hub that keeps letters of full width as plain ones, as the real one does. */
const players = /** @type {Map<string, {id: string, name: string}>} */ (new Map());
let asked = /** @type {string[]} */ ([]);

/** @param {{name: string, token: string}} body @returns {[number, object]} */
function registered({ name, token }) {
  const kept = name.normalize("NFKC"), bearer = players.get(token);
  if (bearer) return bearer.name === kept ? [200, bearer] : [409, { code: "token-has-name" }];
  if ([...players.values()].some((player) => player.name === kept)) return [409, { code: "name-taken" }];
  players.set(token, { id: `id of ${kept}`, name: kept });
  return [201, players.get(token) ?? {}];
}

const storage = new Map();
const stands = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, value });
stands("localStorage", {
  getItem: (key) => storage.get(key) ?? null,
  setItem: (key, value) => void storage.set(key, value),
  removeItem: (key) => void storage.delete(key),
});
stands("fetch", async (path, { method, body, headers }) => {
  asked.push(method);
  if (method === "DELETE") players.delete(headers.Authorization.slice("Bearer ".length));
  const [status, fields] = method === "DELETE" ? [204, {}] : registered(JSON.parse(body));
  return { ok: status < 400, status, json: async () => fields };
});

describe("A name", () => {
  beforeEach(() => {
    forget();
    players.clear();
    asked = [];
  });

  test("that the hub keeps otherwise than it was typed is still one's own when it is typed again", async () => {
    const player = await register("Ａｎｎ");
    assert.equal(player.name, "Ann");
    assert.deepEqual(await register("Ａｎｎ"), player);
    assert.deepEqual(await changeName(" Ａｎｎ "), player);
    assert.deepEqual(identity(), player);
    assert.equal(asked.includes("DELETE"), false, "one's own name is not given up");
    assert.equal(players.size, 1);
  });

  test("that one bears as it was typed is not asked for again", async () => {
    const player = await register("Ann");
    assert.deepEqual(await register(" Ann "), player);
    assert.deepEqual(asked, ["POST"]);
  });

  test("of somebody else is refused, and one's own stays", async () => {
    await register("Ben");
    forget();
    const player = await register("Ann");
    await assert.rejects(changeName("Ben"), /has this name|looks like/);
    assert.deepEqual(identity(), player);
  });

  test("that is changed is given up", async () => {
    await register("Ann");
    assert.equal((await changeName("Cy")).name, "Cy");
    assert.deepEqual([...players.values()].map(({ name }) => name), ["Cy"]);
  });
});
