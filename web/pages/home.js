// @ts-check
import { identity, openRoom, proposeName, register } from "../identity.js";
import { gameFields } from "../views/game-fields.js";
import { roomList } from "../views/room-list.js";
import { element, gameTemplates, input } from "./elements.js";

/** How often the list of rooms is asked for while somebody looks at it, in ms. */
const REFRESH_EVERY = 4_000;

/**
 * Wires the page of `/`: open a room, join one, see which are open.
 * @param {(text: string, kind?: string) => void} toast
 */
export function showHome(toast) {
  element("home").hidden = false;
  openForm(toast);
  joinForm();
  keepListFresh();
}

function openForm(toast) {
  const form = element("open-form");
  const fields = gameFields(form.querySelector(".game-fields"), gameTemplates());
  fields.draw();
  input(form, "name").value = identity()?.name ?? proposeName();
  const button = form.querySelector("[type=submit]");
  // Back from a room, the browser may show the page as it was left.
  addEventListener("pageshow", () => { button.disabled = false; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const player = await register(input(form, "name").value);
      const visibility = input(form, "visibility").value;
      const room = await openRoom(player, { ...fields.read(), visibility });
      location.assign(`/room/${room.code}`);
    } catch (error) {
      toast(error.message, "bad");
      button.disabled = false;
      input(form, "name").focus();
    }
  });
}

function joinForm() {
  const form = element("join-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // A code, or the whole link that somebody sent.
    const path = input(form, "code").value.trim().toLowerCase().replace(/[?#].*$/, "");
    const code = path.split("/").filter(Boolean).at(-1);
    if (code) location.assign(`/room/${encodeURIComponent(code)}`);
  });
}

function keepListFresh() {
  const draw = roomList(element("rooms"), element("no-rooms"), element("room-template"));
  let last = "";
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch("/api/rooms");
      const text = answer.ok ? await answer.text() : last;
      if (text !== last) draw(JSON.parse(text).rooms);
      last = text;
    } catch { /* The list shows what it last knew; the next try is seconds away. */ }
  };
  refresh();
  setInterval(refresh, REFRESH_EVERY);
  document.addEventListener("visibilitychange", refresh);
  addEventListener("focus", refresh);
}
