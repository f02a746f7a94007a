import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createSiteApp } from '../../../apps/site/src/app.ts';
import { createSitePlatform } from '../../../apps/site/src/sitePlatform.ts';
import type { TestApi } from '../apiServer.ts';

export type SiteAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** A site process beside the API of a test, with the same stores. */
export type SiteServer = {
  /** Sites without a hostname are below it. */
  origin: string;
  /** Gets a URL of a published site, from this server. */
  get(url: string, headers?: Record<string, string>): Promise<SiteAnswer>;
  /** Asks for a target as it is written, also one that no client would send. */
  ask(target: string, options?: Asked): Promise<SiteAnswer>;
  /** The number of connections that are open. */
  connections(): Promise<number>;
  /** The lines that it logged. */
  log: string[];
  close(): Promise<void>;
};

export async function startSiteServer({
  config,
  blobs,
}: Pick<TestApi, 'config' | 'blobs'>): Promise<SiteServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  const platform = createSitePlatform({
    config: { ...config, sites: { ...config.sites, url: origin } },
    blobs,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  });
  server.on('request', createSiteApp(platform));
  const ask = async (
    target: string,
    { method = 'GET', headers = {}, body }: Asked = {},
  ): Promise<SiteAnswer> => {
    const host = `127.0.0.1:${port}`;
    // The host decides which site answers, and fetch sets its own.
    const all = { host, 'accept-encoding': 'identity', ...headers };
    const asked = request({ port, method, path: target, headers: all });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
  };
  return {
    origin,
    get: async (url, headers = {}) => {
      const { host, pathname, search } = new URL(url);
      return ask(pathname + search, { headers: { host, ...headers } });
    },
    ask,
    connections: promisify(server.getConnections.bind(server)),
    log,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await Promise.all([platform.renderers.close(), platform.cards.close()]);
    },
  };
}
