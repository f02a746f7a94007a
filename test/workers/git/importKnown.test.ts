import { loadDocuments, loadFiles } from '@bindery/content';
import { GitRepository, Revision, type JobRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureRepository } from '../../support/fixtureRepository.ts';
import { flatten, startImportLab, type ImportLab } from '../../support/git/importing.ts';
import { collectAtOnce } from '../../support/stores/storedContent.ts';

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

describe('an import of a known repository whose content was removed as unreachable', () => {
  /** Imports a repository without showing it, which makes it known, and removes its content. */
  const forget = async () => {
    const { url } = await lab.gitServer.createRepository('handbook.git', fixtureRepository());
    const space = await lab.newSpace();
    const preview = await lab.importInto(space, url, { standalone: true });
    await Revision.deleteOne({ _id: String(preview.result?.['revision']) });
    const removed = await collectAtOnce(space.organization, lab.blobs);
    expect(removed.documents).toBeGreaterThan(10);
    expect(removed.blobs).toBeGreaterThan(0);
    expect(await GitRepository.countDocuments({ space: space._id })).toBe(1);
    return { space, url };
  };

  it('reports the same changes in a dry run as for an unknown repository', async () => {
    const { space, url } = await forget();
    const job = await lab.importInto(space, url, { dryRun: true });
    expect(job).toMatchObject({ state: 'succeeded', tries: 1 });
    const unknown = await lab.importInto(await lab.newSpace(), url, { dryRun: true });
    const totalsOf = ({ result }: JobRecord) => (result as { changes: { totals: object } }).changes.totals;
    expect(totalsOf(job)).toEqual(totalsOf(unknown));
  });

  it('reads the whole repository again', async () => {
    const { space, url } = await forget();
    const job = await lab.importInto(space, url);
    expect(job).toMatchObject({ state: 'succeeded', tries: 1, result: { unchanged: false } });
    const { revision, tree } = await lab.contentOf(space);
    const hashes = flatten(tree).flatMap(({ page }) =>
      page.type === 'document' ? (page.document ?? []) : [],
    );
    expect((await loadDocuments(space.organization, [...new Set(hashes)])).size).toBe(new Set(hashes).size);
    for (const { blob } of await loadFiles(revision))
      expect(await lab.blobs.open(`${space.organization}:${blob}`)).toBeDefined();
  });
});
