import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Config } from '@bindery/runtime';

/**
 * The URL of a request as its visitor sees it. `X-Forwarded-*` headers count when a trusted proxy sent them.
 *
 * @returns undefined when the host or the path is none
 */
export function urlOf(request: IncomingMessage, { trustProxy }: Config['api']): URL | undefined {
  const isTrusted = trusts(trustProxy, request.socket.remoteAddress);
  const forwarded = (name: string) =>
    isTrusted
      ? String(request.headers[name] ?? '')
          .split(',')[0]
          ?.trim()
      : '';
  const host = forwarded('x-forwarded-host') || request.headers.host;
  const protocol = forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http';
  const path = request.url ?? '/';
  if (!host || !path.startsWith('/')) return undefined;
  return URL.parse(`${protocol}://${host}${path}`) ?? undefined;
}

const lists = new Map<string, BlockList>();

function trusts(ranges: readonly string[], address: string | undefined): boolean {
  if (ranges.length === 0 || address === undefined) return false;
  const key = ranges.join();
  const list = lists.get(key) ?? listOf(ranges);
  lists.set(key, list);
  const plain = address.replace(/^::ffff:/, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (range === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4');
      list.addAddress('::1', 'ipv6');
    } else if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
