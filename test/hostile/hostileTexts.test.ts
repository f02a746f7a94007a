import type { SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { docxOf } from '../support/content/docxWriter.ts';
import { writeZip } from '../support/content/zipWriter.ts';
import { isFull } from '../support/resultTable.ts';
import { startHostilePlatform, type HostilePlatform } from './platform.ts';
import {
  conditionTexts,
  configurationTexts,
  htmlTexts,
  pageTexts,
  redirectTexts,
  robotsTexts,
  summaryTexts,
  svgTexts,
  type HostileText,
} from './texts.ts';

// Texts that are slow to read for one reader or another go through every road that reads text, while a prober
// asks whether anybody has to wait. Most of them are short, since what takes more than linear time shows it
// early.

const short = 6_000;
const comment = 2_500;
const long = 60_000;
const longest = 1_000_000;
const perRequest = 40;
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const isNth = (texts: readonly HostileText[], { family, name }: HostileText, n: number) =>
  texts.filter((text) => text.family === family)[n]?.name === name;
/** The first of each family is long, and the second of some families as long as can be. */
const lengthOf = (texts: readonly HostileText[], text: HostileText) => {
  const families = [...new Set(texts.map(({ family }) => family))];
  if (isNth(texts, text, 1) && families.indexOf(text.family) % (isFull ? 3 : 6) === 0) return longest;
  return isNth(texts, text, 0) ? long : short;
};

/** All texts for pages, each with its length. */
const pages = pageTexts.map((text) => ({ ...text, markdown: text.of(lengthOf(pageTexts, text)) }));
const thirds = pages.filter((text) => isNth(pageTexts, text, 2));

let platform: HostilePlatform;
let space: SpaceRecord;
/** Ids of pages, by the name of their text. */
const ids = new Map<string, string>();
let visitor: string;
let site: string;

beforeAll(async () => {
  platform = await startHostilePlatform();
  space = await platform.newSpace();
  ({ site, token: visitor } = await platform.publish(space));
});
afterAll(async () => platform?.close());
afterEach(({ task }) => {
  const { prober } = platform;
  for (const [name, parts] of prober.longest) {
    for (const { part, ms, boundMs, asked } of parts.splice(0)) {
      if (process.env['BINDERY_HOSTILE_TIMES'])
        console.log(
          `${task.name}, ${part}: ${name} ${Math.round(ms)} ms (${Math.round(boundMs)}), asked ${asked}`,
        );
      expect(ms, `${name} had to wait, ${part}`).toBeLessThan(boundMs);
    }
  }
  expect(prober.failed).toEqual([]);
});

it('there are at least 150 hostile texts, of up to a megabyte', () => {
  const all = [
    ...pageTexts,
    ...htmlTexts,
    ...svgTexts,
    ...robotsTexts,
    ...summaryTexts,
    ...configurationTexts,
    ...conditionTexts,
    ...redirectTexts,
  ];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(150);
  expect(Math.max(...pages.map(({ markdown }) => markdown.length))).toBeGreaterThan(900_000);
});

describe('pages of hostile text', { timeout: 300_000 }, () => {
  it('are written and merged', async () => {
    platform.prober.part('writing');
    const changeRequest = await open();
    await write(
      changeRequest,
      pages.map(({ name, markdown }) => ({
        name,
        change: { operation: 'insert_page', title: name, document: { markdown } },
      })),
    );
    expect(ids.size).toBeGreaterThan(150);
    await merge(changeRequest);
  });

  it.each(['markdown', 'document'])('are read as %s, by members and by visitors', async (format) => {
    for (const [who, token] of [
      ['member', undefined],
      ['visitor', visitor],
    ] as const) {
      platform.prober.part(`read by a ${who}`);
      for (const id of ids.values())
        await platform.get(`/spaces/${space._id}/content/page/${id}?format=${format}`, token);
    }
  });

  it('are searched', async () => {
    platform.prober.part('indexing');
    await platform.indexed(space);
    platform.prober.part('searching');
    for (const query of ['deep', 'a', 'a b c d e f g h i j', '*_[`<{%'.repeat(20), '文', '"'.repeat(200)]) {
      for (const token of [undefined, visitor])
        await platform.ask(
          'GET',
          `/spaces/${space._id}/search?query=${encodeURIComponent(query)}`,
          undefined,
          token,
        );
    }
    platform.prober.part('reading links');
    await platform.get(`/spaces/${space._id}/links`);
  });

  it('are edited on both sides, merged with conflicts, compared and reverted', async () => {
    const [ours, theirs] = [await open(), await open()];
    const changed = (by: (text: string) => string) =>
      pages
        .filter((_, index) => index % 3 === 0)
        .flatMap(({ name, markdown }) =>
          ids.has(name)
            ? [
                {
                  name,
                  change: {
                    operation: 'update_page',
                    page: ids.get(name),
                    document: { markdown: by(markdown) },
                  },
                },
              ]
            : [],
        );
    platform.prober.part('editing');
    await write(
      ours,
      changed((text) => `${text.slice(0, text.length / 2)}x${text.slice(text.length / 2)}`),
    );
    await write(
      theirs,
      changed((text) => `${text.slice(0, text.length / 2)}y${text.slice(text.length / 2)}z`),
    );
    platform.prober.part('comparing');
    await platform.get(`/spaces/${space._id}/change-requests/${theirs}/changes?limit=1000`);
    platform.prober.part('merging');
    await merge(ours);
    platform.prober.part('merging with conflicts');
    await merge(theirs);
  });

  it('are written as document trees and reverted by blocks', async () => {
    platform.prober.part('writing trees');
    const changeRequest = await open();
    const trees = [];
    for (const { name } of thirds) {
      const id = ids.get(name);
      if (id)
        trees.push({
          name,
          change: {
            operation: 'update_page',
            page: id,
            document: {
              document: (
                await platform.get(
                  `/spaces/${space._id}/content/page/${id}?format=document&dereferenced=false&evaluated=false`,
                )
              ).document,
            },
          },
        });
    }
    await write(changeRequest, trees);
    platform.prober.part('reverting blocks');
    for (const { name } of thirds.filter(({ name: written }) => ids.has(written))) {
      const at = `/spaces/${space._id}/change-requests/${changeRequest}/content`;
      const [node] = (await platform.get(`${at}/page/${ids.get(name)}?format=document`)).document.nodes;
      if (node)
        await platform.ask('POST', at, {
          changes: [{ operation: 'revert_page', page: ids.get(name), block: [node.key] }],
        });
    }
  });

  it('are posted as comments', async () => {
    platform.prober.part('posting comments');
    const changeRequest = await open();
    const comments = `/spaces/${space._id}/change-requests/${changeRequest}/comments`;
    for (const text of pageTexts)
      await platform.ask('POST', comments, { body: { markdown: text.of(comment) } });
    for (const format of ['markdown', 'document']) {
      platform.prober.part(`reading comments as ${format}`);
      expect((await platform.get(`${comments}?limit=1000&format=${format}`)).items.length).toBeGreaterThan(
        150,
      );
    }
  });

  it('are exported, and imported from the exported repository', async () => {
    platform.prober.part('exporting');
    const repository = await platform.lab.gitServer.createRepository('export.git', {
      'README.md': '# Start\n',
    });
    const exported = await platform.lab.export(space, repository.url, { force: true });
    expect(await platform.lab.waitFor(exported._id, ({ finishedAt }) => finishedAt, 120_000)).toMatchObject({
      state: 'succeeded',
    });
    platform.prober.part('importing');
    const imported = await platform.lab.import(await platform.newSpace(), repository.url);
    expect(await platform.lab.waitFor(imported._id, ({ finishedAt }) => finishedAt, 120_000)).toMatchObject({
      state: 'succeeded',
    });
  });
});

describe('an import of hostile text', { timeout: 300_000 }, () => {
  it.each(summaryTexts.map((summary, index) => ({ summary, configuration: configurationTexts[index]! })))(
    'from a repository with $summary.name and $configuration.name ends',
    async ({ summary, configuration }) => {
      platform.prober.part(summary.name);
      const repository = await platform.lab.gitServer.createRepository(
        `${summary.name.replaceAll(/\W+/g, '-')}.git`,
        {
          'SUMMARY.md': `# Summary\n\n${summary.of(200_000)}`,
          '.gitbook.yaml': configuration.of(60_000),
          ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}.md`, `# P${i}\n`])),
        },
      );
      const job = await platform.lab.import(await platform.newSpace(), repository.url);
      const { state } = await platform.lab.waitFor(job._id, ({ finishedAt }) => finishedAt, 120_000);
      expect(['succeeded', 'failed']).toContain(state);
    },
  );

  it('from a web site ends', async () => {
    const { server } = platform;
    const html = { type: 'text/html; charset=utf-8' };
    for (const [i, text] of htmlTexts.entries())
      server.put(`/site/p${i}`, {
        ...html,
        body: `<title>${i}</title><main>${text.of(lengthOf(htmlTexts, text) / 4)}</main>`,
      });
    for (const [i, text] of svgTexts.entries())
      server.put(`/site/s${i}.svg`, { type: 'image/svg+xml', body: text.of(200_000) });
    const body = `<main><p>a</p>${htmlTexts.map((_, i) => `<a href="/site/p${i}">a</a>`).join(' ')}${svgTexts.map((_, i) => `<img src="/site/s${i}.svg">`).join(' ')}</main>`;
    server.put('/site/', { ...html, body });
    const [stars, ...others] = robotsTexts.map((robots) => robots.of(100_000));
    for (const [name, robots] of [
      ['stars', stars],
      ['other rules', others.join('\n')],
    ] as const) {
      platform.prober.part(`a web site with robots.txt of ${name}`);
      server.put('/robots.txt', { type: 'text/plain', body: robots });
      await importFrom('website', '/site/');
      // For the second the rules are enough.
      server.put('/site/', { ...html, body: '<main><p>a</p><a href="/site/a">a</a></main>' });
    }
  });

  it.each(['zip', 'confluence', 'notion'])('from an archive of %s ends', async (source) => {
    platform.prober.part(source);
    const [texts, ending] = source === 'zip' ? [pageTexts, 'md'] : [htmlTexts, 'html'];
    // Not compressed: an archive of what is the same again and again is refused.
    const entries = texts.map((text, i) => ({
      name: `p${i}.${ending}`,
      content: text.of(short),
      isStored: true,
    }));
    platform.server.put(`/${source}.zip`, { type: 'application/zip', body: writeZip(entries) });
    await importFrom(source, `/${source}.zip`);
  });

  it('from a page of Markdown ends', async () => {
    for (const text of thirds.slice(0, 3)) {
      platform.prober.part(text.name);
      platform.server.put('/a.md', { type: 'text/markdown', body: text.of(long) });
      await importFrom('markdown', '/a.md');
    }
  });

  it('from a page of HTML ends', async () => {
    for (const text of htmlTexts.slice(0, 3)) {
      platform.prober.part(text.name);
      platform.server.put('/a.html', {
        type: 'text/html; charset=utf-8',
        body: `<main><p>a</p>${text.of(long)}</main>`,
      });
      await importFrom('html', '/a.html');
    }
  });

  it('from a document of Word ends', async () => {
    platform.prober.part('docx');
    const body = docxOf([...pageTexts, ...htmlTexts].map((text) => ({ text: inXml(text.of(comment)) })));
    platform.server.put('/a.docx', { type: docxType, body });
    await importFrom('docx', '/a.docx');
  });

  it('from a wiki ends', async () => {
    platform.prober.part('wiki');
    const files = Object.fromEntries(pageTexts.map((text, i) => [`p${i}.md`, text.of(short)]));
    const sidebar = summaryTexts.map((text) => text.of(short)).join('\n\n');
    await platform.wikis.createRepository('owner/name.wiki.git', {
      ...files,
      '_Sidebar.md': sidebar,
    });
    await importFrom('github-wiki', `${platform.wikis.url}/owner/name/wiki`);
  });
});

describe('hostile conditions and redirects', { timeout: 120_000 }, () => {
  it('get an answer', async () => {
    platform.prober.part('conditions');
    const changeRequest = await open();
    for (const text of conditionTexts)
      for (const length of [1_000, 100_000]) {
        const condition = text.of(length);
        await platform.ask('POST', `/spaces/${space._id}/change-requests/${changeRequest}/content`, {
          changes: [
            {
              operation: 'insert_page',
              title: 'A',
              condition,
              document: { markdown: `{% if ${condition} %}\n\na\n\n{% endif %}` },
            },
          ],
        });
      }
    platform.prober.part('redirects');
    const at = `/orgs/${space.organization}/sites/${site}`;
    for (const text of redirectTexts)
      for (const length of [500, 60_000]) {
        await platform.ask('POST', `${at}/redirects`, {
          source: text.of(length),
          destination: { kind: 'external', url: 'https://example.org/' },
        });
        await platform.ask(
          'GET',
          `${at}/redirect?source=${encodeURIComponent(text.of(Math.min(length, 3_000)))}`,
        );
      }
  });
});

async function open(): Promise<string> {
  const { status, body } = await platform.ask('POST', `/spaces/${space._id}/change-requests`, {
    subject: 'Hostile',
  });
  expect(status).toBeLessThan(300);
  return body.id;
}

/**
 * Sends changes of pages, many at a time; those of a refused request one by one, since some texts are no
 * pages.
 */
async function write(
  changeRequest: string,
  all: { name: string; change: object }[],
  size = perRequest,
): Promise<void> {
  const isAlone = ({ name }: { name: string }) => size > 1 && name.startsWith('frontmatter');
  const changes = all.filter((one) => !isAlone(one));
  if (changes.length < all.length) await write(changeRequest, all.filter(isAlone), 1);
  for (let start = 0; start < changes.length; start += size) {
    const some = changes.slice(start, start + size);
    const { status, body, text } = await platform.ask(
      'POST',
      `/spaces/${space._id}/change-requests/${changeRequest}/content?compat=false`,
      { changes: some.map(({ change }) => change) },
    );
    if (status === 200) {
      for (const [index, { page }] of (body.changes as { page: string | { id: string } }[]).entries())
        ids.set(some[index]!.name, typeof page === 'string' ? page : page.id);
    } else {
      expect([400, 413], text.slice(0, 500)).toContain(status);
      if (size > 1) await write(changeRequest, some, size === perRequest ? 8 : 1);
    }
  }
}

async function merge(changeRequest: string): Promise<void> {
  const { status, text } = await platform.ask(
    'POST',
    `/spaces/${space._id}/change-requests/${changeRequest}/merge`,
    {},
  );
  expect(status, text.slice(0, 500)).toBe(200);
}

/** Text for an XML document, without characters that XML cannot contain. */
function inXml(text: string): string {
  const known = text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
  return known.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** @param at  the path of a page on the content server, or a URL */
async function importFrom(source: string, at: string): Promise<void> {
  const target = await platform.newSpace();
  const { status, text } = await platform.ask('POST', `/spaces/${target._id}/content/import`, {
    url: new URL(at, platform.server.origin).href,
    source,
  });
  expect(status, text.slice(0, 500)).toBe(200);
}
