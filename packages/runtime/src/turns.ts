/** Permission to work while few others do. */
export type Turn = {
  /** Lets the next caller proceed; does nothing when called again. */
  end: () => void;
  hasEnded: () => boolean;
};

/** Waits for a turn, in the order of the calls. */
export type TakeTurn = (() => Promise<Turn>) & { isAwaited: () => boolean };

/** Gives a limited number of turns at once. */
export function createTurns(atOnce: number): TakeTurn {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const take = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
    return { end, hasEnded: () => hasEnded };
  };
  return Object.assign(take, { isAwaited: () => waiting.length > 0 });
}
