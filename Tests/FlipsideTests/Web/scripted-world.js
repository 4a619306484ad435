// @ts-check

/** Clock, timers and sockets that move only when a test says so. */
export class ScriptedWorld {
  time = 1_000_000;
  /** Every socket that was ever opened, the newest last. */
  sockets = /** @type {ScriptedSocket[]} */ ([]);
  #timers = new Set();

  socket = (url, protocol) => {
    const socket = new ScriptedSocket(url, protocol);
    this.sockets.push(socket);
    return /** @type {any} */ (socket);
  };
  later = (act, ms) => {
    const timer = { act, at: this.time + ms };
    this.#timers.add(timer);
    return timer;
  };
  cancel = (timer) => { this.#timers.delete(timer); };
  now = () => this.time;
  random = () => 0.5;
  /** Whether a hub answers requests. */
  isHubThere = true;
  /** The requests that looked for it. */
  requests = /** @type {{at: number, isOpen: boolean}[]} */ ([]);
  reach = (_, found) => {
    const request = { at: this.time, isOpen: !this.isHubThere };
    this.requests.push(request);
    if (this.isHubThere) found();
    return () => { request.isOpen = false; };
  };

  /** The hub's problem with a request, and the requests it was asked about. */
  said = /** @type {{code: string, detail: string} | null} */ (null);
  asked = /** @type {string[]} */ ([]);
  problem = (url, told) => {
    this.asked.push(url);
    told(this.said);
    return () => {};
  };

  /** When each of them looked for the hub. */
  get looks() { return this.requests.map(({ at }) => at); }

  /** The newest socket. */
  get last() {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error("no socket has been asked for");
    return socket;
  }

  /** Lets `ms` pass; timers fire in order, at their times. */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.act();
    }
    this.time = end;
  }
}

class ScriptedSocket {
  readyState = 0;
  sent = /** @type {any[]} */ ([]);
  onopen = (_) => {};
  onmessage = (_) => {};
  onclose = (_) => {};

  constructor(url, protocol) {
    this.url = url;
    this.protocol = protocol;
  }

  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.readyState = 3; }

  /** What the hub and the network do. */
  open() {
    this.readyState = 1;
    this.onopen({});
  }
  say(message) { this.onmessage({ data: JSON.stringify(message) }); }
  drop(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }

  /** What was sent, of one type. */
  all(type) { return this.sent.filter((message) => message.type === type); }
}
