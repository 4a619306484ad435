// @ts-check
import { games } from "../games/list.js";
import { roomAmong, watchRooms } from "../net/open-rooms.js";
import { codesIn } from "../net/room-code.js";
import { followIdentity, identity, roomAddress } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { roomList } from "../views/room-list.js";
import { element, input } from "./elements.js";
import { asSomebody, playAlone, playComputer, playFriends, playQuick } from "./quick-play.js";
import { setUp } from "./set-up.js";

/**
 * @typedef {import("../store/identity.js").Player} Player
 * @typedef {(player: Player) => Promise<string>} Act leads to the address of a room
 */

/**
 * The first page: play at once, open a room, join one, see which are open.
 * @param {(text: string, kind?: string) => void} toast
 */
export function homePage(toast) {
  const act = oneAtATime(toast);
  playForm(act);
  joinForm();
  const parts = { empty: element("no-rooms"), more: element("more-rooms"), template: element("room-template") };
  const drawRooms = roomList(element("rooms"), parts);
  followIdentity(drawName);
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
  element("as").hidden = !name;
  element("playing-as").textContent = name ? text("home.playing-as", { name }) : "";
}

/**
 * Runs what leads to a room, and goes there. While it runs, no button of the page starts anything else.
 * @param {(text: string, kind?: string) => void} toast
 */
function oneAtATime(toast) {
  const root = element("home");
  const busy = (/** @type {boolean} */ isBusy) => {
    root.dataset.busy = String(isBusy);
    for (const button of root.querySelectorAll("[data-opens]")) button.toggleAttribute("disabled", isBusy);
  };
  // Back from a room, the browser may show the page as it was left.
  addEventListener("pageshow", () => busy(false));
  return async (/** @type {Act} */ act) => {
    busy(true);
    try {
      const address = await asSomebody(act, toast);
      if (address) return location.assign(address);
    } catch (error) { toast(error.message, "bad"); }
    busy(false);
    drawName();
  };
}

function playForm(/** @type {(act: Act) => void} */ act) {
  const form = element("play-form"), choices = element("play-games");
  choices.replaceChildren(...Object.entries(games).map(([name, { title }], index) => {
    const label = document.createElement("label"), words = document.createElement("span");
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "play", value: name });
    radio.defaultChecked = index === 0;
    words.textContent = text(title);
    label.append(radio, words);
    return label;
  }));
  const game = () => input(form, "play").value, choice = setUp(game);
  const drawAlone = () => { element("alone").hidden = games[game()].seats[0] > 1; };
  form.addEventListener("change", drawAlone);
  drawAlone();
  /** @type {Record<string, Act>} to the code of a room */
  const plays = {
    quick: (player) => playQuick(player, game()),
    friends: (player) => playFriends(player, game(), element("by-link").checked ? "unlisted" : "public"),
    alone: (player) => playAlone(player, choice()),
    computer: (player) => playComputer(player, choice()),
  };
  for (const [id, play] of Object.entries(plays)) {
    const search = id === "quick" ? "?quick" : "";
    element(id).addEventListener("click", () => act(async (player) => roomAddress(await play(player), search)));
  }
  form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
}

function joinForm() {
  const form = element("join-form"), field = input(form, "code"), problem = element("join-problem");
  field.addEventListener("input", () => { problem.textContent = ""; });
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { codes, ...why } = codesIn(field.value), [first] = codes;
    problem.textContent = first ? "" : whyNoCode(why);
    const code = first && await roomAmong(codes).catch(() => first);
    if (code) return location.assign(roomAddress(code));
    if (first) problem.textContent = text("join.no-room", { code: first });
    field.focus();
  });
  // A field of one line drops line breaks, and with them where a link or a word ends.
  field.addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
    const pasted = event.clipboardData?.getData("text").trim() ?? "";
    if (!/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    field.value = pasted.replace(/\s+/g, " ");
  });
}

/** @param {Omit<ReturnType<typeof codesIn>, "codes">} why */
function whyNoCode({ problem, sign: character }) {
  if (problem === "link") return text("join.link");
  return problem === "sign" ? text("join.sign", { character }) : text("join.length");
}
