import { Resolver } from 'node:dns/promises';

/**
 * Creates a function that looks up the TXT records of a name. It returns an empty list when DNS answers that
 * the name has none, and undefined when no DNS server answers in time. It queries DNS servers only and never
 * connects to the host of the name. An abort ends the lookup immediately.
 *
 * @param servers  DNS servers to use instead of the system's, as `address:port`
 */
export function createTextRecords(
  servers?: readonly string[],
): (name: string, signal: AbortSignal) => Promise<string[] | undefined> {
  return async (name, signal) => {
    signal.throwIfAborted();
    // A resolver per lookup: it reads the system's servers when created, and these may change during the life
    // of the process.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      signal.throwIfAborted();
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : undefined;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
