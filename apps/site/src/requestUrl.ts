import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** A host with an optional port: other characters would begin another part of the URL. */
const hostShape = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Reads the URL of a request as its visitor sees it; undefined when the host or the path is not valid. */
export type ReadUrl = (request: IncomingMessage) => URL | undefined;

/**
 * Makes the reader of URLs. `X-Forwarded-*` headers count when a trusted proxy sent the request.
 *
 * @param trustProxy  addresses, CIDR ranges, and names such as `loopback` and `uniquelocal`
 * @throws TypeError for a range that is not valid
 */
export function createUrlReader({ trustProxy }: { trustProxy: string[] }): ReadUrl {
  const trusts = proxyAddr.compile(trustProxy);
  return (request) => {
    const { remoteAddress } = request.socket;
    const isTrusted = remoteAddress !== undefined && trusts(remoteAddress, 0);
    const forwarded = (name: string) =>
      isTrusted
        ? String(request.headers[name] ?? '')
            .split(',', 1)[0]
            ?.trim()
        : '';
    const host = forwarded('x-forwarded-host') || request.headers.host;
    const isEncrypted = 'encrypted' in request.socket || forwarded('x-forwarded-proto') === 'https';
    const protocol = isEncrypted ? 'https' : 'http';
    const path = request.url ?? '/';
    if (!host || !hostShape.test(host) || !path.startsWith('/')) return undefined;
    return URL.parse(`${protocol}://${host}${path}`) ?? undefined;
  };
}

export type ReadAddress = (request: IncomingMessage) => string;

/** Makes the reader of the address of a client, behind the same proxies. */
export function createAddressReader({ trustProxy }: { trustProxy: string[] }): ReadAddress {
  const trusts = proxyAddr.compile(trustProxy);
  // A connection that was reset has no address, whatever the type says.
  return (request) => (proxyAddr(request, trusts) as string | undefined) ?? '';
}
