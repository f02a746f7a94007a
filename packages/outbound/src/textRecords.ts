import { Resolver } from 'node:dns/promises';

/**
 * Makes a function that gives the texts of the TXT records of a name, none when DNS says that it has none, and undefined when nobody answers in
 * time. Only the DNS servers of the system are asked: what a name stands for leads to no address here. An abort ends the question at once.
 *
 * @param servers  other DNS servers, as `address:port`
 */
export function createTextRecords(servers?: readonly string[]): (name: string, signal: AbortSignal) => Promise<string[] | undefined> {
  return async (name, signal) => {
    signal.throwIfAborted();
    // One for each question: it reads the servers of the system when it is made, and these may change while the process runs.
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
