// @ts-check

/**
 * The list of open rooms in `root`; draws any list given to the function it returns.
 * @param {HTMLElement} root
 * @param {HTMLElement} empty shown when there is none
 * @param {HTMLTemplateElement} template
 */
export function roomList(root, empty, template) {
  return function draw(rooms) {
    empty.hidden = rooms.length > 0;
    root.replaceChildren(...rooms.map((room) => {
      const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
      const link = /** @type {HTMLAnchorElement} */ (element.querySelector("a"));
      link.href = `/room/${room.code}`;
      text(element, ".code", room.code);
      text(element, ".what", describe(room.options));
      text(element, ".seats", `${room.seats.taken} of ${room.seats.all} · ${STATUS[room.status] ?? room.status}`);
      return element;
    }));
  };
}

const STATUS = { waiting: "waiting", running: "playing", ended: "between games" };

function describe(options) {
  const board = options.columns ? `${options.columns} × ${options.rows}` : options.preset ?? "classic";
  return `Memory · ${board}${options.theme ? ` · ${options.theme}` : ""}`;
}

function text(element, selector, content) { element.querySelector(selector).textContent = content; }
