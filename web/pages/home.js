// @ts-check
import { optionsOf } from "../games/options.js";
import { games } from "../games/room.js";
import { identity, openRoom, roomAddress } from "../identity.js";
import { text } from "../texts.js";
import { gameFields } from "../views/game-fields.js";
import { roomList } from "../views/room-list.js";
import { element, gameTemplates, input } from "./elements.js";
import { asSomebody, playAlone, playComputer, playQuick } from "./playing.js";
import { watchRooms } from "./rooms.js";

/**
 * The first page: play at once, open a room, join one, see which are open.
 * @param {(text: string, kind?: string) => void} toast
 */
export function homePage(toast) {
  const act = oneAtATime(toast);
  playForm(act);
  openForm(act);
  joinForm();
  const parts = { empty: element("no-rooms"), more: element("more-rooms"), template: element("room-template") };
  const drawRooms = roomList(element("rooms"), parts);
  let watched = /** @type {ReturnType<typeof watchRooms> | null} */ (null);
  return {
    root: element("home"), title: "",
    enter() {
      drawName();
      watched = watchRooms(drawRooms);
    },
    leave() { watched?.leave(); },
  };
}

/** Says under which name somebody plays, once there is one. */
function drawName() {
  const name = identity()?.name;
  element("playing-as").hidden = !name;
  element("playing-as").textContent = name ? text("home.playing-as", { name }) : "";
}

/**
 * Runs what leads to a room's code, and goes there. While it runs, no button of the page starts anything else.
 * @param {(text: string, kind?: string) => void} toast
 */
function oneAtATime(toast) {
  const root = element("home");
  const busy = (isBusy) => {
    root.dataset.busy = String(isBusy);
    for (const button of root.querySelectorAll("[data-opens]")) button.toggleAttribute("disabled", isBusy);
  };
  // Back from a room, the browser may show the page as it was left.
  addEventListener("pageshow", () => busy(false));
  return async (act) => {
    busy(true);
    try {
      const code = await asSomebody(act);
      if (code) return location.assign(roomAddress(code));
    } catch (error) { toast(error.message, "bad"); }
    busy(false);
    drawName();
  };
}

function playForm(act) {
  const form = element("play-form"), choices = element("play-games");
  choices.replaceChildren(...Object.entries(games).map(([name, { title }], index) => {
    const label = document.createElement("label"), words = document.createElement("span");
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "play", value: name });
    radio.defaultChecked = index === 0;
    words.textContent = text(title);
    label.append(radio, words);
    return label;
  }));
  const game = () => input(form, "play").value;
  const drawAlone = () => { element("alone").hidden = games[game()].fewest > 1; };
  form.addEventListener("change", drawAlone);
  drawAlone();
  for (const [id, play] of Object.entries({ quick: playQuick, alone: playAlone, computer: playComputer })) {
    element(id).addEventListener("click", () => act((player) => play(player, game())));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
}

function openForm(act) {
  const form = element("open-form");
  const fields = gameFields(form.querySelector(".game-fields"), gameTemplates());
  fields.draw();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const visibility = input(form, "visibility").value;
    act(async (player) => (await openRoom(player, { ...optionsOf(fields.read()), visibility })).code);
  });
}

function joinForm() {
  const form = element("join-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // A code, or the whole link that somebody sent.
    const path = input(form, "code").value.trim().toLowerCase().replace(/[?#].*$/, "");
    const code = path.split("/").filter(Boolean).at(-1);
    if (code) location.assign(roomAddress(code));
  });
}
