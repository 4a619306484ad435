// @ts-check

// Runs before anything is drawn, so that nobody who has chosen dark sees a flash of white; `views/appearance.js` says the
// same of colours later on. It names the page that the address stands for, and brings in its modules, style sheets and
// data, which `main.js` would ask for only when it runs: the one script of the page that is no module, since those wait.
try {
  const chosen = JSON.parse(localStorage.getItem("flipside.settings") ?? "{}") ?? {};
  const { dataset } = document.documentElement;
  if (chosen.colours === "light" || chosen.colours === "dark") dataset.colours = chosen.colours;
  if (chosen.still === true) dataset.still = "true";
} catch { /* Nothing is kept here, or nothing that can be read: it looks as the system wishes. */ }

// As in `views/boards.js`.
const boards = ["memory-board", "reversi-board"];
const places = {
  room: { modules: ["room"], styles: ["room", "room-bar", "players", ...boards] },
  replay: { modules: ["replay"], styles: ["room", "players", ...boards, "replay"] },
  "": { modules: ["hash-pages", "home"], styles: ["game-fields", "home"] },
};
const [, place, code] = location.pathname.split("/"), isKnown = code && Object.hasOwn(places, place);
document.documentElement.dataset.page = isKnown ? place : "home";
const { modules, styles } = places[/** @type {keyof typeof places} */ (isKnown ? place : "")];
// What cannot be had now is asked for once more by `main.js`, which says so.
for (const name of modules) import(`/pages/${name}.js`).catch(() => {});
// As `games/log.js` and `pages/replay.js` ask for them, which then have them at once.
for (const path of place === "replay" && isKnown ? ["", "/log?after=0"] : []) {
  document.head.append(Object.assign(document.createElement("link"),
    { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `/api/rooms/${code.toLowerCase()}${path}` }));
}
for (const name of styles) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/styles/${name}.css` });
  // `main.js` shows nothing of the page before each of them holds, or cannot be had.
  link.dataset.settled = "false";
  link.onload = link.onerror = () => { link.dataset.settled = "true"; };
  document.head.append(link);
}
