import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { mongoDatabase } from '@bindery/models';
import { createBlobStore } from '@bindery/storage';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { buildFile, buildOrganization, buildRevision, buildSite, buildSpace } from '../support/factories.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { until } from '../support/until.ts';

const fileBytes = 20_000_000;

let mongo: OwnMongo;
let lab: FaultLab;

beforeAll(async () => {
  mongo = await startOwnMongo();
  lab = await startFaultLab({ MONGODB_URI: mongo.uri });
});
afterEach(() => lab.reset());
afterAll(async () => {
  mongo.thaw();
  await lab.close();
  await mongo.close();
});

/** Starts a site process without a Redis, and publishes a site with a page and a large file. */
async function startSite(): Promise<{ app: AppProcess; origin: string; url: string }> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const { organization } = await buildOrganization();
  const space = await buildSpace(organization);
  const blobs = createBlobStore(mongoDatabase(), lab.config.storage);
  const file = await buildFile(blobs, organization._id, { bytes: Buffer.alloc(fileBytes, 'x') });
  const source = `# A\n\nHello [file](/files/${file.id})`;
  await buildRevision(space, { pages: [{ title: 'A', path: 'a', source }], files: [file] });
  const site = await buildSite(organization, { spaces: [space], isPublished: true });
  const app = await lab.start('site', {
    environment: {
      BINDERY_SITE_PORT: port,
      BINDERY_SITES_URL: origin,
      // No server listens there.
      REDIS_URL: 'redis://127.0.0.1:1',
    },
  });
  return { app, origin, url: `${origin}/${organization._id}/${site.basename}` };
}

describe('a site process', () => {
  it('answers 503 while MongoDB is frozen, and serves again afterwards', { timeout: 120_000 }, async () => {
    const { app, origin, url } = await startSite();
    const before = await fetch(url);
    expect([before.status, await before.text()]).toEqual([200, expect.stringContaining('Hello')]);
    await mongo.freeze();
    try {
      const answers = await Promise.all(
        [url, `${url}/nowhere`, `${url}/llms-full.txt`, `${url}/~/search?q=a`].map(async (each) =>
          fetch(each),
        ),
      );
      for (const { status, headers } of answers)
        expect([
          status,
          headers.get('retry-after'),
          headers.get('cache-control'),
          headers.get('etag'),
        ]).toEqual([...[503, '60', 'private, no-store', expect.any(String)]]);
      expect(await answers[0]!.text()).toContain('<h1>');
      expect((await fetch(`${origin}/~/healthz`)).status).toBe(200);
      expect((await fetch(`${origin}/~/readyz`)).status).toBe(503);
    } finally {
      mongo.thaw();
    }
    await until('the page', async () => (await fetch(url)).status === 200, { timeoutMs: 60_000 });
    expect((await fetch(`${origin}/~/readyz`)).status).toBe(200);
    expect(app.hasEnded()).toBe(false);
  });

  it(
    'finishes its running response when it is stopped, and accepts no more connections',
    { timeout: 60_000 },
    async () => {
      const { app, origin, url } = await startSite();
      const [, path] = /href="([^"]*\/~\/files\/[^"]+)"/.exec(await (await fetch(url)).text()) ?? [];
      const [answer] = (await once(get(origin + path), 'response')) as [IncomingMessage];
      // Less than the file is on its way while nobody reads.
      answer.pause();
      app.signal('SIGTERM');
      await until('an end of new connections', async () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      );
      expect(app.hasEnded()).toBe(false);
      let bytes = 0;
      for await (const chunk of answer) bytes += (chunk as Buffer).length;
      expect(bytes).toBe(fileBytes);
      expect(await app.ended).toBe(0);
    },
  );
});
