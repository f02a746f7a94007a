import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createSiteApp } from '../../../apps/site/src/app.ts';
import { createSitePlatform } from '../../../apps/site/src/sitePlatform.ts';
import type { TestApi } from '../apiServer.ts';

export type SiteAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** A site process beside the API of a test, with the same stores. */
export type SiteServer = {
  /** Sites without a hostname are below it. */
  origin: string;
  /** Gets a URL of a published site, from this server. */
  get(url: string, headers?: Record<string, string>): Promise<SiteAnswer>;
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
  const platform = createSitePlatform({
    config: { ...config, sites: { ...config.sites, url: origin } },
    blobs,
    log: pino({ level: 'silent' }),
  });
  server.on('request', createSiteApp(platform));
  return {
    origin,
    get: async (url, headers = {}) => {
      const { host, pathname, search } = new URL(url);
      const asked = request({
        port,
        path: pathname + search,
        // The host decides which site answers, and fetch sets its own.
        headers: { host, 'accept-encoding': 'identity', ...headers },
      });
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await platform.renderers.close();
    },
  };
}
