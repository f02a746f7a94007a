/**
 * Counts events by key: a call counts one and tells how long to wait, in milliseconds, 0 while fewer than
 * `limit` came in the last `windowMs`. At most `maxKeys` keys are kept, the longest unseen ones go first, so
 * that a flood of addresses cannot fill the memory.
 */
export function slidingWindow({
  limit,
  windowMs,
  maxKeys,
}: {
  limit: number;
  windowMs: number;
  maxKeys: number;
}): (key: string) => number {
  const times = new Map<string, number[]>();
  return (key) => {
    const nowMs = Date.now();
    const recent = (times.get(key) ?? []).filter((time) => time > nowMs - windowMs);
    const oldest = recent[0];
    const waitMs = recent.length >= limit && oldest !== undefined ? oldest + windowMs - nowMs : 0;
    if (waitMs === 0) recent.push(nowMs);
    // Taken out first, so that the order of the map is the order in which keys were last seen.
    times.delete(key);
    times.set(key, recent);
    const unseen = times.size > maxKeys ? times.keys().next().value : undefined;
    if (unseen !== undefined) times.delete(unseen);
    return waitMs;
  };
}
