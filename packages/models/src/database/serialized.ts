const tails = new Map<string, Promise<unknown>>();

/**
 * Runs the works of one key one after the other in this process.
 *
 * What must never happen at the same time is guarded by MongoDB, between processes too; two hundred writers of one record that queue up here
 * are quick, where two hundred transactions would keep running into each other.
 */
export async function serialized<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const tail = mine.catch(() => {});
  tails.set(key, tail);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === tail) tails.delete(key);
  }
}
