// @ts-check

// Runs before anything is drawn, so that nobody who has chosen dark sees a flash of white; `views/appearance.js` says
// the same of colours later on. It names the page that the address stands for. The one script of the page that is no
// module, since those wait.
try {
  const chosen = JSON.parse(localStorage.getItem("flipside.settings") ?? "{}") ?? {};
  const { dataset } = document.documentElement;
  if (chosen.colours === "light" || chosen.colours === "dark") dataset.colours = chosen.colours;
  if (chosen.still === true) dataset.still = "true";
} catch { /* Nothing is kept here, or nothing that can be read: it looks as the system wishes. */ }

const [, place, code, ...rest] = location.pathname.split("/");
const isOfRoom = (place === "room" || place === "replay") && code && rest.join("") === "";
document.documentElement.dataset.page =
  isOfRoom ? place : ["/", "/index.html"].includes(location.pathname) ? "home" : "nowhere";
