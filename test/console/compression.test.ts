import { describe, expect } from 'vitest';
import { assetPaths } from '../../apps/console/src/assets/assets.ts';
import { it as base } from '../support/console/consoleIt.ts';
import { startConsole } from '../support/console/consoleServer.ts';

const it = base
  /** A console that is reached over TLS, through a proxy. */
  .extend('secure', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api, { url: 'https://console.example.org' });
    onCleanup(server.close);
    return server;
  });

const encodingOf = ({ headers }: { headers: Headers }) => headers.get('content-encoding');
const accepting = (encoding: string, from?: string) => ({
  headers: { 'accept-encoding': encoding, ...(from !== undefined && { 'sec-fetch-site': from }) },
});

describe('a response of the console', () => {
  it.for([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['br;q=0, *', 'gzip'],
  ] as const)('is compressed as the browser accepts it: %s', async ([accepted, used], { atHome, server }) => {
    for (const path of ['/', assetPaths.style, assetPaths.job]) {
      const answer = await atHome.ask(path, accepting(accepted));
      expect([path, answer.status, encodingOf(answer)]).toEqual([path, 200, used]);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      const plain = await atHome.ask(path, accepting('identity'));
      expect(answer.text).toBe(plain.text);
      const [length, whole] = [answer, plain].map(({ headers }) => Number(headers.get('content-length')));
      if (used !== null) expect(length).toBeLessThan(whole!);
    }
    expect(server.log.join('')).not.toContain('"level":50');
  });

  it('is not compressed when it is short', async ({ atHome }) => {
    expect(encodingOf(await atHome.ask('/healthz', accepting('br')))).toBeNull();
  });

  it('is compressed over TLS only for requests of the console itself or of the user', async ({ secure }) => {
    const visitor = secure.visitor();
    const encodings = async (path: string) => {
      const all = [];
      for (const from of ['same-origin', 'none', 'same-site', 'cross-site', undefined])
        all.push(encodingOf(await visitor.ask(path, accepting('br', from))));
      return all;
    };
    expect(await encodings('/sign-in')).toEqual(['br', 'br', null, null, null]);
    expect(await encodings(assetPaths.style)).toEqual(['br', 'br', 'br', 'br', 'br']);
  });
});
