/**
 * Returns a function that counts an event for a key and returns how long to wait in milliseconds: 0 while
 * fewer than `limit` events came in the last `windowMs`. Keeps at most `maxKeys` keys and drops those not
 * seen for longest, so that a flood of addresses cannot fill the memory.
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
    // Delete first, so that the map is in the order in which keys were last seen.
    times.delete(key);
    times.set(key, recent);
    const unseen = times.size > maxKeys ? times.keys().next().value : undefined;
    if (unseen !== undefined) times.delete(unseen);
    return waitMs;
  };
}
