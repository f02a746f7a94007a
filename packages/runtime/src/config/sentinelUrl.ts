/** The sentinels that know which Redis is the primary, and the logins of both. */
export type SentinelAddress = {
  sentinels: { host: string; port: number }[];
  /** The name of the primary in the configuration of the sentinels. */
  name: string;
  db: number;
  username?: string;
  password?: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
  /** Whether Redis and its sentinels are reached by TLS. */
  isEncrypted: boolean;
};

const shape =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?#\s]{0,2048})@)?([^@/?#\s]{1,2048})\/([^/?#\s]{1,256})(?:\?([^#\s]{0,2048}))?$/i;
const hostShape = /^(\[[0-9a-f:.]{2,45}\]|[^[\]:]{1,253})(?::(\d{1,5}))?$/i;
const known = new Set(['db', 'sentinelUsername', 'sentinelPassword']);

/** Whether a URL names sentinels, rightly or not. */
export function isSentinelUrl(url: string): boolean {
  return /^rediss?\+sentinel:/i.test(url);
}

/**
 * Parses
 * `redis+sentinel://[user:password@]host[:port],host[:port],.../primary[?db=N&sentinelUsername=...&sentinelPassword=...]`;
 * `rediss+sentinel` for TLS. The URL class knows no list of hosts.
 *
 * @returns undefined when the URL has another shape
 */
export function parseSentinelUrl(url: string): SentinelAddress | undefined {
  const [, scheme = '', login = '', hosts = '', name = '', query = ''] = shape.exec(url) ?? [];
  const sentinels = hosts.split(',').map(parseHost);
  // A plus in a password is no space.
  const options = new URLSearchParams(query.replaceAll('+', '%2B'));
  const db = options.get('db') ?? '0';
  const isValid =
    sentinels.every((sentinel) => sentinel !== undefined) &&
    [...options.keys()].every((option) => known.has(option)) &&
    /^\d{1,5}$/.test(db);
  if (!isValid) return undefined;
  const colon = login.indexOf(':');
  const [username, password] = colon < 0 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)];
  const sentinelUsername = options.get('sentinelUsername');
  const sentinelPassword = options.get('sentinelPassword');
  return {
    sentinels: sentinels.filter((sentinel) => sentinel !== undefined),
    name: decodeURIComponent(name),
    db: Number(db),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    isEncrypted: scheme.toLowerCase() === 'rediss',
  };
}

function parseHost(text: string): { host: string; port: number } | undefined {
  const [, host, port = '26379'] = hostShape.exec(text) ?? [];
  return host === undefined ? undefined : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
