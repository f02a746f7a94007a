import { prepareHistory, type HistoryChanges } from '@bindery/content';
import { GitSyncPoint, Space, withTransaction, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { wordsOf } from '@bindery/render';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const oid = '0123456789abcdef0123456789abcdef01234567';
const git = (path: string) => ({ path, oid });
const pages = [
  { title: 'Home', path: 'home', source: '# Home', git: git('home.md') },
  {
    title: 'Changed',
    path: 'changed',
    source: '# Changed',
    git: { ...git('changed.md'), oid: 'f'.repeat(40) },
  },
  { title: 'Plain', path: 'plain', source: '# Plain' },
  { title: 'Quiet', path: 'quiet', source: '# Quiet', git: git('quiet.md'), layout: { metadata: false } },
];

const person = (name: string) => ({ name, email: `canary-${name.length}@example.com` });
const crowd = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus'].map((name, index) => ({
  name,
  email: `canary-${index}@example.com`,
}));
const may = Date.UTC(2024, 4, 17) / 1_000;

const pointOf = ({ _id }: SpaceRecord) => `point-of-${_id}`;

/** Stores the history of all files, as a sync does. */
async function storeHistory(
  space: SpaceRecord,
  people: HistoryChanges['people'],
  at: number | undefined = may,
): Promise<void> {
  const by = people.map((_, index) => index);
  const touches = ['home.md', 'changed.md', 'quiet.md'].map((path) => ({ path, base: path, oid, at, by }));
  const save = await prepareHistory({
    ...{ space: space._id, point: pointOf(space), commit: newId() },
    before: undefined,
    changes: { people, touches, moved: new Map() },
  });
  await withTransaction(save);
}

const it = base.extend('publish', ({ organization, server, hostname }) => {
  return async (people: HistoryChanges['people'], { language }: { language?: string } = {}) => {
    const space = await publishPages(await buildSpace(organization, { language }), pages);
    await GitSyncPoint.create({
      ...{ _id: pointOf(space), space: space._id, commit: newId() },
      ...{ revision: space.revision, updatedAt: new Date() },
    });
    await Space.updateOne({ _id: space._id }, { syncedWith: pointOf(space) });
    await storeHistory(space, people);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    const metadata = async (path = '') =>
      /<p class="meta">.*<\/p>/.exec((await server.get(url + path)).text)?.[0];
    return { space, url, metadata };
  };
});

const updated = 'Last updated <time datetime="2024-05-17T00:00:00.000Z">May 17, 2024</time>';

describe('a page from git', () => {
  it('names five contributors, the last one first, and counts the others', async ({ publish, server }) => {
    const { metadata, url } = await publish(crowd);
    const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'].map((name) => `<bdi>${name}</bdi>, `).join('');
    expect(await metadata()).toBe(
      `<p class="meta">${updated}<br>Contributors: ${names}and <bdi>2 more</bdi></p>`,
    );
    expect((await server.get(url)).text).not.toContain('canary-');
  });

  it('escapes names, omits duplicates, and omits names with an e-mail address', async ({ publish }) => {
    const { metadata } = await publish([
      person('<img src=x>'),
      person('ada@example.com'),
      person('Ada <ada@example.com>'),
      person('x@y'),
      { name: '', email: 'nameless@example.com' },
      person('Bob'),
      { name: 'Bob', email: 'bob@home.example' },
      person('@bob'),
    ]);
    const text = await metadata();
    expect(text).toContain(
      'Contributors: <bdi>&lt;img src=x&gt;</bdi>, <bdi>Bob</bdi>, and <bdi>@bob</bdi></p>',
    );
    expect(text).not.toMatch(/\w@/);
  });

  it('has no list when no contributor has a name to show', async ({ publish }) => {
    const { metadata } = await publish([person('ada@example.com')]);
    expect(await metadata()).toBe(`<p class="meta">${updated}</p>`);
  });

  it('shows no git history for another text, without git, or where its author hides it', async ({
    publish,
  }) => {
    const { metadata } = await publish(crowd);
    for (const path of ['/changed', '/plain']) {
      expect(await metadata(path)).toContain('2026');
      expect(await metadata(path)).not.toContain('Contributors');
    }
    expect(await metadata('/quiet')).toBeUndefined();
  });

  it('shows no git history while it has a text that the branch lacks', async ({ publish }) => {
    const { space, metadata } = await publish([person('Ada')]);
    expect(await metadata()).toContain('<bdi>Ada</bdi>');
    const [home, ...others] = pages;
    const edited = await publishPages(space, [{ ...home!, source: '# Home\n\nBetter.' }, ...others]);
    await expect.poll(() => metadata(), { timeout: 10_000 }).not.toContain('Ada');
    expect(await metadata()).toContain('2026');
    // As an export does.
    await GitSyncPoint.updateOne({ _id: pointOf(space) }, { revision: edited.revision });
    await storeHistory(space, [person('Bob')]);
    await expect.poll(() => metadata(), { timeout: 10_000 }).toContain('<bdi>Bob</bdi>');
  });

  it('follows changes of its history, the branch, and the setting of its space', async ({ publish }) => {
    const { space, metadata } = await publish([person('Ada')]);
    const set = async (change: object) => Space.updateOne({ _id: space._id }, change);
    expect(await metadata()).toContain('<bdi>Ada</bdi>');
    await storeHistory(space, [person('Bob')], may + 86_400);
    // Readers of the last second get the answer of before.
    await expect
      .poll(() => metadata(), { timeout: 10_000 })
      .toContain('May 18, 2024</time><br>Contributors: <bdi>Bob');
    await set({ syncedWith: 'other' });
    await expect.poll(() => metadata(), { timeout: 10_000 }).not.toContain('Bob');
    await set({ syncedWith: pointOf(space) });
    await expect.poll(() => metadata(), { timeout: 10_000 }).toContain('Bob');
    await set({ gitHistory: false });
    await expect.poll(() => metadata(), { timeout: 10_000 }).not.toContain('Bob');
  });

  it.for(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'])(
    'labels contributors in the language of the space: %s',
    async (language, { publish, page }) => {
      const { url, metadata } = await publish(crowd, { language });
      const words = wordsOf(language);
      const text = await metadata();
      expect(text).toContain(`<br>${words.contributors} <bdi>Ada</bdi>`);
      expect(text).toContain(`<bdi>${words.furtherPeople(2)}</bdi>`);
      if (language !== 'en') expect(text).not.toMatch(/Contributors|more/);
      await page.setViewport({ width: 320, height: 700 });
      await page.goto(url);
      expect(await violationsOf(page)).toEqual([]);
      expect(page.complaints).toEqual([]);
    },
  );
});
