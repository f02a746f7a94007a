import { loadTree, type PageTree } from '@bindery/content';
import { ChangeRequest, ContentNode, PageDocument, Revision, type RevisionRecord } from '@bindery/models';
import { expect } from 'vitest';
import { startApp } from '../../support/processes/appProcess.ts';
import { itEditing as base, type Editing } from '../../support/content/editing.ts';
import { sentTwice } from '../../support/http/sentTwice.ts';

const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: {},
  ...more,
});

/** The revisions of a change request from its present one to the one that it began with. */
async function lineOf(editing: Editing): Promise<RevisionRecord[]> {
  const { revisionInitial } = await editing.record();
  const line = [await editing.revision()];
  while (line.at(-1)?._id !== revisionInitial) {
    const revision = await Revision.findById(line.at(-1)?.parents[0]).lean<RevisionRecord>();
    if (!revision) throw new Error('A revision is gone.');
    line.push(revision);
  }
  return line;
}

const it = base.extend('other', async ({ api: _started }, { onCleanup }) => {
  const other = await startApp('api', { ...process.env, PORT: '0' });
  onCleanup(async () => {
    other.signal('SIGTERM');
    await other.ended;
  });
  return other;
});

it(
  '20 concurrent edits to two processes leave one line of revisions, and each lost edit is answered with 409',
  { timeout: 60_000 },
  async ({ api, organization, admin, open, other }) => {
    const editing = await open({ pages: [{ id: 'home', title: 'Home' }] });
    const before = await Revision.countDocuments({ space: editing.space._id });
    const origins = [api.origin, `http://127.0.0.1:${other.port}`];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${origins[index % 2]}${editing.path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            changes: [
              insert(`Page ${index}`),
              { operation: 'update_page', page: 'home', description: String(index) },
            ],
          }),
        });
        await response.arrayBuffer();
        return { index, status: response.status };
      }),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(done.length).toBeGreaterThanOrEqual(10);
    const line = await lineOf(editing);
    expect(line).toHaveLength(done.length + 1);
    // One that was overtaken leaves no revision behind.
    expect(await Revision.countDocuments({ space: editing.space._id })).toBe(before + done.length);
    const titles = (await loadTree(organization._id, (await editing.revision()).pages)).map(
      ({ title }) => title,
    );
    expect(titles.toSorted()).toEqual(['Home', ...done.map(({ index }) => `Page ${index}`)].toSorted());
  },
);

it('applies a batch again on top of a concurrent edit, or refuses it with 400 when it no longer fits', async ({
  open,
}) => {
  const editing = await open({
    pages: [
      { id: 'home', title: 'Home' },
      { id: 'away', title: 'Away' },
    ],
  });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      editing.send([{ operation: 'delete_page', page: 'away' }, insert('Instead', { slug: 'instead' })]),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  expect(await editing.outline()).toBe('Home, Instead');
});

it('refuses edits to a change request that is merged meanwhile', async ({ open }) => {
  const editing = await open({ pages: [] });
  const sending = Promise.all(
    Array.from({ length: 8 }, (_, index) => editing.send([insert(`Page ${index}`)])),
  );
  await ChangeRequest.updateOne({ _id: editing.id }, { $set: { status: 'merged' } });
  const { revision } = await editing.record();
  const answers = await sending;
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([200, 409]))).toEqual(new Set());
  expect((await editing.record()).revision).toBe(revision);
});

it('applies a batch once when it is sent twice with one Idempotency-Key', async ({ api, admin, open }) => {
  const editing = await open({ pages: [] });
  await sentTwice(api, 'POST', editing.path, {
    token: admin.token,
    json: { changes: [insert('Once', { ref: 'once' })] },
  });
  expect(await editing.outline()).toBe('Once');
});

it(
  'writes only the changed document and the nodes above it, however large the content is',
  { timeout: 60_000 },
  async ({ organization, open }) => {
    const written = new Map<number, unknown>();
    for (const size of [10, 1_000, 10_000]) {
      // Lists of at most 100 pages, as deep as that takes.
      const build = (count: number, path: string): object[] => {
        const width = Math.min(
          count,
          count > 100 ? Math.ceil(count ** (1 / Math.ceil(Math.log(count) / Math.log(100)))) : count,
        );
        const below = Math.floor((count - width) / width);
        return Array.from({ length: width }, (_, index) => {
          const own = `${path}${index}`;
          return {
            id: `p${own.replaceAll('/', 'x')}`,
            title: own,
            path: own,
            ...(below > 0 && { pages: build(below, `${own}/`) }),
          };
        });
      };
      const editing = await open({ pages: build(size, '') });
      const leaf = deepest(await loadTree(organization._id, (await editing.revision()).pages));
      const counts = async () => ({
        documents: await PageDocument.countDocuments({ _id: { $regex: `^${organization._id}:` } }),
        nodes: await ContentNode.countDocuments({ _id: { $regex: `^${organization._id}:` } }),
        revisions: await Revision.countDocuments({ organization: organization._id }),
      });
      const before = await counts();
      await editing.edit({
        operation: 'update_page',
        page: leaf.id,
        document: { markdown: `# Edited in ${size}\n\nText\n` },
      });
      const after = await counts();
      expect(after.documents - before.documents).toBe(1);
      expect(after.revisions - before.revisions).toBe(1);
      expect(after.nodes - before.nodes).toBe(leaf.levels);
      written.set(size, after.nodes - before.nodes);
    }
    expect([...written.values()].every((nodes) => Number(nodes) <= 3)).toBe(true);
  },
);

function deepest(pages: readonly PageTree[], levels = 1): { id: string; levels: number } {
  const last = pages.at(-1) as PageTree;
  return 'pages' in last && last.pages.length > 0 ? deepest(last.pages, levels + 1) : { id: last.id, levels };
}
