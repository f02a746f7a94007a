/**
 * Follows records that operators change: each process reads them again when its copy is older than `ageMs`,
 * so all workers obey a change after that time.
 */
export function followRecords<T>(
  read: () => Promise<T>,
  ageMs: number,
): {
  /** The records, as they were at most `ageMs` ago. */
  current(): Promise<T>;
  /** Makes the next call read again: this process has changed them. */
  forget(): void;
} {
  let known: { records: Promise<T>; untilMs: number } | undefined;
  return {
    current() {
      if (known && performance.now() < known.untilMs) return known.records;
      const reading = { records: read(), untilMs: performance.now() + ageMs };
      known = reading;
      // After a failure the next call reads again.
      reading.records.catch(() => {
        if (known === reading) known = undefined;
      });
      return reading.records;
    },
    forget() {
      known = undefined;
    },
  };
}
