import type { FileItem, ReusableContentItem } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import {
  buildChangeRequest,
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
  type TestPage,
} from '../../support/factories.ts';
import { indexEverything } from '../../support/content/indexing.ts';
import { itInNewOrganization as it } from '../../support/it.ts';
import { seededRandom, suiteSeed, type SeededRandom } from '../../support/seededRandom.ts';

// Random sites, of which each part has a word of its own (`zq7x`), and a model that says on which conditions
// a visitor may come across it. Then all that a visitor can ask for is asked for: no answer may hold another
// word.

type Claims = { a?: boolean; b?: boolean; n?: number; plan?: string };
type Condition = { text: string; isMet: (claims: Claims) => boolean };
/** All of them have to be met. */
type Chain = readonly Condition[];

const conditions: readonly Condition[] = [
  { text: 'visitor.claims.a == true', isMet: ({ a }) => a === true },
  { text: '!(visitor.claims.b == true)', isMet: ({ b }) => b === false },
  { text: 'visitor.claims.n > 2', isMet: ({ n = 0 }) => n > 2 },
  {
    text: 'visitor.claims.plan == "pro" || visitor.claims.a == true',
    isMet: ({ plan, a }) => plan === 'pro' || a === true,
  },
];
const never: Condition = { text: 'false', isMet: () => false };

/** The visible words: for each word its chains, one of which is enough. */
class Model {
  readonly words = new Map<string, Chain[]>();
  readonly #random: SeededRandom;
  constructor(random: SeededRandom) {
    this.#random = random;
  }
  word(chain?: Chain): string {
    const word = `zq${this.words.size}x`;
    this.words.set(word, chain ? [chain] : []);
    return word;
  }
  show(word: string, chain: Chain): void {
    this.words.get(word)?.push(chain);
  }
  isShown(word: string, claims: Claims): boolean {
    return this.words.get(word)?.some((chain) => chain.every(({ isMet }) => isMet(claims))) ?? false;
  }
  maybe(probability: number): Condition | undefined {
    return this.#random.chance(probability) ? this.#random.pick(conditions) : undefined;
  }
}

const block = (condition: Condition, text: string) => `{% if ${condition.text} %}\n\n${text}\n\n{% endif %}`;

/** The content of a space, all of which stands on `outer`. */
async function buildContent(
  at: { space: SpaceRecord; blobs: Parameters<typeof buildFile>[0] },
  { model, random, outer }: { model: Model; random: SeededRandom; outer: Chain },
) {
  const { space, blobs } = at;
  const files = Array.from({ length: 6 }, () => model.word());
  const contents = Array.from({ length: 4 }, () => ({
    id: model.word(),
    inner: model.maybe(0.5),
    file: random.pick(files),
  })).map((content) => ({
    ...content,
    innerWord: model.word(),
  }));
  const useContent = (index: number, chain: Chain) => {
    for (const { id, inner, innerWord, file } of contents.slice(index, index + 2)) {
      model.show(id, chain);
      const inside = inner ? [...chain, inner] : chain;
      model.show(innerWord, inside);
      model.show(file, inside);
    }
  };
  const pages: { id: string; searched: string[] }[] = [];
  const ids: string[] = [];
  const piece = (chain: Chain, searched: string[]): string => {
    const kind = random.below(6);
    if (kind === 0) {
      const file = random.pick(files);
      model.show(file, chain);
      return random.chance(0.5) ? `![](/files/${file})` : `![](.gitbook/assets/${file}.png)`;
    }
    if (kind === 1) {
      // The last one includes nothing, so that each use shows the same two.
      const index = random.pick([0, 2]);
      useContent(index, chain);
      return `{% include "${contents[index]?.id}.md" %}`;
    }
    if (kind === 2 && ids.length > 0) {
      const target = random.pick(ids);
      return random.pick([
        `[see](${target}.md)`,
        `[see](/pages/${target})`,
        `{% content-ref url="${target}.md" %}\n[see](${target}.md)\n{% endcontent-ref %}`,
      ]);
    }
    const word = model.word(chain);
    searched.push(word);
    return random.chance(0.3) ? `## ${word}` : `${word} and more.`;
  };
  const text = (chain: Chain, searched: string[], depth: number): string =>
    Array.from({ length: 1 + random.below(4) }, () => {
      const condition = depth < 3 ? model.maybe(0.4) : undefined;
      return condition
        ? block(condition, text([...chain, condition], searched, depth + 1))
        : piece(chain, searched);
    }).join('\n\n');
  const build = (above: Chain, path: string, depth: number): TestPage[] =>
    Array.from({ length: 1 + random.below(3) }, (): TestPage => {
      const condition = model.maybe(0.3);
      const chain = condition ? [...above, condition] : above;
      const id = model.word(chain);
      const here = path === '' ? id : `${path}/${id}`;
      if (ids.length > 0 && random.chance(0.15))
        return {
          type: 'link',
          id: model.word(above),
          title: 'Link',
          target: { kind: 'page', page: random.pick(ids) },
        };
      ids.push(id);
      const searched: string[] = [];
      const isBroken = random.chance(0.15);
      // Of a page with a tag in the middle of a line nobody can decide which block is for whom.
      const body = isBroken
        ? `Text {% if ${conditions[0]?.text} %} ${model.word([never])} {% endif %}.`
        : text(chain, searched, 0);
      pages.push({ id, searched });
      return {
        id,
        title: id,
        slug: id,
        path: here,
        source: `# ${id}\n\n${body}\n`,
        git: { oid: id, path: `${id}.md` },
        ...(condition && { condition: condition.text }),
        pages: depth < 1 ? build(chain, here, depth + 1) : [],
      } as TestPage;
    });
  const tree = build(outer, '', 0);
  const stored: { files: FileItem[]; reusableContents: ReusableContentItem[] } = {
    files: [],
    reusableContents: [],
  };
  for (const id of files)
    stored.files.push(
      await buildFile(blobs, space.organization, {
        id,
        name: `${id}.png`,
        bytes: id,
        git: { oid: id, path: `.gitbook/assets/${id}.png` },
      }),
    );
  for (const [index, { id, inner, innerWord, file }] of contents.entries()) {
    const inside = `${innerWord}\n\n![](/files/${file})`;
    const next = index % 2 === 0 ? `\n\n{% include "${contents[index + 1]?.id}.md" %}` : '';
    const source = `${id}\n\n${inner ? block(inner, inside) : inside}${next}\n`;
    stored.reusableContents.push(
      await buildReusableContent(space.organization, {
        id,
        title: id,
        source,
        git: { oid: id, path: `${id}.md` },
      }),
    );
  }
  const old = await buildRevision(space, {
    pages: [{ id: model.word(), title: model.word(), source: model.word() }],
  });
  const revision = await buildRevision(space, { pages: tree, ...stored });
  const draft = await buildChangeRequest({ ...space, revision: revision._id }, { subject: model.word() });
  return { space, outer, pages, files, contents, old, revision, draft };
}

const cases = Array.from({ length: 2 }, (_, index) => suiteSeed + index);

it.for(cases)(
  'a visitor sees only the content whose conditions they meet (seed %i)',
  { timeout: 180_000 },
  async (seed, { api, organization, admin }) => {
    const random = seededRandom(seed);
    const model = new Model(random);
    const site = await buildSite(organization, { visibility: 'unlisted', isPublished: true });
    const built: Awaited<ReturnType<typeof buildContent>>[] = [];
    for (let index = 0; index < 2; index += 1) {
      const inSection = model.maybe(0.3);
      const sectionChain = inSection ? [inSection] : [];
      let section: string | undefined;
      for (let variant = 0; variant < 2; variant += 1) {
        // The first of a section has no condition of its own.
        const condition = section === undefined ? undefined : model.maybe(0.3);
        const outer = condition ? [...sectionChain, condition] : sectionChain;
        const space = await buildSpace(organization, {
          title: model.word(outer),
          ...(random.chance(0.5) && { defaultLevel: null }),
        });
        if (section !== undefined)
          await buildSiteSpace(site, { space, section, ...(condition && { condition: condition.text }) });
        else {
          const fields = {
            space,
            title: model.word(sectionChain),
            ...(inSection && { condition: inSection.text }),
          };
          section = (await buildSection(site, fields))._id;
        }
        built.push(await buildContent({ space, blobs: api.blobs }, { model, random, outer }));
      }
    }
    const elsewhere = await buildSpace(organization, { title: model.word() });
    built.push(await buildContent({ space: elsewhere, blobs: api.blobs }, { model, random, outer: [never] }));
    await indexEverything(api.config);

    const atSite = `/v1/orgs/${organization._id}/sites/${site._id}`;
    for (let round = 0; round < 2; round += 1) {
      const claims: Claims = {
        ...(random.chance(0.5) && { a: random.chance(0.5) }),
        ...(random.chance(0.6) && { b: random.chance(0.5) }),
        ...(random.chance(0.5) && { n: random.below(5) }),
        ...(random.chance(0.3) && { plan: 'pro' }),
      };
      const token = await contentTokenFor(api, site, { claims });
      const read = async (path: string, json?: object) => {
        const answer = await api.call(json ? 'POST' : 'GET', path, { token, ...(json && { json }) });
        // An error says at most what was asked for.
        const words = answer.status === 200 ? (answer.text.match(/zq\d+x/g) ?? []) : [];
        const hidden = words.filter((word) => !model.isShown(word, claims));
        expect({ seed, claims, path, hidden }).toEqual({ seed, claims, path, hidden: [] });
        return answer;
      };
      const expectStatus = async (path: string, isShown: boolean) =>
        expect([seed, claims, path, (await read(path)).status]).toEqual([
          seed,
          claims,
          path,
          isShown ? 200 : 404,
        ]);

      for (const path of ['published', 'structure', 'sections', 'site-spaces'])
        expect((await read(`${atSite}/${path}`)).status).toBe(200);
      await read(`${atSite}/search`, { query: 'and more', mode: 'all' });
      for (const { space, outer, pages, files, contents, old, revision, draft } of built) {
        const isShown = outer.every(({ isMet }) => isMet(claims));
        const root = `/v1/spaces/${space._id}`;
        for (const path of [
          '',
          '/content',
          '/content/pages',
          '/content/files',
          `/revisions/${revision._id}`,
          '/search?query=more',
        ])
          await expectStatus(root + path, isShown);
        for (const path of [
          `/revisions/${old._id}`,
          `/revisions/${old._id}/pages`,
          `/change-requests/${draft._id}`,
          `/change-requests/${draft._id}/content`,
        ])
          await expectStatus(root + path, false);
        for (const id of files) await expectStatus(`${root}/content/files/${id}`, model.isShown(id, claims));
        for (const { id } of contents)
          for (const path of ['', '/document'])
            await expectStatus(`${root}/content/reusable-contents/${id}${path}`, model.isShown(id, claims));
        for (const { id, searched } of pages) {
          const ways = [
            '',
            '?format=document',
            '?evaluated=false',
            '?format=markdown&dereferenced=true',
            '/document',
            '/document?dereferenced=true',
            '/meta-links',
          ];
          for (const way of ways)
            await expectStatus(`${root}/content/page/${id}${way}`, model.isShown(id, claims));
          if (!isShown) continue;
          for (const word of [id, ...searched]) {
            const { body } = await read(`${root}/search?query=${word}`);
            expect({ seed, claims, word, count: body.count }).toEqual({
              seed,
              claims,
              word,
              count: model.isShown(word, claims) ? 1 : 0,
            });
          }
        }
        const whole = (await api.call('GET', `${root}/content`, { token: admin.token })).body;
        for (const { document } of whole.reusableContents ?? []) await read(`${root}/documents/${document}`);
        for (const { documentId } of whole.pages ?? [])
          if (documentId) await read(`${root}/documents/${documentId}`);
      }
    }
  },
);
