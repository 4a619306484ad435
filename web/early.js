// @ts-check

// Runs before anything is drawn, so that nobody who has chosen dark sees a flash of white, and asks for the modules of
// the page that the address names, which `main.js` would ask for only when it runs: the one script of the page that is
// no module, since those wait. `views/appearance.js` says the same of colours later on.
try {
  const chosen = JSON.parse(localStorage.getItem("flipside.settings") ?? "{}") ?? {};
  const { dataset } = document.documentElement;
  if (chosen.colours === "light" || chosen.colours === "dark") dataset.colours = chosen.colours;
  if (chosen.still === true) dataset.still = "true";
} catch { /* Nothing is kept here, or nothing that can be read: it looks as the system wishes. */ }

const place = location.pathname.split("/")[1];
for (const module of ["room", "replay"].includes(place) ? [place] : ["hash-pages", "home"]) {
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "modulepreload", href: `/pages/${module}.js` }));
}
