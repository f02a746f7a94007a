const firstMs = 250;
const mostMs = 30_000;

/**
 * How long to wait before a program is started again: doubled with each death in a row up to 30 s, and between half of that and all of it,
 * so that programs that died together do not all start together.
 *
 * @param deaths  in a row, this one included
 */
export function restartPauseMs(deaths: number, random: () => number = Math.random): number {
  const mostNowMs = Math.min(firstMs * 2 ** (deaths - 1), mostMs);
  return Math.round(mostNowMs * (0.5 + random() / 2));
}
