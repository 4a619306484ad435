// What the Node clients share: HTTP, and the page's own fold.
"use strict";
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const assert = require("node:assert");

/** Posts to the hub at `base`; the answer. */
const poster = (base) => async (path, body, token) => {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  assert(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
};

/** A module of the page. */
const pageModule = (web, path) => import(pathToFileURL(join(web, path)));

const pageFold = async (web) => (await pageModule(web, "games/room.js")).fold;

module.exports = { pageFold, pageModule, poster };
