// @ts-check

// Runs before anything is drawn, so that a viewer who has chosen dark never sees a white flash; `views/appearance.js`
// sets the same colours later. It also names the page that the address stands for. This is the page's only script that
// is not a module, since modules wait.
try {
  const chosen = JSON.parse(localStorage.getItem("flipside.settings") ?? "{}") ?? {};
  const { dataset } = document.documentElement;
  if (chosen.colours === "light" || chosen.colours === "dark") dataset.colours = chosen.colours;
  if (chosen.still === true) dataset.still = "true";
} catch { /* Nothing is stored, or nothing readable: the system's settings apply. */ }

const [, place, code, ...rest] = location.pathname.split("/");
const isOfRoom = (place === "room" || place === "replay") && code && rest.join("") === "";
document.documentElement.dataset.page =
  isOfRoom ? place : ["/", "/index.html"].includes(location.pathname) ? "home" : "nowhere";
