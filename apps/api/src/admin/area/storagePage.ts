import { duration, facts, html, type Html, moment, size, table } from '@bindery/html';
import {
  databaseNow,
  mongoDatabase,
  Organization,
  StorageSweep,
  type StorageSweepRecord,
} from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { AreaPage } from './layout.ts';
import { titlesOf } from './titlesOf.ts';

const organizationsShown = 100;

/** The storage of the installation and of its organizations, and the removal of unreferenced content. */
export async function storagePage(blobs: BlobStore, { storage }: Config): Promise<AreaPage> {
  const [{ largest, removedBlobs }, sweep, stats] = await Promise.all([
    blobs.describeUsage(organizationsShown),
    StorageSweep.findById('storage').lean<StorageSweepRecord>(),
    mongoDatabase().command({ dbStats: 1 }),
  ]);
  const titles = await titlesOf(
    Organization,
    largest.map(({ organization }) => organization),
  );
  const { quotaBytes } = storage;
  return {
    title: 'Storage',
    main: html`${facts([
      ['Content and indexes', size(Number(stats['storageSize'] ?? 0) + Number(stats['indexSize'] ?? 0))],
      [
        'Disk of MongoDB',
        `${size(Number(stats['fsUsedSize'] ?? 0))} of ${size(Number(stats['fsTotalSize'] ?? 0))} in use`,
      ],
      ['Quota of an organization', quotaBytes === 0 ? 'none' : size(quotaBytes)],
    ])}
<h2>Removal of unreferenced content</h2>
${sweep ? describeSweep(sweep) : html`<p>It has not begun yet.</p>`}
${facts([
  [
    'Leftovers',
    `${removedBlobs}${removedBlobs === organizationsShown ? ' or more' : ''} removed files whose bytes are freed after the grace period`,
  ],
])}
<h2>Organizations</h2>
${table(
  {
    id: 'usage',
    caption: `Files, PDFs and uploads, the ${organizationsShown} with the most bytes`,
    none: quotaBytes === 0 ? 'Without a quota, bytes are not counted.' : 'Nothing is stored yet.',
  },
  [
    { name: 'Organization', cell: ({ organization }) => titles.get(organization) ?? organization },
    { name: 'Id', cell: ({ organization }) => organization },
    { name: 'Stored', isNumber: true, cell: ({ sizeBytes }) => size(sizeBytes) },
    {
      name: 'Of its quota',
      isNumber: true,
      cell: ({ sizeBytes }) => quotaBytes > 0 && `${((100 * sizeBytes) / quotaBytes).toFixed(1)} %`,
    },
  ],
  largest,
)}`,
  };
}

function describeSweep({ startedAt, finishedAt, after, removed }: StorageSweepRecord): Html {
  const counts = Object.entries(removed).map(([name, count]) => `${count} ${name}`);
  return facts([
    ['State', finishedAt ? 'finished' : 'under way'],
    ['Began', moment(startedAt)],
    ['Finished', moment(finishedAt)],
    ['Took', duration(startedAt, finishedAt ?? databaseNow())],
    [
      'Organizations done',
      !finishedAt && (after === '' ? 'none yet' : `up to ${after}, in the order of their ids`),
    ],
    ['Removed', counts.join(', ')],
  ]);
}
