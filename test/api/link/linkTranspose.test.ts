import type { FileItem, ReusableContentItem } from '@bindery/content';
import type { OrganizationRecord, SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import type { TestApi } from '../../support/apiServer.ts';
import {
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSpace,
  type TestPage,
  type TestUser,
} from '../../support/factories.ts';
import { it } from '../../support/it.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';

// Links and backlinks say the same thing from two sides: whatever a page, its cover, a link page or a
// reusable content of any space refers to has exactly these places among its backlinks, after every change.

const app = 'http://api.test';
const pagesPerSpace = 6;

type State = {
  space: SpaceRecord;
  pages: TestPage[];
  files: FileItem[];
  reusableContents: ReusableContentItem[];
  isOpen: boolean;
};

describe.each([1, 2, 3])('with the seed %i', (seed) => {
  const random = seededRandom(seed);

  it(
    'backlinks are the transpose of links, also after edits, renames and removals',
    { timeout: 120_000 },
    async ({ api, organization, admin, reader }) => {
      const states: State[] = [];
      for (let index = 0; index < 3; index += 1)
        states.push(await newState({ api, organization }, { index, seed }));
      for (const state of states) await write(state, { states, random });
      await expectTransposed(api, { states, callers: { admin, reader } });
      for (let round = 0; round < 4; round += 1) {
        const state = random.pick(states);
        change(state, random);
        await write(state, { states, random, isWhole: random.chance(0.5) });
        await expectTransposed(api, { states, callers: { admin, reader } });
      }
    },
  );
});

async function newState(
  { api, organization }: { api: TestApi; organization: OrganizationRecord },
  { index, seed }: { index: number; seed: number },
): Promise<State> {
  const isOpen = index < 2;
  const space = await buildSpace(organization, {
    title: `Space ${index}`,
    ...(!isOpen && { defaultLevel: null }),
  });
  const name = (what: string, i: number) => `${what}${seed}x${index}x${i}`;
  const pages = Array.from({ length: pagesPerSpace }, (_, i): TestPage => {
    const folder = i % 2 === 0 ? 'guide/' : '';
    const file = i === 0 ? 'README.md' : `${folder}p${i}.md`;
    const path = file === 'README.md' ? '' : file.replace('.md', '');
    // Every third page was made here and has no file.
    return {
      id: name('page', i),
      title: `P ${i}`,
      path,
      ...(i % 3 !== 2 && { git: { oid: 'o', path: file } }),
    };
  });
  const files = [0, 1].map((i) => ({
    id: name('file', i),
    name: `f${i}.png`,
    git: { oid: 'o', path: `.gitbook/assets/f${i}.png` },
  }));
  return {
    space,
    isOpen,
    pages,
    files: await Promise.all(files.map((file) => buildFile(api.blobs, organization._id, file))),
    reusableContents: [
      {
        id: name('content', 0),
        title: 'Note',
        document: '',
        git: { oid: 'o', path: '.gitbook/includes/note.md' },
      },
    ],
  };
}

/** Moves a page, takes one away, or lets it be. */
function change(state: State, random: SeededRandom): void {
  const index = 1 + random.below(state.pages.length - 1);
  const page = state.pages[index] as TestPage & { path: string };
  const kind = random.below(3);
  if (kind === 0) state.pages.splice(index, 1);
  if (kind === 1) state.pages[index] = { ...page, path: `${page.path}-renamed` };
  if (kind === 2 && 'git' in page)
    state.pages[index] = { ...page, git: { oid: 'o', path: `moved/p${index}.md` } };
}

type Surroundings = { states: readonly State[]; random: SeededRandom };

async function write(
  state: State,
  { states, random, isWhole = true }: Surroundings & { isWhole?: boolean },
): Promise<void> {
  const text = () =>
    `# Title\n\n## Part\n\n${Array.from({ length: 5 }, () => paragraph(state, { states, random })).join('\n\n')}\n`;
  const pages = state.pages.map((page, index): TestPage => {
    if (!isWhole && index > 1) return page;
    const cover = random.chance(0.3)
      ? { cover: { ref: { kind: 'file' as const, file: random.pick(state.files).id }, yPos: 0 } }
      : {};
    return { ...page, type: 'document', source: text(), ...cover } as TestPage;
  });
  state.pages = pages;
  const target = random.pick(random.pick(states).pages);
  const link: TestPage = {
    type: 'link',
    id: `link${state.space._id}`,
    title: 'L',
    target: { kind: 'page', page: target.id ?? '' },
  };
  const [content] = state.reusableContents as [ReusableContentItem];
  const { document } = await buildReusableContent(state.space.organization, { source: text() });
  await buildRevision(state.space, {
    pages: [...pages, link],
    files: state.files,
    reusableContents: [{ ...content, document }],
  });
}

function paragraph(state: State, { states, random }: Surroundings): string {
  const page = random.pick(state.pages) as { id: string; path: string; git?: { path: string } };
  const foreign = random.pick(states);
  const there = random.pick(foreign.pages) as { id: string; path: string };
  const anchor = random.pick(['', '#part', '#gone']);
  return random.pick([
    `[a](/pages/${page.id}${anchor})`,
    `[a](/${page.git?.path ?? `${page.path}.md`}${anchor}) and [b](/pages/${page.id})`,
    `![](/files/${random.pick(state.files).id})`,
    '![](/.gitbook/assets/f0.png) [same](/.gitbook/assets/f0.png)',
    '{% include "/.gitbook/includes/note.md" %}',
    `[a](${app}/s/${foreign.space._id}/${there.path}${anchor})`,
    `[a](https://app.gitbook.com/s/${foreign.space._id}/~/pages/${there.id})`,
    `[a](/spaces/${foreign.space._id}/pages/${there.id}${anchor})`,
    `[a](${app}/s/${foreign.space._id})`,
    '[a](#part) [b](gone.md) [c](https://example.org)',
    `> [a](/pages/${page.id})\n\n* [b](/pages/${page.id}#part)`,
    `<table data-view="cards"><thead><tr><th>T</th><th data-card-target data-type="content-ref">R</th></tr></thead><tbody><tr><td>x</td><td><a href="/pages/${page.id}">y</a></td></tr></tbody></table>`,
  ]);
}

type Location = { kind: string; space?: { id: string }; internalLocation?: { node?: string } } & Record<
  string,
  { id: string } | undefined
>;

type Item = { targetReference: Location; locationReferences: Location[] };

/** Compares both sides as each caller sees them. */
async function expectTransposed(
  api: TestApi,
  { states, callers }: { states: readonly State[]; callers: Record<'admin' | 'reader', TestUser> },
): Promise<void> {
  for (const [caller, { token }] of Object.entries(callers)) {
    const seen = states.filter(({ isOpen }) => isOpen || caller === 'admin');
    const read = async <Item>(path: string): Promise<Item[]> => {
      const { status, body } = await api.call('GET', `/v1${path}?limit=1000`, { token });
      expect([path, status]).toEqual([path, 200]);
      return body.items;
    };
    const forward: string[] = [];
    const backward: string[] = [];
    for (const { space, pages, files } of seen) {
      for (const { targetReference: target, locationReferences } of await read<Item>(
        `/spaces/${space._id}/links`,
      )) {
        const id =
          target.kind === 'page' || target.kind === 'file'
            ? `${target.space?.id} ${target[target.kind]?.id}`
            : undefined;
        if (id !== undefined)
          forward.push(...locationReferences.map((location) => `${id} <- ${placeName(location)}`));
      }
      for (const [kind, items] of [
        ['page', pages],
        ['files', files],
      ] as const) {
        for (const { id } of items) {
          const locations = await read<Location>(`/spaces/${space._id}/content/${kind}/${id}/backlinks`);
          backward.push(...locations.map((location) => `${space._id} ${id} <- ${placeName(location)}`));
        }
      }
    }
    // A block may refer to a page and to a part of it: two targets, one backlink. Link pages cannot be asked
    // for what leads to them: nothing does.
    expect(backward.toSorted()).toEqual([...new Set(forward)].toSorted());
    expect(backward.length).toBeGreaterThan(10);
  }
}

function placeName(location: Location): string {
  const object = location.kind === 'reusable-content' ? location['reusableContent'] : location['page'];
  return [location.space?.id, object?.id, location.internalLocation?.node ?? ''].join(' ');
}
