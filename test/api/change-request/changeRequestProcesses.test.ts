import { findRevision, openTree } from '@bindery/content';
import { ChangeRequest, Revision, Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import { startApp } from '../../support/processes/appProcess.ts';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { buildChangeRequest, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Within one process, merges of a space queue up; between processes only the transactions keep them apart.

const spaceNow = async (space: SpaceRecord) =>
  (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;

/** The main content from the newest revision back to the first. */
async function history(space: SpaceRecord): Promise<RevisionRecord[]> {
  const revisions: RevisionRecord[] = [];
  for (let id: string | undefined = (await spaceNow(space)).revision; id !== undefined;) {
    const revision: RevisionRecord =
      (await findRevision(space._id, id)) ?? expect.fail(`The revision ${id} is missing.`);
    revisions.push(revision);
    [id] = revision.parents;
  }
  return revisions;
}

const it = base
  .extend('other', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const other = await startApp('api', { ...process.env, PORT: '0' });
    onCleanup(async () => {
      other.signal('SIGTERM');
      await other.ended;
    });
    return other;
  })
  /** Sends every second request to the other process. */
  .extend(
    'send',
    ({ api, admin, other }) =>
      async (requests: readonly { path: string; json?: unknown }[]) => {
        const origins = [api.origin, `http://127.0.0.1:${other.port}`];
        return Promise.all(
          requests.map(async ({ path, json }, index) => {
            const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
            const response = await fetch(`${origins[index % 2]}/v1${path}`, {
              ...{ method: 'POST', headers },
              ...(json !== undefined && { body: JSON.stringify(json) }),
            });
            return {
              status: response.status,
              body: (await response.json()) as { revision?: string; result?: string },
            };
          }),
        );
      },
  );

it(
  'one of 50 concurrent merges of a change request in two processes succeeds',
  { timeout: 60_000 },
  async ({ space, send }) => {
    const changeRequest = await buildChangeRequest(space, { status: 'open' });
    await editContent(changeRequest, (edit) =>
      setFields(edit, edit.list(null)[0]?.id ?? '', { title: 'Merged' }),
    );
    const path = `/spaces/${space._id}/change-requests/${changeRequest._id}/merge`;
    const answers = await send(Array.from({ length: 50 }, () => ({ path })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    const merged = answers.find(({ status }) => status === 200)?.body.revision;
    expect((await Revision.find({ space: space._id, type: 'merge' }).lean()).map(({ _id }) => _id)).toEqual([
      merged,
    ]);
    expect(await spaceNow(space)).toMatchObject({
      revision: merged,
      counts: { changeRequestsOpen: 0, changeRequests: 1 },
    });
    expect(await ChangeRequest.findById(changeRequest._id).lean()).toMatchObject({
      status: 'merged',
      revisionMerged: merged,
    });
  },
);

it(
  'concurrent edits, updates and merges of many change requests leave one line of revisions with all merges',
  { timeout: 120_000 },
  async ({ organization, send }) => {
    const empty = await buildSpace(organization);
    const pages = Array.from({ length: 10 }, (_, index) => ({
      id: `${empty._id}p${index}`,
      title: `Page ${index}`,
      slug: `p${index}`,
      path: `p${index}`,
    }));
    await buildRevision(empty, { pages: pages.map((page) => ({ ...page, source: '# Page\n\nText.\n' })) });
    const space = await spaceNow(empty);
    const changeRequests = await Promise.all(
      pages.map(async ({ id }, index) => {
        const changeRequest = await buildChangeRequest(space, { status: 'open' });
        const document = await storeSource(organization._id, `# Page\n\nText of ${index}.\n`);
        await editContent(changeRequest, (edit) =>
          setFields(edit, id, { document, description: `of ${index}` }),
        );
        return changeRequest;
      }),
    );
    const places = changeRequests.map(({ _id }) => `/spaces/${space._id}/change-requests/${_id}`);
    const edit = (index: number) => ({
      changes: [{ operation: 'update_page', page: pages[index]?.id, title: `Edited ${index}` }],
    });
    const answers = await send(
      places.flatMap((place, index) => [
        { path: `${place}/content`, json: edit(index) },
        { path: `${place}/update` },
        { path: `${place}/merge` },
      ]),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(answers.filter(({ body }) => body.result === 'conflicts')).toEqual([]);
    const isDone = (index: number, what: 'edit' | 'merge') =>
      answers[index * 3 + (what === 'edit' ? 0 : 2)]?.status === 200;
    const merged = changeRequests.filter((_, index) => isDone(index, 'merge'));
    expect(merged.length).toBeGreaterThan(0);
    const line = await history(space);
    expect(line.map(({ type }) => type)).toEqual([...merged.map(() => 'merge'), 'edits', 'edits']);
    expect(new Set(line.flatMap(({ mergedFrom }) => mergedFrom?._id ?? []))).toEqual(
      new Set(merged.map(({ _id }) => _id)),
    );
    const tree = await openTree(organization._id, line[0]?.pages ?? '');
    for (const [index, changeRequest] of changeRequests.entries()) {
      const isMerged = merged.includes(changeRequest);
      const edited = {
        title: isDone(index, 'edit') ? `Edited ${index}` : `Page ${index}`,
        description: `of ${index}`,
      };
      expect(tree.page(pages[index]?.id ?? '')?.page).toMatchObject(
        isMerged ? edited : { title: `Page ${index}` },
      );
      expect((await ChangeRequest.findById(changeRequest._id).lean())?.status).toBe(
        isMerged ? 'merged' : 'open',
      );
    }
    expect((await spaceNow(space)).counts).toMatchObject({
      changeRequests: 10,
      changeRequestsOpen: 10 - merged.length,
    });
  },
);
