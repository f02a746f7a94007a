import { Resolver } from 'node:dns/promises';

/**
 * Makes a function that gives the texts of the TXT records of a name, none when DNS says that it has none, and undefined when nobody answers in
 * time. Only the DNS servers of the system are asked: what a name stands for leads to no address here.
 *
 * @param servers  other DNS servers, as `address:port`
 */
export function createTextRecords(servers?: readonly string[]): (name: string) => Promise<string[] | undefined> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (name) =>
    resolver.resolveTxt(name).then(
      (records) => records.map((parts) => parts.join('')),
      ({ code }: NodeJS.ErrnoException) => (code === 'ENODATA' || code === 'ENOTFOUND' ? [] : undefined),
    );
}
