import { Resolver } from 'node:dns/promises';

/**
 * Looks up records of a name. A function returns an empty list when DNS answers that the name has none, and
 * undefined when no DNS server answers in time. An abort ends a lookup immediately, with its reason.
 */
export type DnsRecords = {
  texts: Lookup;
  /** The name that a CNAME record of the name points to. */
  aliases: Lookup;
  /** The IPv4 and IPv6 addresses, also those behind an alias. */
  addresses: Lookup;
  /**
   * The authorities that CAA records of the name or of the nearest domain above it permit; undefined also
   * when none restricts them. An empty list permits nobody.
   */
  issuers: Lookup;
};
type Lookup = (name: string, signal: AbortSignal) => Promise<string[] | undefined>;

/** All attempts of one lookup together. */
const timeoutMs = 5_000;

/**
 * Creates lookups that query DNS servers only and never connect to the host of a name.
 *
 * @param servers  DNS servers to use instead of the system's, as `address` or `address:port`; empty: the
 *   system's
 */
export function createDnsRecords(servers: readonly string[] = []): DnsRecords {
  const ask = async <R>(
    query: (resolver: Resolver) => Promise<R[]>,
    signal: AbortSignal,
  ): Promise<R[] | undefined> => {
    signal.throwIfAborted();
    // A resolver per lookup: it reads the system's servers when created, and these may change during the life
    // of the process.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(cancel, timeoutMs);
    try {
      return await query(resolver);
    } catch (error) {
      signal.throwIfAborted();
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : undefined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  };
  return {
    texts: async (name, signal) => {
      const records = await ask((resolver) => resolver.resolveTxt(name), signal);
      return records?.map((parts) => parts.join(''));
    },
    aliases: async (name, signal) => ask((resolver) => resolver.resolveCname(name), signal),
    addresses: async (name, signal) => {
      const [v4, v6] = await Promise.all([
        ask((resolver) => resolver.resolve4(name), signal),
        ask((resolver) => resolver.resolve6(name), signal),
      ]);
      return v4 && v6 && [...v4, ...v6];
    },
    issuers: async (name, signal) => {
      const labels = name.split('.');
      // Not at the top level, where no registry restricts the authorities of others.
      for (let first = 0; first < labels.length - 1; first += 1) {
        const records = await ask((resolver) => resolver.resolveCaa(labels.slice(first).join('.')), signal);
        if (records === undefined) return undefined;
        if (records.length === 0) continue;
        const named = records.flatMap(({ issue }) => (issue === undefined ? [] : [issue]));
        return named.length === 0 ? undefined : named.map(issuerOf).filter((issuer) => issuer !== '');
      }
      return undefined;
    },
  };
}

/** The name in a value such as `letsencrypt.org; validationmethods=http-01`. */
function issuerOf(value: string): string {
  return (value.split(';', 1)[0] ?? '').trim().toLowerCase();
}
