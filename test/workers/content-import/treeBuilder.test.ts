import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import { createTreeBuilder, findRevision, insertRevision, loadTree, type NewPage } from '@bindery/content';
import { withTransaction } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { expect } from 'vitest';
import { buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { endOfRestedThread } from '../../support/processes/endOfRestedThread.ts';

const it = base
  .extend('trees', ({ api }, { onCleanup }) => {
    const trees = createTreeBuilder(api.config);
    onCleanup(trees.close);
    return trees;
  })
  .extend('revision', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Space' });
    const revision = await findRevision(space._id, space.revision);
    if (!revision) throw new Error('The space has no content.');
    return revision;
  });

const page = (title: string, pages: NewPage[] = []): NewPage => ({
  type: 'document',
  id: newId(),
  title,
  pages,
});
const adding = (pages: NewPage[], into?: string) => ({
  pages: serialize(pages),
  files: [],
  reusableContents: [],
  createdBy: 'ada',
  ...(into !== undefined && { into }),
});

it('adds pages to content on another thread, several at once', async ({ trees, revision }) => {
  const built = await Promise.all(
    ['A', 'B'].map((title) =>
      trees.prepareAddition(revision, adding([page(title, [page('C'), page('C')]), page(title)])),
    ),
  );
  for (const [index, slug] of ['a', 'b'].entries()) {
    const { organization, parents, pages, createdBy, createdAt } = built[index]!;
    expect({ organization, parents, createdBy }).toEqual({
      organization: revision.organization,
      parents: [revision._id],
      createdBy: 'ada',
    });
    expect(createdAt).toBeInstanceOf(Date);
    const [, first, second] = await loadTree(organization, pages);
    expect([first, second]).toMatchObject([
      { path: slug, pages: [{ path: `${slug}/c` }, { path: `${slug}/c-1` }] },
      { path: `${slug}-1`, pages: [] },
    ]);
  }
});

it('gives later pages with the same title other slugs, also below a page', async ({ trees, revision }) => {
  const first = await trees.prepareAddition(revision, adding([page('A')]));
  await withTransaction((session) => insertRevision(first, session));
  const [, above] = await loadTree(first.organization, first.pages);
  const second = await trees.prepareAddition(first, adding([page('B'), page('B')], above!.id));
  const third = await trees.prepareAddition(second, adding([page('B'), page('A')], above!.id));
  expect(await loadTree(third.organization, third.pages)).toMatchObject([
    {},
    { path: 'a', pages: [{ path: 'a/b' }, { path: 'a/b-1' }, { path: 'a/b-2' }, { path: 'a/a' }] },
  ]);
});

it('rejects invalid input with an error, and goes on', async ({ trees, revision }) => {
  await expect(trees.prepareAddition(revision, adding([page('A')], 'nowhere'))).rejects.toMatchObject({
    code: 'bad_content',
    class: 'invalid',
  });
  await expect(
    trees.prepareAddition(revision, { ...adding([]), pages: Buffer.from('no pages') }),
  ).rejects.toMatchObject({
    code: 'internal',
  });
  await expect(trees.prepareAddition(revision, adding([page('A')]))).resolves.toMatchObject({
    parents: [revision._id],
  });
});

it('rejects pending and later work when it is closed', async ({ trees, revision }) => {
  const pending = trees.prepareAddition(revision, adding([page('A')])).catch(String);
  await trees.close();
  expect(await pending).toContain('has ended');
  await expect(trees.prepareAddition(revision, adding([page('A')]))).rejects.toMatchObject({
    code: 'internal',
  });
});

it('ends its idle thread after minutes, and starts another one for the next work', async ({
  trees,
  revision,
}) => {
  await endOfRestedThread(() => trees.start());
  await expect(trees.prepareAddition(revision, adding([page('A')]))).resolves.toMatchObject({
    parents: [revision._id],
  });
});

it('adds pages in a process that started with a low priority and may not raise it', async ({ revision }) => {
  const program = `
    import { createTreeBuilder, findRevision } from '@bindery/content';
    import { connectMongo, disconnectMongo } from '@bindery/models';
    import { loadConfig } from '@bindery/runtime';
    const config = loadConfig(process.env);
    await connectMongo(config);
    const trees = createTreeBuilder(config);
    const [space, id] = process.argv.slice(1);
    const added = { pages: (await import('node:v8')).serialize([]), files: [], reusableContents: [], createdBy: 'ada' };
    const { parents } = await trees.prepareAddition(await findRevision(space, id), added);
    console.log(JSON.stringify(parents));
    await trees.close();
    await disconnectMongo();
  `;
  // Root may raise it, unless this right is taken away.
  const rights =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : [];
  const [command, ...args] = [...rights, 'nice', '-n', '15', process.execPath];
  const script = ['--input-type=module', '--eval', program, revision.space, revision._id];
  const { stdout } = await promisify(execFile)(command, [...args, ...script]);
  expect(JSON.parse(stdout)).toEqual([revision._id]);
});
