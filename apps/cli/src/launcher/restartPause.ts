const firstMs = 250;
const mostMs = 30_000;

/**
 * Computes the pause before a restart: it doubles with each death in a row up to 30 s, and is randomly
 * shortened by up to a half, so that programs that died together do not all start together.
 *
 * @param deaths  in a row, including this one
 */
export function restartPauseMs(deaths: number, random: () => number = Math.random): number {
  const mostNowMs = Math.min(firstMs * 2 ** (deaths - 1), mostMs);
  return Math.round(mostNowMs * (0.5 + random() / 2));
}
