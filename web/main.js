// @ts-check
import { RoomConnection } from "./connection.js";
import { fold, games } from "./games/room.js";
import { identity, proposeName, register } from "./identity.js";
import { roomList } from "./views/home.js";
import { memoryBoard } from "./views/memory-board.js";
import { ending, nameOfSeat, playerList, situation } from "./views/room.js";

/** @param {string} id @returns {any} */
const element = (id) => document.getElementById(id);

const world = {
  socket: (url, protocol) => new WebSocket(url, protocol),
  later: (act, ms) => setTimeout(act, ms), cancel: (timer) => clearTimeout(timer),
  now: () => Date.now(), random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
};

let toastTimer;
function toast(text) {
  element("toast").textContent = text;
  element("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element("toast").hidden = true; }, 4000);
}

// MARK: Home

/** What the board's buttons mean, where no preset of the hub's is meant. */
const BOARDS = { large: { columns: 6, rows: 6 } };

function showHome() {
  element("home").hidden = false;
  const form = element("open-form");
  form.elements.name.value = identity()?.name ?? proposeName();
  const draw = roomList(element("rooms"), element("no-rooms"), element("room-template"));
  const refresh = async () => {
    if (document.hidden) return;
    try { draw((await (await fetch("/api/rooms")).json()).rooms ?? []); } catch { /* the list shows what it last knew */ }
  };
  refresh();
  setInterval(refresh, 5000);
  document.addEventListener("visibilitychange", refresh);
  form.addEventListener("submit", (event) => { event.preventDefault(); openRoom(form); });
  element("join-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = event.target.elements.code.value.trim().toLowerCase();
    location.href = `/room/${encodeURIComponent(text.split("/").pop())}`;
  });
}

async function openRoom(form) {
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const player = await register(form.elements.name.value);
    const { preset, theme, turnTime, unlisted } = form.elements;
    const options = { ...(BOARDS[preset.value] ?? { preset: preset.value }), theme: theme.value, turnTime: Number(turnTime.value) };
    const answer = await fetch("/api/rooms", {
      method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${player.token}` },
      body: JSON.stringify({ game: "memory", options, visibility: unlisted.checked ? "unlisted" : "public" }),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail);
    location.href = `/room/${body.code}`;
  } catch (error) {
    toast(error.message);
    button.disabled = false;
  }
}

// MARK: Room

async function showRoom(code) {
  const answer = await fetch(`/api/rooms/${encodeURIComponent(code)}`).catch(() => null);
  if (answer?.status === 404) {
    element("lost").hidden = false;
    return;
  }
  element("room").hidden = false;
  document.title = `Room ${code} · Flipside`;
  element("link").textContent = location.href;
  element("name-form").elements.name.value = proposeName();

  let state = null;
  let clockOffset = 0;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const line = new RoomConnection(`${scheme}//${location.host}/ws/rooms/${encodeURIComponent(code)}`, identity()?.token ?? null, {
    state: drawLine,
    message(message) {
      if (typeof message.now === "number") clockOffset = message.now - Date.now();
      const before = state;
      state = fold(state, message);
      if (state && state !== before) draw();
      if (message.type === "notice") toast(message.message);
      if (message.type === "error" && message.id === undefined) toast(message.message);
      announce(message);
    },
  }, world);

  const flip = async (cell) => {
    if (state?.room.status !== "running" || state.you.seat === undefined) return;
    refused(await line.command("flip", { cell }));
  };
  const views = [
    playerList(element("players"), element("player-template")),
    ending(element("end"), element("end-title"), element("places")),
    drawActions,
  ];
  const drawBoard = memoryBoard(element("board"), element("card-template"), flip);

  function draw() {
    for (const view of views) view(state);
    element("say").textContent = situation(state);
    element("watching").textContent = watching(state.presence.spectators);
    element("board").hidden = !state.view;
    if (state.view) {
      const mayFlip = state.room.status === "running" && state.view.turn === state.you.seat;
      drawBoard({ view: state.view, number: state.room.gameNumber, mayFlip });
      element("room").dataset.mine = String(mayFlip);
    }
    element("waiting").hidden = state.room.status !== "waiting";
    drawClock();
  }

  /** The turn's time, by the hub's clock. */
  function drawClock() {
    const view = state?.view;
    const total = (view?.options.turnTime ?? 0) * 1000;
    const runs = state?.room.status === "running" && view?.deadline !== undefined && total > 0;
    element("clock").hidden = !runs;
    if (!runs) return;
    const left = Math.max(0, view.deadline - (Date.now() + clockOffset));
    const bar = element("clock").firstElementChild;
    bar.style.setProperty("--left", String(Math.min(1, left / total)));
    element("clock").classList.toggle("short", left < 5000);
    element("clock").setAttribute("aria-label", `${Math.ceil(left / 1000)} seconds left`);
  }
  setInterval(drawClock, 200);

  function announce(message) {
    if (!state?.view || typeof message.t !== "number") return;
    const text = games[state.room.game]?.sentence(message, (seat) => nameOfSeat(state, seat));
    if (text) element("announcer").textContent = text;
  }

  const buttons = {
    sit: () => line.command("sit"), start: () => line.command("start"), again: () => line.command("again"),
    leave: () => line.command("leave"), here: () => line.command("here"),
  };
  for (const [id, act] of Object.entries(buttons)) element(id).addEventListener("click", async () => refused(await act()));
  element("share").addEventListener("click", share);
  element("name-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const player = await register(event.target.elements.name.value);
      line.greet(player.token);
    } catch (error) { toast(error.message); }
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) line.check(); });
  addEventListener("pageshow", () => line.check());
  addEventListener("online", () => line.check());
}

function drawActions({ room, you, view }) {
  const isOpen = room.status !== "closed", isRunning = room.status === "running";
  const isSeated = you.seat !== undefined;
  const seated = room.seats.filter(({ player }) => player).length;
  element("name-form").hidden = Boolean(you.player) || !isOpen;
  element("sit").hidden = !you.player || isSeated || !isOpen || seated === room.seats.length;
  element("start").hidden = !(isOpen && you.isHost && room.status === "waiting" && seated > 0);
  element("again").hidden = !(isOpen && you.isHost && room.status === "ended" && seated > 0);
  element("here").hidden = !(isRunning && view?.away.includes(you.seat));
  element("leave").hidden = !isSeated || !isOpen;
  element("share").hidden = !isOpen;
}

const watching = (count) => (count === 0 ? "" : count === 1 ? "1 person watches" : `${count} people watch`);

function refused(answer) { if (answer?.type === "error") toast(answer.message); }

const LINES = { connecting: "Connecting…", open: "", lost: "The line is down. Trying again…" };
let hasBeenOpen = false;

function drawLine(state) {
  hasBeenOpen ||= state === "open";
  // The first moments need no words.
  element("line").hidden = state === "open" || (!hasBeenOpen && state === "connecting");
  element("line").textContent = hasBeenOpen && state === "connecting" ? "The line is down. Trying again…" : LINES[state];
}

async function share() {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ title: "Flipside", url: location.href });
    await navigator.clipboard.writeText(location.href);
    toast("The link is copied: send it to your friends.");
  } catch (error) {
    // Without clipboard (plain http in a local network) the link is there to be marked.
    if (error.name !== "AbortError") toast(`Send this link: ${location.href}`);
  }
}

const [, place, code] = location.pathname.split("/");
if ((place === "room" || place === "replay") && code) showRoom(decodeURIComponent(code).toLowerCase());
else showHome();
