import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { acceptJob, contentImportJobs } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { blobKey } from '@bindery/storage';
import { expect } from 'vitest';
import { itImporting as it, readContent } from '../../support/content/contentImporting.ts';
import { bound } from '../../support/machine.ts';
import { until } from '../../support/until.ts';
import { watchThread } from '../../support/content/watchThread.ts';
import { zipOf } from '../../support/content/zipWriter.ts';

const archives = 4;
/** All of them want the same slug. */
const pagesInEach = 2_000;

it(
  'concurrent imports of many pages do not block the main thread of their worker, and count no crash',
  { timeout: 180_000 },
  async ({ api, organization, newSpace }) => {
    const archive = zipOf(
      Object.fromEntries(
        Array.from({ length: pagesInEach }, (_, page) => [
          `page-${page}.md`,
          `# Same\n\nText of page ${page}.\n`,
        ]),
      ),
    );
    const key = createHash('sha256').update(archive).digest('hex');
    await api.blobs.put(blobKey(organization._id, key), Readable.from([archive]));
    const spaces = await Promise.all(Array.from({ length: archives }, () => newSpace()));
    const thread = watchThread();
    const jobs = await Promise.all(
      spaces.map(({ _id }) =>
        acceptJob(contentImportJobs.importContent, {
          organization: organization._id,
          subject: { type: 'space', id: _id },
          startedBy: 'somebody',
          permission: 'space.edit',
          input: { spaceId: _id, source: 'zip', files: [{ key, name: 'archive.zip' }] },
        }),
      ),
    );
    const ids = jobs.map(({ _id }) => _id);
    const ended = async () =>
      (await jobCollection().countDocuments({ _id: { $in: ids }, finishedAt: { $exists: true } })) ===
      archives;
    await until('end of all imports', ended, { timeoutMs: 120_000, everyMs: 100 });
    thread.stop();
    expect(thread.longestWorkMs()).toBeLessThan(bound(100));

    for (const job of await jobCollection()
      .find({ _id: { $in: ids } })
      .toArray())
      expect(job).toMatchObject({ state: 'succeeded', crashes: 0, attempts: [{ outcome: 'succeeded' }] });
    for (const space of spaces) {
      const { tree } = await readContent(space);
      const slugs = tree.slice(1).map((page) => ('slug' in page ? page.slug : ''));
      expect(slugs).toEqual([
        'same',
        ...Array.from({ length: pagesInEach - 1 }, (_, index) => `same-${index + 1}`),
      ]);
    }
  },
);
