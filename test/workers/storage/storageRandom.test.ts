import { loadDocuments, loadFiles, loadReusableContents, loadTree } from '@bindery/content';
import { ChangeRequest, Revision, Space, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { expect } from 'vitest';
import { purgeSpaces } from '../../../apps/worker-maintenance/src/purgeSpaces.ts';
import { itImporting, png } from '../../support/content/contentImporting.ts';
import { buildMembership, buildOrganization, buildSpace, changeSpace } from '../../support/factories.ts';
import { flatten } from '../../support/git/importing.ts';
import { indexEverything } from '../../support/content/indexing.ts';
import { isFull } from '../../support/resultTable.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { collectAtOnce, neededNames, storedNames } from '../../support/stores/storedContent.ts';

// Random changes of content. After every few of them all unreachable content is removed without any grace:
// then exactly the needed content is stored, and all of it can be read.

const dayMs = 24 * 60 * 60 * 1000;
/** Few, so that the same content comes and goes in several places. */
const texts = ['# One\n', '# Two\n\nText\n', '# Three\n\n[a](one.md)\n'];

itImporting.for([1, 2, 3])(
  'random changes leave exactly the referenced content stored, seed %i',
  { timeout: 180_000 },
  async (seed, { api, organization, admin, server }) => {
    const random = seededRandom(seed);
    const { organization: other } = await buildOrganization();
    await buildMembership(other, admin, 'admin');
    server.put('/page.md', { type: 'text/markdown', body: '# Imported\n\n![x](/x.png)\n' });
    server.put('/x.png', { type: 'image/png', body: png });
    const logger = createLogger(api.config, { app: 'test' });
    const counts: Record<string, number> = {};

    const call = async (method: string, path: string, json?: unknown) => {
      const { status, body, text } = await api.call(method, `/v1${path}`, {
        token: admin.token,
        ...(json !== undefined && { json }),
      });
      expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
      return body;
    };
    const pick = async () => {
      const spaces = await Space.find({
        organization: { $in: [organization._id, other._id] },
        isDeleted: false,
      }).lean<SpaceRecord[]>();
      return spaces.length > 0 ? random.pick(spaces) : buildSpace(organization);
    };
    const openRequest = async () => {
      const space = await pick();
      const found = await ChangeRequest.findOne({ space: space._id, status: { $ne: 'merged' } }).lean();
      const { id } =
        found && random.chance(0.7)
          ? { id: found._id }
          : await call('POST', `/spaces/${space._id}/change-requests`, {});
      return `/spaces/${space._id}/change-requests/${id}`;
    };
    const operations: Record<string, () => Promise<unknown>> = {
      make: () => buildSpace(random.pick([organization, other])),
      edit: async () => {
        const at = await openRequest();
        const { pages } = await call('GET', `${at}/content/pages`);
        const document = { markdown: random.pick(texts) };
        const changes: object[] = [{ operation: 'insert_page', title: random.pick(['A', 'B']), document }];
        if (pages.length > 0)
          changes.push({
            operation: random.pick(['delete_page', 'revert_page']),
            page: random.pick<{ id: string }>(pages).id,
          });
        await call('POST', `${at}/content`, { changes });
      },
      merge: async () => call('POST', `${await openRequest()}/merge`),
      update: async () => call('POST', `${await openRequest()}/update`),
      template: async () =>
        call('POST', `/spaces/${(await pick())._id}/content/template`, { id: 'knowledge-base' }),
      import: async () => {
        const { _id } = await pick();
        await call('POST', `/spaces/${_id}/content/import`, {
          url: `${server.origin}/page.md`,
          source: 'markdown',
        });
      },
      duplicate: async () => call('POST', `/spaces/${(await pick())._id}/duplicate`),
      transfer: async () => {
        const space = await pick();
        const to = space.organization === other._id ? organization : other;
        await call('POST', `/spaces/${space._id}/transfer`, { organization: to._id });
      },
      index: () => indexEverything(api.config),
      purge: async () => {
        await changeSpace(await pick(), { deletedAt: new Date(Date.now() - 8 * dayMs) });
        await purgeSpaces({ logger, signal: new AbortController().signal });
      },
    };
    const names = Object.keys(operations);
    for (let round = 0; round < (isFull ? 60 : 36); round += 1) {
      const name = random.chance(0.4) ? 'edit' : random.pick(names);
      await operations[name]?.();
      counts[name] = (counts[name] ?? 0) + 1;
      if (random.chance(0.75)) continue;
      for (const { _id } of [organization, other]) {
        await collectAtOnce(_id, api.blobs);
        const [stored, needed] = [await storedNames(_id), await neededNames(_id)];
        expect(stored, `after ${round} rounds, the last one ${name}`).toEqual(needed);
      }
    }
    for (const each of [organization, other]) await readEverything(each);
    expect(Object.keys(counts).length).toBeGreaterThan(7);

    async function readEverything({ _id }: OrganizationRecord): Promise<void> {
      const spaces = await Space.distinct('_id', { organization: _id });
      for (const revision of await Revision.find({ space: { $in: spaces } }).lean()) {
        const [tree, files, contents] = [
          await loadTree(_id, revision.pages),
          await loadFiles(revision),
          await loadReusableContents(revision),
        ];
        const hashes = new Set([
          ...flatten(tree).flatMap(({ page }) =>
            page.type === 'document' && page.document !== undefined ? [page.document] : [],
          ),
          ...contents.map(({ document }) => document),
        ]);
        expect((await loadDocuments(_id, [...hashes])).size).toBe(hashes.size);
        for (const { blob } of files) expect(await api.blobs.open(`${_id}:${blob}`)).toBeDefined();
      }
    }
  },
);
