const everyMs = 5_000;

/** Tells the user at the terminal how far a backup or a restore is. */
export type Progress = {
  say(line: string): void;
  /**
   * Passes records on, and tells every few seconds and at the end how many there were. Throws when the user
   * stops the command.
   */
  follow<Item>(name: string, records: AsyncIterable<Item>): AsyncGenerator<Item>;
};

export function createProgress(say: (line: string) => void, signal?: AbortSignal): Progress {
  return {
    say,
    async *follow(name, records) {
      let count = 0;
      let toldAtMs = performance.now();
      for await (const record of records) {
        signal?.throwIfAborted();
        yield record;
        count += 1;
        if (performance.now() - toldAtMs < everyMs) continue;
        say(`${name}: ${count} so far`);
        toldAtMs = performance.now();
      }
      if (count > 0) say(`${name}: ${count}`);
    },
  };
}
