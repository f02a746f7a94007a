import { loadPublishingAuth, privateKeyOf } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { buildSection, buildSite, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import {
  adaptiveSchema,
  addressesOf,
  buildCanarySite,
  plans,
  type Plan,
} from '../support/site/canarySite.ts';
import { it as base } from '../support/site/siteIt.ts';
import type { SiteAnswer } from '../support/site/siteServer.ts';

// Visitors with different claims read a site at once; canary words show whether anything crosses.

const it = base
  .extend('site', { scope: 'file' }, ({ api, organization }) => buildCanarySite(api, organization))
  .extend('ask', { scope: 'file' }, async ({ api, site, server, hostname }) => {
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const exp = Math.floor(Date.now() / 1_000) + 600;
    /** Asks for a path of the site, or of its origin, as a visitor with a plan, or without claims. */
    return async (path: string, plan?: Plan, headers: Record<string, string> = {}) => {
      const token = plan && signVisitorToken({ plan, exp }, { key });
      const target = path.startsWith(`/${hostname}/`) ? path : `/${hostname}/${site.basename}${path}`;
      return server.ask(target, {
        headers: { ...headers, ...(token && { cookie: `bindery-visitor=${token}` }) },
      });
    };
  })
  .extend('filesOf', { scope: 'file' }, ({ ask }) => {
    /** The paths of all files that a visitor with a plan finds, of pictures too. */
    return async (plan: Plan) => {
      const pages = await Promise.all(['', `/only-${plan}`].map((path) => ask(path, plan)));
      return [
        ...pages
          .map(({ text }) => text)
          .join('')
          .matchAll(/="([^"]*\/~\/files\/[^"]+)"/g),
      ].map(([, path]) => path!);
    };
  });

/** Addresses for all visitors; `shows` names the part that the answer has for visitors who may see it. */
const sharedAddresses: readonly { path: string; shows?: string }[] = [
  { path: '', shows: 'block' },
  { path: '/shared.md', shows: 'block' },
  { path: '/middle', shows: 'title' },
  { path: '/middle.md' },
  { path: '/~/print', shows: 'page' },
  { path: '/~/search?q=fruit', shows: 'page' },
  { path: '/~/search.json?q=fruit', shows: 'title' },
  { path: '/~/search.json?q=canary' },
  { path: '/sitemap.xml' },
  { path: '/llms.txt', shows: 'description' },
  { path: '/llms-full.txt', shows: 'page' },
  { path: '/rss.xml', shows: 'entry' },
  { path: '/robots.txt' },
  { path: '/nowhere' },
];

const otherThan = (plan: Plan | undefined) => plans.filter((each) => each !== plan);
const everything = ({ headers, text }: SiteAnswer) => `${JSON.stringify(headers)}\n${text}`;

/** All at once, in both orders: kept and shared answers would show. */
const crowd: readonly (Plan | undefined)[] = ['apple', undefined, 'pear', 'pear', undefined, 'apple'];

function expectNothingOfOthers(answer: SiteAnswer, plan: Plan | undefined, path: string): void {
  for (const other of otherThan(plan))
    expect(everything(answer), `${path} for ${plan}`).not.toMatch(
      new RegExp(`canary-${other}|(?:only|variant|section)-${other}`),
    );
}

describe('two visitors with different claims', () => {
  it.for(sharedAddresses)('never see the content of the other at $path', async ({ path, shows }, { ask }) => {
    const answers = await Promise.all(crowd.map(async (plan) => ({ plan, answer: await ask(path, plan) })));
    for (const { plan, answer } of answers) {
      expect(answer.status).toBe(path === '/nowhere' ? 404 : 200);
      expect(answer.headers['cache-control']).toBe(
        plan ? 'private, no-store' : 'public, max-age=0, must-revalidate',
      );
      expectNothingOfOthers(answer, plan, path);
      if (plan && shows !== undefined) expect(answer.text, path).toContain(`canary-${plan}-${shows}`);
    }
  });

  it.for(sharedAddresses)('get no 304 for the content of the other, at $path', async ({ path }, { ask }) => {
    const known = await ask(path, 'apple');
    for (const plan of ['pear', undefined] as const) {
      const again = await ask(path, plan, { 'if-none-match': known.headers.etag! });
      const isSame = (await ask(path, plan)).text === known.text;
      if (known.status === 200) expect([path, plan, again.status]).toEqual([path, plan, isSame ? 304 : 200]);
      expectNothingOfOthers(again, plan, path);
    }
  });

  it.for(plans)('see their own content only: %s', async (plan, { ask, filesOf }) => {
    for (const path of addressesOf(plan)) {
      const answer = await ask(path, plan);
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 307])]);
      expect(everything(answer)).toMatch(new RegExp(`canary-${plan}|(?:only|variant|section)-${plan}`));
      expectNothingOfOthers(answer, plan, path);
    }
    const files = await filesOf(plan);
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) expect((await ask(path, plan)).text).toBe(`canary-${plan}-bytes`);
    expect((await ask(`/only-${plan}`, plan)).text).toContain(`canary-${plan}-operation`);
  });

  it.for(plans)(
    'cannot tell the content for %s from addresses that do not exist',
    async (plan, { ask, filesOf }) => {
      const nowhere = new Map(
        await Promise.all(
          otherThan(plan)
            .concat(undefined as never)
            .map(async (other) => [other, await ask('/nowhere', other)] as const),
        ),
      );
      for (const path of [...addressesOf(plan), ...(await filesOf(plan))])
        for (const [other, expected] of nowhere) {
          // While those who may see it ask as well.
          const [, answer] = await Promise.all([ask(path, plan), ask(path, other), ask(path, plan)]);
          const { date: _given, ...given } = answer.headers;
          const { date: _wanted, ...wanted } = expected.headers;
          expect([path, other, answer.status, given, answer.text]).toEqual([
            ...[path, other, 404, wanted, expected.text],
          ]);
        }
    },
  );
});

/** Conditions that nobody meets: they are no conditions, name nothing, or are no truth. */
const unmet = [
  ...['(((', '', ' ', 'visitor.claims.plan ==', '!', 'true &&', 'true true', '{% endif %}', '\0'],
  ...[
    'visitor',
    'visitor.claims',
    'visitor.claims.plan',
    'visitor.claims.plan.deep.er',
    '"true"',
    '1',
    'null',
  ],
  ...[
    'visitor.claims.nothing',
    '!visitor.claims.nothing',
    'visitor.claims.nothing == visitor.claims.nothing',
  ],
  ...[
    'visitor.__proto__',
    'visitor.claims.constructor',
    'visitor.claims.toString()',
    'globalThis',
    'process.exit(1)',
  ],
  ...[
    `${'('.repeat(30_000)}true${')'.repeat(30_000)}`,
    `${'!'.repeat(60_000)}true`,
    `true${' || true'.repeat(8_000)}`,
  ],
];

describe('content with a condition that fails', () => {
  it('is hidden from everyone', async ({ api, organization, server, hostname }) => {
    const words = unmet.map((condition, index) => ({ condition, word: `canary-${index}-` }));
    const space = await publishPages(await buildSpace(organization), [
      {
        title: 'Home',
        path: 'home',
        source: `# Home\n\nFruit\n\n${words.map(({ condition, word }) => `{% if ${condition} %}\n\n${word}block\n\n{% endif %}`).join('\n\n')}`,
      },
      ...words.map(({ condition, word }, index) => ({
        ...{ title: `${word}title`, path: `unmet-${index}`, condition, source: `# x\n\nFruit ${word}` },
      })),
    ]);
    await indexWhatWaits(api.config);
    const links = words.map(({ condition, word }) => ({
      ...{ title: `${word}link`, links: [], condition, to: { kind: 'url', url: 'https://example.org/' } },
    }));
    const site = await buildSite(organization, {
      ...{ isPublished: true, adaptiveSchema: adaptiveSchema() },
      customization: { settings: { header: { links } }, updatedAt: new Date() } as never,
    });
    await buildSection(site, { space, title: 'Guides', path: 'guides' });
    for (const [index, { condition, word }] of words.entries())
      await buildSection(site, { space, title: `${word}section`, path: `part-${index}`, condition });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const token = signVisitorToken({ plan: 'apple', exp: Math.floor(Date.now() / 1_000) + 600 }, { key });
    const hidden = words.flatMap((_, index) => [`/unmet-${index}`, `/unmet-${index}.md`, `/part-${index}`]);
    const shared = ['', '/home.md', '/~/search?q=fruit', '/sitemap.xml', '/llms.txt', '/llms-full.txt'];
    for (const cookie of ['', `bindery-visitor=${token}`])
      for (const path of [...shared, ...hidden]) {
        const { status, text } = await server.ask(`/${hostname}/${site.basename}${path}`, {
          headers: { cookie },
        });
        expect([path, status, /canary-.{20}/.exec(text)?.[0]]).toEqual([
          ...[path, hidden.includes(path) ? 404 : 200, undefined],
        ]);
      }
  });
});
