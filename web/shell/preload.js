// @ts-check

// Runs before anything is drawn, so that nobody who has chosen dark sees a flash of white; `views/appearance.js` says
// the same of colours later on. It names the page that the address stands for, and brings in its modules, style sheets
// and data, which `main.js` would ask for only when it runs: the one script of the page that is no module, since those
// wait.
try {
  const chosen = JSON.parse(localStorage.getItem("flipside.settings") ?? "{}") ?? {};
  const { dataset } = document.documentElement;
  if (chosen.colours === "light" || chosen.colours === "dark") dataset.colours = chosen.colours;
  if (chosen.still === true) dataset.still = "true";
} catch { /* Nothing is kept here, or nothing that can be read: it looks as the system wishes. */ }

const places = {
  room: { modules: ["pages/room"], styles: ["room", "room-bar", "players", "bubble"] },
  replay: { modules: ["pages/replay"], styles: ["room", "players", "replay"] },
  home: { modules: ["shell/router", "pages/home"], styles: ["game-fields", "home"] },
  nowhere: { modules: [], styles: [] },
};
const [, place, code, ...rest] = location.pathname.split("/");
const isOfRoom = (place === "room" || place === "replay") && code && rest.join("") === "";
const page = isOfRoom ? place : ["/", "/index.html"].includes(location.pathname) ? "home" : "nowhere";
document.documentElement.dataset.page = page;
const { modules, styles } = places[page];
// What cannot be had now is asked for once more by `main.js`, which says so.
for (const name of modules) import(`/${name}.js`).catch(() => {});
// As `net/room-log.js` and the pages ask for them, which then have them at once. A code that is written otherwise is
// read by `room-code.js` first.
const data = page === "replay" ? ["", "/log?after=0"] : page === "room" ? [""] : [];
for (const path of isOfRoom && /^[a-z0-9]+$/.test(code) ? data : []) {
  document.head.append(Object.assign(document.createElement("link"),
    { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `/api/rooms/${code}${path}` }));
}
for (const name of styles) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/styles/${name}.css` });
  // `main.js` shows nothing of the page before each of them holds, or cannot be had.
  link.dataset.settled = "false";
  link.onload = link.onerror = () => { link.dataset.settled = "true"; };
  document.head.append(link);
}
