// @ts-check

/**
 * What this service worker uses of its own global scope: the types of a page do not have it.
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
 * Opens the page without a network. With one, everything comes from the hub. Without one, a page comes from the cache,
 * and so do all of its files, even if the network is back: a page never mixes two versions of the hub's files. The
 * cache holds all of the files in the hub's list, or nothing.
 */
const worker = /** @type {ServiceWorkerItself} */ (/** @type {unknown} */ (self));
/** The hub's list of its files, each with the beginning of its SHA-256. It is cached last, so it means "complete". */
const LIST = "/files.json";
const PAGE = "/index.html";
const KEPT = "kept-";
/** Pages opened from the cache, by their id: they outlive this worker, which the browser may restart. */
const OPENED = "opened";
/** The network counts as absent after this long without an answer, in ms. */
const ANSWER_TIMEOUT = 8_000;
/**
 * Pages that came from the hub: their files need no look-up.
 * @type {Set<string>}
 */
const fromHub = new Set();
/** The most of them that are remembered; any other is looked up. */
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

/** A page: from the hub, else from the cache; if both fail, the answer it got. */
async function openPage(/** @type {FetchEvent} */ event) {
  const answer = await Promise.race([fetch(event.request).catch(() => null), later(ANSWER_TIMEOUT)]);
  if (answer && !isOfProxy(answer)) {
    if (fromHub.size >= REMEMBERED_LIMIT) fromHub.clear();
    fromHub.add(event.resultingClientId);
    // If this fails, the earlier cache is still complete.
    event.waitUntil(keep().catch(() => {}));
    return answer;
  }
  const name = await newest();
  const page = name && await (await caches.open(name)).match(PAGE);
  if (!page) return answer ?? fetch(event.request);
  await (await caches.open(OPENED)).put(mark(event.resultingClientId), new Response(name));
  return page;
}

/** Whether a proxy says that the hub is away: the hub itself would answer with a problem. */
const isOfProxy = (/** @type {Response} */ { status, headers }) =>
  status >= 500 && !headers.get("Content-Type")?.startsWith("application/problem+json");

/** A page's file, from where the page itself came. */
async function fileFor(/** @type {string} */ client, /** @type {Request} */ request) {
  const opened = await (await caches.open(OPENED)).match(mark(client));
  const kept = opened && await (await caches.open(await opened.text())).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

/** Caches the hub's current files, unless they are cached already. */
async function keep() {
  const list = await (await fetch(LIST)).text(), files = JSON.parse(list);
  // Only the hub's list may replace the cache, not what something else answers.
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
 * Deletes older caches, except those in use by open pages.
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

/** The name of the newest complete cache. */
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
