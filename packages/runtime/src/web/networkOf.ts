/**
 * The network that probably belongs to one client: a single IPv4 address, or the /64 of an IPv6 address, the
 * smallest block that is assigned.
 */
export function networkOf(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!text.includes(':')) return text;
  const [head = '', tail] = text.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
