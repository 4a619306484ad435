// @ts-check

/** Who this browser is: a name and the token that proves it, kept in the browser alone. */
const KEY = "flipside.player";

/** @returns {{id: string, name: string, token: string} | null} */
export function identity() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "null"); } catch { return null; }
}

/** Registers `name`, unless this browser bears it already. Throws the reason as an `Error` for people. */
export async function register(name) {
  const known = identity();
  if (known && known.name === name.trim()) return known;
  const token = drawToken();
  const answer = await fetch("/api/players", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, token }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  const player = { ...body, token };
  localStorage.setItem(KEY, JSON.stringify(player));
  return player;
}

/** 32 random bytes in base64url. `crypto.subtle` is not there on plain http; this is. */
function drawToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const FIRST = ["Swift", "Clever", "Quiet", "Bright", "Lucky", "Merry", "Bold", "Gentle"];
const SECOND = ["Fox", "Otter", "Owl", "Panda", "Robin", "Badger", "Lynx", "Whale"];

/** A name that is probably free. */
export function proposeName() {
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  return `${pick(FIRST)} ${pick(SECOND)} ${Math.floor(Math.random() * 900) + 100}`;
}
