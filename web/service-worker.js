// @ts-check

/**
 * What of a service worker's own this one uses: the types of a page do not have it.
 * @typedef {{waitUntil: (work: Promise<unknown>) => void}} LifeEvent
 * @typedef {LifeEvent & {request: Request, clientId: string, resultingClientId: string,
 *   respondWith: (answer: Promise<Response>) => void}} FetchEvent
 * @typedef {Object} ServiceWorkerItself
 * @property {(type: string, act: (event: FetchEvent) => void) => void} addEventListener
 * @property {Location} location
 * @property {() => Promise<void>} skipWaiting
 * @property {{claim: () => Promise<void>, get: (id: string) => Promise<object | undefined>}} clients
 */

/**
 * Opens the page where there is no line. With a line everything comes from the hub; without one a page comes from what
 * was kept, and so do all of its files, also when the line is back by then: never some of one state of the hub and some
 * of another. What is kept is all of the hub's files as its list has them, or nothing.
 */
const worker = /** @type {ServiceWorkerItself} */ (/** @type {unknown} */ (self));
/** The hub's list of its files, each with the beginning of its SHA-256; kept last, so that it says "whole". */
const LIST = "/files.json";
const PAGE = "/index.html";
const KEPT = "kept-";
/** Pages that were opened from what is kept, by their id: they outlive this worker, which may be started anew. */
const OPENED = "opened";
/** A line that says nothing for so long is none, in ms. */
const ANSWER_TIMEOUT = 8_000;
/**
 * Pages that have come from the hub: their files need no look-up.
 * @type {Set<string>}
 */
const fromHub = new Set();
/** Most of them remembered; any other is looked up. */
const REMEMBERED_LIMIT = 64;

worker.addEventListener("install", (event) => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  const isOfHub = pathname.startsWith("/api/") || pathname.startsWith("/ws/") || pathname === LIST;
  if (request.method !== "GET" || origin !== worker.location.origin || isOfHub) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (clientId && !fromHub.has(clientId)) event.respondWith(fileFor(clientId, request));
});

/** A page: from the hub, or else from what is kept, and with none of either whatever was answered. */
async function openPage(/** @type {FetchEvent} */ event) {
  const answer = await Promise.race([fetch(event.request).catch(() => null), later(ANSWER_TIMEOUT)]);
  if (answer && !isOfProxy(answer)) {
    if (fromHub.size >= REMEMBERED_LIMIT) fromHub.clear();
    fromHub.add(event.resultingClientId);
    // Where this fails, what was kept before is whole.
    event.waitUntil(keep().catch(() => {}));
    return answer;
  }
  const name = await newest();
  const page = name && await (await caches.open(name)).match(PAGE);
  if (!page) return answer ?? fetch(event.request);
  await (await caches.open(OPENED)).put(mark(event.resultingClientId), new Response(name));
  return page;
}

/** Whether what stands before the hub says that the hub is away: the hub itself would say so as a problem. */
const isOfProxy = (/** @type {Response} */ { status, headers }) =>
  status >= 500 && !headers.get("Content-Type")?.startsWith("application/problem+json");

/** A page's file: from where the page itself came. */
async function fileFor(/** @type {string} */ client, /** @type {Request} */ request) {
  const opened = await (await caches.open(OPENED)).match(mark(client));
  const kept = opened && await (await caches.open(await opened.text())).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

/** Keeps the hub's files as they are now, unless they are kept already. */
async function keep() {
  const list = await (await fetch(LIST)).text(), files = JSON.parse(list);
  // What is kept goes for the hub's list alone, not for what something else answers.
  if (!Object.hasOwn(files, PAGE)) throw new Error(`${LIST} is not the hub's`);
  const name = KEPT + await digest(new TextEncoder().encode(list));
  const cache = await caches.open(name);
  if (await cache.match(LIST)) return;
  await Promise.all(Object.entries(files).map(async ([path, wanted]) => {
    const answer = await fetch(path);
    const found = await digest(await answer.clone().arrayBuffer());
    if (found !== wanted) throw new Error(`${path} changed meanwhile`);
    await cache.put(path, answer);
  }));
  await cache.put(LIST, new Response(list));
  await sweep(name);
}

/**
 * Drops what was kept before, but for pages that still live on it.
 * @param {string} newest
 */
async function sweep(newest) {
  const opened = await caches.open(OPENED);
  const inUse = new Set([newest, OPENED]);
  for (const request of await opened.keys()) {
    const client = new URL(request.url).pathname.slice(1);
    if (await worker.clients.get(client)) inUse.add(await (await opened.match(request))?.text() ?? "");
    else await opened.delete(request);
  }
  for (const name of await caches.keys()) if (!inUse.has(name)) await caches.delete(name);
}

/** The name of what was kept last and is whole. */
async function newest() {
  for (const name of (await caches.keys()).reverse()) {
    if (name.startsWith(KEPT) && await (await caches.open(name)).match(LIST)) return name;
  }
  return undefined;
}

/** @param {string} client */
const mark = (client) => `/${client}`;

/**
 * @param {number} ms
 * @returns {Promise<null>}
 */
const later = (ms) => new Promise((done) => { setTimeout(() => done(null), ms); });

/**
 * The first 16 bytes of the SHA-256, in hex, as in the list.
 * @param {BufferSource} bytes
 */
async function digest(bytes) {
  const all = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...all.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
