const tails = new Map<string, Promise<unknown>>();

/**
 * Runs tasks with the same key one at a time in this process.
 *
 * MongoDB guards exclusion, between processes too; this is for speed: two hundred queued writers of one
 * record are fast, while two hundred transactions would keep conflicting.
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
