import { createTurns } from '../turns.ts';

/** A body may arrive more slowly than this only while no other waits: at most 8 s for each 1 MiB. */
const bytesPerSecond = 128 * 1024;
/** The first packets of a body may take this long at any speed. */
const graceMs = 2_000;

/** Memory for a limited number of large bodies. */
export type BodyRoom = {
  /** Reads a body when there is room for it, in the order of arrival. */
  withRoom<T>(read: () => Promise<T>): Promise<T>;
  /**
   * Watches a body that arrives in the room. Without it, a few clients that send a byte now and then would
   * hold up all other large bodies.
   *
   * @param received bytes until now
   * @param refuse called at most once, when the body is too slow and others wait
   * @returns a function that ends the watch
   */
  watchPace(received: () => number, refuse: () => void): () => void;
};

/** @param atOnce  the bodies that are in memory at the same time; others stay in the network until then */
export function createBodyRoom(atOnce: number): BodyRoom {
  const takeTurn = createTurns(atOnce);
  return {
    withRoom: async (read) => {
      const turn = await takeTurn();
      try {
        return await read();
      } finally {
        turn.end();
      }
    },
    watchPace: (received, refuse) => {
      const begun = performance.now();
      const timer = setInterval(() => {
        const seconds = (performance.now() - begun - graceMs) / 1_000;
        if (!takeTurn.isAwaited() || received() >= seconds * bytesPerSecond) return;
        clearInterval(timer);
        refuse();
      }, 500);
      return () => clearInterval(timer);
    },
  };
}
