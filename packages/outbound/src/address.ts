import { isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** The target of a connection: the host as in the URL, one of its addresses, and the port. */
export type Target = { hostname: string; address: string; port: number };

/**
 * Decides which addresses may be connected to.
 *
 * Public addresses on the usual web ports are open. The operator's list adds single `host:port` pairs, each
 * with exactly that port, and address ranges, to which the port rule applies. Metadata services, link-local
 * addresses and our own services are refused even when listed.
 */
export type AddressRules = {
  /** `own`: resolved addresses of `ownHosts`; without it only hosts written as addresses count. */
  permits(target: Target, own?: readonly string[]): boolean;
  /** False if no address of this host could make the port acceptable. */
  permitsPort(hostname: string, port: number): boolean;
  /** Hosts of our own services on this port. */
  ownHosts(port: number): readonly string[];
};

/** @throws Error that names every malformed entry */
export function createAddressRules(lists: {
  allow: readonly string[];
  refused: readonly string[];
}): AddressRules {
  const { pairs, ranges } = parseAllowList(lists.allow);
  const own = parsePairs('refused', lists.refused);

  return {
    permits({ hostname, address, port }, ownAddresses = literals(own.get(port))) {
      const parsed = parseAddress(address);
      if (!parsed || isNeverReached(parsed)) return false;
      if (own.get(port)?.has(hostname) || isOwn(parsed, ownAddresses)) return false;

      const listed = pairs.get(port);
      if (listed?.has(hostname) || listed?.has(hostText(parsed))) return true;
      return isWebPort(port) && (isPublic(parsed) || ranges.some((range) => isWithin(parsed, range)));
    },
    // A listed address also opens its port to names that resolve to it, which only the DNS lookup shows.
    permitsPort: (hostname, port) =>
      isWebPort(port) || (pairs.get(port)?.has(hostname) ?? false) || literals(pairs.get(port)).length > 0,
    ownHosts: (port) => [...(own.get(port) ?? [])],
  };
}

/** 80, 443 and the usual ports of web servers, except those of well-known databases. */
function isWebPort(port: number): boolean {
  if (port === 80 || port === 443) return true;
  return port >= 3000 && port <= 9999 && !databasePorts.has(port);
}

const databasePorts = new Set([3306, 5432, 6379, 9200]);

// ipaddr.js calls every address outside its named ranges "unicast", also `::127.0.0.1` and unassigned space:
// only 2000::/3 is routed.
function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalIPv6));
}

const globalIPv6 = ipaddr.parseCIDR('2000::/3');

function isNeverReached(address: Address): boolean {
  return [address, ...embeddedIPv4(address)].some((form) =>
    neverReached.some((range) => isWithin(form, range)),
  );
}

// Link-local addresses, which include most metadata services, and the other metadata services (AWS, Google,
// Azure, Alibaba, Oracle).
const neverReached = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
].map((range) => ipaddr.parseCIDR(range));

// A listed NAT64 or 6to4 range must not circumvent the list above.
function embeddedIPv4(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [];
  const bytes = address.toByteArray();
  return [bytes.slice(12), bytes.slice(2, 6)].map((octets) => new ipaddr.IPv4(octets));
}

// A service on loopback, or on every address, is reachable at all addresses of this machine.
function isOwn(address: Address, own: readonly string[]): boolean {
  const services = own.map(parseAddress).filter((service) => service !== undefined);
  if (services.some((service) => service.toString() === address.toString())) return true;
  return services.some(isLocal) && (isLocal(address) || interfaceAddresses().has(address.toString()));
}

function isLocal(address: Address): boolean {
  return address.range() === 'loopback' || address.range() === 'unspecified';
}

function interfaceAddresses(): Set<string | undefined> {
  return new Set(
    Object.values(networkInterfaces()).flatMap(
      (entries) => entries?.map((entry) => parseAddress(entry.address)?.toString()) ?? [],
    ),
  );
}

function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

// `process` converts an IPv4-mapped IPv6 address to IPv4. It also converts `::1.2.3.4`, which is not mapped,
// and which DNS lookups write for ::102:304; URL writes all of them in hexadecimal. It does not know zones,
// so an address with one is not parsed.
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  const hexadecimal = isIPv6(text) && URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  return hexadecimal ? ipaddr.process(hexadecimal) : undefined;
}

/** Formats an address like `URL.hostname`, without the brackets. */
function hostText(address: Address): string {
  return address.kind() === 'ipv6' ? (address as ipaddr.IPv6).toRFC5952String() : address.toString();
}

type Pairs = ReadonlyMap<number, ReadonlySet<string>>;

function parseAllowList(entries: readonly string[]): { pairs: Pairs; ranges: Range[] } {
  const isRange = (entry: string) => ipaddr.isValidCIDR(entry);
  return {
    pairs: parsePairs(
      'allow',
      entries.filter((entry) => !isRange(entry)),
    ),
    ranges: entries.filter(isRange).map((entry) => ipaddr.parseCIDR(entry)),
  };
}

function parsePairs(list: 'allow' | 'refused', entries: readonly string[]): Pairs {
  const pairs = new Map<number, Set<string>>();
  const malformed = entries.filter((entry) => {
    const pair = parsePair(entry);
    if (pair) pairs.set(pair.port, (pairs.get(pair.port) ?? new Set()).add(pair.hostname));
    return !pair;
  });
  if (malformed.length === 0) return pairs;
  const form = list === 'allow' ? 'host:port or a range such as 10.1.0.0/16' : 'host:port';
  throw new Error(`The outbound ${list} list has entries that are not ${form}: ${malformed.join(', ')}`);
}

function parsePair(entry: string): { hostname: string; port: number } | undefined {
  const [, host = '', digits = ''] = /^([^/@?#\\]+):(\d{1,5})$/.exec(entry.trim()) ?? [];
  const url = host && URL.parse(`http://${host}/`);
  const port = Number(digits);
  if (!url || url.port !== '' || port < 1 || port > 65_535) return undefined;
  return { hostname: bareHostname(url), port };
}

function literals(hosts: ReadonlySet<string> | undefined): string[] {
  return [...(hosts ?? [])].flatMap(knownAddresses);
}

/** The addresses of a host that are known without a DNS query. */
export function knownAddresses(hostname: string): string[] {
  if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
  return isIP(hostname) ? [hostname] : [];
}

/** Whether the name means this machine without a DNS query. */
function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Returns the host of a URL without IPv6 brackets and without the final dot of a full name. An IPv4-mapped
 * address becomes IPv4.
 */
export function bareHostname(url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const address = parseAddress(host);
  return address ? hostText(address) : host;
}
