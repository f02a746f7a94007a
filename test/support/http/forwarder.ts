import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a server that passes requests on to another one.
 *
 * @param before  called ahead of each request, with its method and URL, such as `GET /v1/spaces/a`
 */
export async function startForwarder(
  origin: string,
  before: (line: string) => Promise<void>,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((incoming, answer) => {
    const { method, url = '/', headers } = incoming;
    const passOn = () => {
      const onward = request(new URL(url, origin), {
        method,
        headers: { ...headers, host: new URL(origin).host },
      });
      onward.on('error', () => answer.destroy());
      onward.on('response', (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      incoming.pipe(onward);
    };
    before(`${method} ${url}`).then(passOn, () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
