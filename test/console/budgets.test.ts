import { describe, expect } from 'vitest';
import { it } from '../support/console/consoleIt.ts';
import type { Visitor } from '../support/console/consoleServer.ts';
import { buildEverything } from '../support/console/everything.ts';
import { fillWorld } from '../support/console/fullWorld.ts';
import { pagesOfUsers } from '../support/console/pagesOfUsers.ts';
import { fillIn } from '../support/console/readForms.ts';
import { bound } from '../support/machine.ts';

/** Those of pages of published sites, in bytes as they are sent. */
const budgets = { html: 25_000, asset: 6_000, all: 100_000, requests: 6 };

/** Asks for a path as a browser does. @returns the text, and its bytes as they are sent */
async function load({ ask }: Visitor, path: string): Promise<{ text: string; bytes: number }> {
  const headers = { 'accept-encoding': 'br', 'sec-fetch-site': 'same-origin' };
  const answer = await ask(path, { headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return { text: answer.text, bytes: Number(answer.headers.get('content-length')) };
}

/** The budgets that a page breaks, each in one line. */
async function brokenBy(visitor: Visitor, path: string): Promise<string[]> {
  const { text, bytes } = await load(visitor, path);
  const linked = /<(?:link rel="stylesheet" href|script src)="([^"]+)"/g;
  const names = [...text.matchAll(linked)].map(([, name = '']) => name);
  const assets = await Promise.all(names.map(async (name) => ({ name, ...(await load(visitor, name)) })));
  const all = assets.reduce((sum, asset) => sum + asset.bytes, bytes);
  return [
    ...(bytes > budgets.html ? [`HTML of ${bytes} bytes`] : []),
    ...assets
      .filter((asset) => asset.bytes > budgets.asset)
      .map((asset) => `${asset.name} of ${asset.bytes}`),
    ...(all > budgets.all ? [`${all} bytes in all`] : []),
    ...(1 + assets.length > budgets.requests ? [`${1 + assets.length} requests`] : []),
  ].map((broken) => `${path}: ${broken}`);
}

describe('each page for signed-in users', () => {
  it(
    'stays within its budgets for bytes and requests, also with full lists',
    { timeout: bound(500_000) },
    async ({ api, atHome, organization, admin }) => {
      const values = await buildEverything(api, { organization, admin });
      const large = await fillWorld(api, { organization, admin, values });
      const broken: string[] = [];
      for (const path of [...pagesOfUsers.map((one) => fillIn(one, values)), ...large])
        broken.push(...(await brokenBy(atHome, path)));
      expect(broken).toEqual([]);
    },
  );
});
