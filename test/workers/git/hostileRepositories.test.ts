import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startGitPlatform, type GitPlatform } from '../../support/git/gitPlatform.ts';
import type { GitRepository, RepositoryFiles, TreeLine } from '../../support/git/gitRepository.ts';
import { type GitServer, startGitServer } from '../../support/git/gitServer.ts';
import { peakBytesOf } from '../../support/processes/procfs.ts';
import { readingProcesses } from '../../support/git/readRemote.ts';
import type { SpaceRecord } from '@bindery/models';

// Whole imports, from the request to the end of the job: what is refused changes nothing, and the next one is
// carried out.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const MB = 1024 * 1024;

let server: GitServer;
let platform: GitPlatform;
let space: SpaceRecord;
let good: { url: string };
beforeAll(async () => {
  server = await startGitServer();
  platform = await startGitPlatform({ BINDERY_OUTBOUND_ALLOW: server.hostPort }, { hasProcesses: true });
  good = await server.createRepository('good.git', {
    'README.md': '# Home\n',
    'SUMMARY.md': '* [Home](README.md)\n',
  });
  space = await platform.newSpace();
  await platform.import(space, good.url);
});
afterAll(async () => {
  await platform.close();
  await server.close();
});

type Repository = GitRepository & { url: string };
let repositories = 0;
const newRepository = (files: RepositoryFiles = {}): Promise<Repository> =>
  server.createRepository(`r${repositories++}.git`, files);

/**
 * The import fails as expected, and says what to do; the space is what it was; memory stays in bounds; a good
 * import follows.
 */
async function expectRefusal({ url }: { url: string }, code: string, says: RegExp): Promise<void> {
  const before = await platform.stateOf(space);
  let childBytes = 0;
  const sampling = setInterval(
    () => (childBytes = Math.max(childBytes, ...readingProcesses().map((process) => process.peakBytes))),
    20,
  );
  const job = await platform.import(space, url);
  clearInterval(sampling);
  expect(job).toMatchObject({
    state: 'failed',
    error: { code: expect.stringMatching(new RegExp(`^(${code})$`)) },
  });
  expect(`${job.error?.message} ${job.error?.action}`).toMatch(says);
  expect(await platform.stateOf(space)).toEqual(before);
  expect(childBytes).toBeLessThan(1024 * MB);
  expect(peakBytesOf('self')).toBeLessThan(1024 * MB);
  expect(await platform.import(await platform.newSpace(), good.url)).toMatchObject({ state: 'succeeded' });
}

async function withTree(lines: (repository: Repository) => Promise<TreeLine[]>): Promise<Repository> {
  const repository = await newRepository();
  await repository.commitTree(await repository.writeTree(await lines(repository)));
  return repository;
}

const entry = (name: string | Uint8Array, oid: string, mode = '100644'): TreeLine => ({ mode, name, oid });

describe('a repository is refused', () => {
  it.each(['..', 'GIT~1', '.g\u200cit', 'a\nb.md'])('for the name %j', async (name) => {
    const repository = await withTree(async ({ writeBlob }) => [entry(name, await writeBlob('# Page\n'))]);
    await expectRefusal(repository, 'unsafe_tree', /root folder.*git fsck/);
  });

  it('for a duplicate name', async () => {
    const repository = await withTree(async ({ writeBlob, writeTree }) => [
      entry('a.md', await writeBlob('# One\n')),
      entry('a.md', await writeTree([]), '40000'),
    ]);
    await expectRefusal(repository, 'unsafe_tree', /one name twice/);
  });

  it('for folders deeper than 64 levels', async () => {
    const repository = await newRepository({ [`${'d/'.repeat(65)}page.md`]: '# Deep\n' });
    await expectRefusal(repository, 'limit', /64 levels/);
  });

  it('for a path of more than 1024 bytes', async () => {
    const repository = await newRepository({ [`${`${'n'.repeat(200)}/`.repeat(6)}page.md`]: '# Long\n' });
    await expectRefusal(repository, 'limit', /1024/);
  });

  it('for 50,001 entries, also when ten objects describe them', async () => {
    const many = await withTree(async ({ writeBlob }) => {
      const blob = await writeBlob('x');
      return Array.from({ length: 50_001 }, (_, n) => entry(`f${String(n).padStart(6, '0')}.txt`, blob));
    });
    await expectRefusal(many, 'limit', /50000 files.*repoProjectDirectory/);
    const bomb = await newRepository();
    let tree = await bomb.writeTree([entry('a.md', await bomb.writeBlob('x'))]);
    for (let level = 0; level < 10; level++)
      tree = await bomb.writeTree(Array.from({ length: 10 }, (_, n) => entry(`d${n}`, tree, '40000')));
    await bomb.commitTree(tree);
    await expectRefusal(bomb, 'limit', /50000 files/);
  });

  it('for a page of 11 MB', async () => {
    await expectRefusal(
      await newRepository({ 'README.md': Buffer.alloc(11 * MB, 'words ') }),
      'too_large',
      /README\.md.*(Split|move)/s,
    );
  });

  it.each([400, 4_000, 60_000])(
    'for one page with a description of %i characters under 40,000 names',
    async (length) => {
      const repository = await withTree(async ({ writeBlob, writeTree }) => {
        const blob = await writeBlob(`---\ndescription: ${'d'.repeat(length)}\n---\n\n# Page\n`);
        const folder = await writeTree(
          Array.from({ length: 200 }, (_, n) => entry(`page-${String(n).padStart(3, '0')}.md`, blob)),
        );
        return Array.from({ length: 200 }, (_, n) =>
          entry(`folder-${String(n).padStart(3, '0')}`, folder, '40000'),
        );
      });
      if (length > 1_000) await expectRefusal(repository, 'limit', /descriptions.*frontmatter/s);
      else
        expect(await platform.import(await platform.newSpace(), repository.url)).toMatchObject({
          state: 'succeeded',
        });
      expect(peakBytesOf('self')).toBeLessThan(1024 * MB);
    },
  );

  it('for a navigation of more pages than a space may have, or one that is too large', async () => {
    const lines = Array.from({ length: 50_001 }, (_, n) => `* [p](https://x.example/${n})\n`).join('');
    await expectRefusal(
      await newRepository({ 'README.md': '# Home\n', 'SUMMARY.md': lines }),
      'limit|too_large',
      /navigation|SUMMARY/,
    );
    const long = `* [${'x'.repeat(3 * MB)}](README.md)\n`;
    await expectRefusal(
      await newRepository({ 'README.md': '# Home\n', 'SUMMARY.md': long }),
      'limit|too_large',
      /SUMMARY|navigation/,
    );
  });

  it('for a root folder outside of the repository', async () => {
    for (const root of ['../..', '/../etc', 'docs/../../x'])
      await expectRefusal(
        await newRepository({ 'README.md': '# Home\n', '.gitbook.yaml': `root: ${root}\n` }),
        'not_found',
        /root.*\.gitbook\.yaml/s,
      );
  });
});

/** Imports the files and returns their content, with the warnings of the log. */
async function read(repository: { url: string }) {
  const target = await platform.newSpace();
  const job = await platform.import(target, repository.url);
  expect(job).toMatchObject({ state: 'succeeded' });
  const { outline, textOf } = await platform.contentOf(target);
  const { body } = await platform.api.call('GET', `/v1/jobs/${job._id}`, { token: platform.admin.token });
  return { outline, textOf, log: JSON.stringify(body) };
}

describe('a reading process', () => {
  it('skips links, submodules and names that are not text, and lists them', async () => {
    const repository = await withTree(async ({ writeBlob, writeTree }) => [
      entry(
        '.gitmodules',
        await writeBlob('[submodule "m"]\n\tpath = module\n\turl = http://127.0.0.1:1/x.git\n'),
      ),
      entry('README.md', await writeBlob('# Home\n')),
      entry(Buffer.from('caf\xe9.md', 'latin1'), await writeBlob('# Latin\n')),
      entry('docs', await writeTree([entry('page.md', await writeBlob('# Page\n'))]), '40000'),
      entry('folder', await writeBlob('docs'), '120000'),
      entry('link.md', await writeBlob('/etc/passwd'), '120000'),
      entry('module', 'ab'.repeat(20), '160000'),
    ]);
    const { outline, log } = await read(repository);
    expect(outline).toEqual(['document Home /readme', 'document docs /docs', '  document Page /docs/page']);
    for (const name of ['caf\ufffd.md', 'folder', 'link.md', 'module'])
      expect(log).toContain(`"path":"${name}"`);
    expect(log).toMatch(/Symbolic links are not imported.*Submodules are not imported/s);
  });

  it('skips files that are too large, and lists them', async () => {
    const { outline, log } = await read(
      await newRepository({
        'README.md': '# Home\n\n![](.gitbook/assets/large.bin)\n',
        '.gitbook/assets/large.bin': Buffer.alloc(30 * MB),
      }),
    );
    expect(outline).toEqual(['document Home /readme']);
    expect(log).toMatch(/larger than 25 MB.*large\.bin/s);
  });

  it('lists some of 40,000 links and counts the rest', async () => {
    const repository = await withTree(async ({ writeBlob }) => {
      const target = await writeBlob('/etc/passwd');
      const links = Array.from({ length: 40_000 }, (_, n) =>
        entry(`link${String(n).padStart(6, '0')}-${'x'.repeat(200)}`, target, '120000'),
      );
      return [entry('README.md', await writeBlob('# Home\n')), ...links];
    });
    const { outline, log } = await read(repository);
    expect(outline).toEqual(['document Home /readme']);
    expect(log.length).toBeLessThan(2 * MB);
    expect(peakBytesOf('self')).toBeLessThan(1024 * MB);
  });
});

describe('an import of unusual content', () => {
  // The content does not depend on the process that reads the repository.
  beforeAll(() => platform.readHere());

  it('keeps names apart that differ only in case or Unicode composition', async () => {
    const { outline, textOf, log } = await read(
      await newRepository({
        'README.md': '# Upper\n',
        'readme.md': '# Lower\n',
        'Guide.md': '# Guide upper\n',
        'guide.md': '# Guide lower\n',
        'caf\u00e9.md': '# Composed\n',
        'cafe\u0301.md': '# Decomposed\n',
      }),
    );
    expect(new Set(outline.map((line) => line.split(' ').at(-1))).size).toBe(6);
    expect(textOf('Guide upper')).toBe('# Guide upper\n');
    expect(textOf('Lower')).toBe('# Lower\n');
    expect(textOf('Decomposed')).toBe('# Decomposed\n');
    expect(log).toMatch(/guide\.md/);
  });

  it('makes several pages of equal files, and one page and a link of a file listed twice', async () => {
    const { outline } = await read(
      await newRepository({
        'README.md': '# Same\n',
        'copy.md': '# Same\n',
        'sub/copy.md': '# Same\n',
        'SUMMARY.md':
          '* [One](README.md)\n* [Two](copy.md)\n* [Three](sub/copy.md)\n* [Two again](copy.md)\n',
      }),
    );
    expect(outline).toEqual([
      'document One /readme',
      'document Two /copy',
      'document Three /copy-1',
      expect.stringMatching(/^link Two again/),
    ]);
  });

  it.each<[what: string, files: Record<string, string>]>([
    [
      'names that objects have',
      {
        '__proto__.md': '# A\n',
        'constructor.md': '# B\n',
        'hasOwnProperty/README.md': '# C\n',
        '__proto__/x.md': '# D\n',
      },
    ],
    [
      'names that other systems do not take',
      {
        'CON.md': '# A\n',
        'nul.md': '# B\n',
        'dot. .md': '# C\n',
        'trailing /page.md': '# D\n',
        'a\\b.md': '# E\n',
      },
    ],
    [
      'names that shells read',
      {
        '-rf.md': '# A\n',
        '$(id).md': '# B\n',
        '`id`.md': '# C\n',
        '*.md': '# D\n',
        '%2e%2e%2fx.md': '# E\n',
      },
    ],
  ])('accepts %s', async (_, files) => {
    const { outline } = await read(await newRepository({ 'README.md': '# Home\n', ...files }));
    expect(outline.filter((line) => /document [A-E] /.test(line)).length).toBe(Object.keys(files).length);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  const nested = `${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`;
  it.each<[what: string, yaml: string]>([
    [
      'aliases of aliases',
      `a: &a [x, x]\n${Array.from({ length: 20 }, (_, n) => `k${n}: &b${n} [*${n ? `b${n - 1}` : 'a'}, *${n ? `b${n - 1}` : 'a'}]`).join('\n')}\n`,
    ],
    ['itself in itself', '&a [*a]\n'],
    ['merge keys', `a: &a {x: 1}\nb: {<<: [${Array(500).fill('*a').join(', ')}]}\n`],
    ['5,000 levels', `root: ${nested}\n`],
    ['half a megabyte of keys', Array.from({ length: 40_000 }, (_, n) => `key${n}: v\n`).join('')],
    ['other types', 'root: [1]\nstructure: [1, 2]\nredirects: {a: {b: c}}\n'],
    ['bytes that are no text', '\u0000\u0001\uffff: \ufffd\n'],
  ])('ignores a .gitbook.yaml of %s', async (_, yaml) => {
    const { outline, log } = await read(
      await newRepository({ 'README.md': '# Home\n', '.gitbook.yaml': yaml }),
    );
    expect(outline).toEqual(['document Home /readme']);
    expect(log).toContain('.gitbook.yaml');
  });

  it.each<[what: string, summary: string]>([
    ['500 levels', Array.from({ length: 500 }, (_, n) => `${'  '.repeat(n)}* [p${n}](README.md)\n`).join('')],
    ['10,000 levels of quotes', `${'> '.repeat(10_000)}* [x](README.md)\n* [Home](README.md)\n`],
    ['brackets that never close', `${'[('.repeat(50_000)}\n\n* [Home](README.md)\n`],
    [
      'targets that lead out',
      '* [Home](README.md)\n* [x](../../../etc/passwd)\n* [y](/etc/passwd)\n* [z](%2e%2e%2f%2e%2e%2fetc/passwd)\n',
    ],
    [
      'targets that run something',
      '* [Home](README.md)\n* [x](javascript:alert(1))\n* [y](data:text/html,x)\n* [z](file:///etc/passwd)\n',
    ],
  ])('reads a navigation of %s', async (_, summary) => {
    const { outline, log } = await read(
      await newRepository({ 'README.md': '# Home\n', 'SUMMARY.md': summary }),
    );
    expect(outline.join('\n')).toMatch(/document (Home|p0) /);
    expect(`${outline.join()} ${log}`).not.toContain('root:');
  });
});
