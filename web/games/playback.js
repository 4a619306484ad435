// @ts-check

/** @typedef {import("./room.js").RecordedEvent} RecordedEvent */
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */

/** The longest wait for the next event, in ms, however long the players thought. */
const LONGEST_PAUSE = 1_500;
/** Long enough to notice a computer's move, in ms. Events of one moment come together. */
const SHORTEST_PAUSE = 350;
/** Events less than this apart, in ms, are drawn at once: a screen shows no more. */
const FRAME = 16;

/** How fast a replay may run. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/**
 * How long `before` stays until `event` follows, in ms at speed 1.
 * @param {RecordedEvent} before
 * @param {RecordedEvent} event
 */
export function pauseBetween(before, event) {
  const time = event.t - before.t;
  return time <= 0 ? 0 : Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, time));
}

/**
 * The speed at which the events after `from` up to `to` take `time` ms, or the usual one if that is shorter.
 * @param {RecordedEvent[]} events @param {number} from @param {number} to versions @param {number} time
 */
export function speedFor(events, from, to, time) {
  let all = 0;
  for (let version = from; version < to; version++) all += pauseBetween(events[version - 1], events[version]);
  return Math.max(1, all / time);
}

/**
 * The position of a replay, and its playback. At the end it follows: it shows what is added to the timeline.
 */
export class Playback {
  /** The version that is shown. */
  version = 1;
  isPlaying = false;
  /** Whether new events are shown at once, as in the room itself. */
  isFollowing = false;
  speed = 1;
  #timeline; #world; #changed;
  #timer = /** @type {Timer} */ (undefined);

  /**
   * @param {{events: RecordedEvent[], length: number}} timeline
   * @param {{later: (act: () => void, ms: number) => Timer, cancel: (timer: Timer) => void}} world
   * @param {() => void} changed
   */
  constructor(timeline, world, changed) {
    this.#timeline = timeline;
    this.#world = world;
    this.#changed = changed;
  }

  /**
   * Shows `version`, or the nearest one that exists, and continues from there if it plays.
   * @param {number} version
   */
  seek(version) {
    this.version = Math.min(this.#timeline.length, Math.max(1, Math.round(version) || 1));
    this.isFollowing = this.version === this.#timeline.length;
    if (this.isFollowing) this.isPlaying = false;
    this.#wait();
    this.#changed();
  }

  /**
   * One event forward or back; stops playback.
   * @param {number} count
   */
  step(count) {
    this.isPlaying = false;
    this.seek(this.version + count);
  }

  /**
   * Plays; at the end it starts again, at version `start`.
   * @param {number} start
   */
  play(start = 1) {
    if (this.version >= this.#timeline.length) this.version = Math.max(1, start);
    if (this.version >= this.#timeline.length) return this.seek(this.version);
    this.isPlaying = true;
    this.isFollowing = false;
    this.#wait();
    this.#changed();
  }

  pause() {
    this.isPlaying = false;
    this.#wait();
    this.#changed();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#wait();
  }

  /** The timeline is longer now. */
  grown() {
    if (this.isFollowing) this.version = this.#timeline.length;
    this.#changed();
  }

  #wait() {
    this.#world.cancel(this.#timer);
    if (!this.isPlaying) return;
    const { events, length } = this.#timeline;
    const pauseAt = (/** @type {number} */ version) => pauseBetween(events[version - 1], events[version]) / this.speed;
    let next = this.version + 1, pause = pauseAt(this.version);
    // Everything that comes within a frame, together: the events of one moment, or of a long room at high speed.
    for (; next < length; next++) {
      const more = pauseAt(next);
      if (more > 0 && pause + more >= FRAME) break;
      pause += more;
    }
    this.#timer = this.#world.later(() => this.seek(next), pause);
  }
}
