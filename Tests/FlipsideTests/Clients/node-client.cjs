// What the Node clients share: HTTP, and the page's own fold.
"use strict";
const { cpSync, mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
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

/** The page's modules as Node takes them: beside a word that they are ES modules. */
async function pageFold(web) {
  const folder = mkdtempSync(join(tmpdir(), "flipside-web-"));
  try {
    cpSync(web, folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    return (await import(pathToFileURL(join(folder, "games", "room.js")))).fold;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

module.exports = { pageFold, poster };
