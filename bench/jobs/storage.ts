import {
  createSpace,
  insertRevision,
  openTree,
  prepareChangedRevision,
  prepareRevision,
  storeDocuments,
  type PageItem,
  type PageTree,
} from '@bindery/content';
import {
  databaseTime,
  mongoDatabase,
  Revision,
  Space,
  StorageSweep,
  withTransaction,
  type RevisionRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { createHash } from 'node:crypto';
import { writeReport, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import type { SweepFigures } from './storageSweeper.ts';

const pagesPerList = 50;
const bodyBytes = 2_000;
const sizes = [100, 100_000] as const;

/**
 * Measures a sweep of the storage with few documents and with many: when all of them are in use, and when all
 * of them are removed.
 */
export async function measureStorage(environment: Record<string, string>): Promise<void> {
  await createBlobStore(mongoDatabase()).prepare();
  const figures = [];
  const growth: string[] = [];
  for (const size of sizes) {
    console.error(`storage: ${size} documents`);
    const organization = newId();
    const space = await fill(organization, size);
    if (size === sizes[0]) growth.push(...(await measureEdit(space)));
    const inUse = await sweepOnce(environment);
    await Revision.deleteMany({ space });
    await Space.deleteMany({ _id: space });
    const noting = await sweepOnce(environment);
    const removing = await sweepOnce(environment);
    const left = await mongoDatabase().collection('documents').estimatedDocumentCount();
    if (left > 0) throw new Error(`${left} of ${size} documents are left.`);
    figures.push({ size, inUse, noting, removing });
  }
  const [few, many] = figures as [(typeof figures)[number], (typeof figures)[number]];
  await writeReport('storage.md', {
    title: 'A sweep of the storage',
    intro: `Removing what nothing refers to, with ${sizes[0]} documents (reference) and with ${sizes[1]} in one space: ${bodyBytes} bytes each, in lists of ${pagesPerList} pages. The sweep runs in a process of its own. A ratio is for each document, but for memory.`,
    rows: [
      ...(['inUse', 'noting', 'removing'] as const).flatMap((name) => [
        row(`${titles[name]}: time`, [few[name].ms / few.size, many[name].ms / many.size], {
          show: (perDocument, size) => `${(perDocument * size).toFixed(0)} ms`,
          goal: '<= 1',
          isMet: (ratio) => ratio <= 1,
        }),
        row(
          `${titles[name]}: documents examined`,
          [few[name].documentsExamined / few.size, many[name].documentsExamined / many.size],
          {
            show: (perDocument, size) => String(Math.round(perDocument * size)),
            goal: name === 'inUse' ? '<= 0.1 each' : '-',
            isMet: (_ratio, perDocument) => perDocument <= 0.1,
          },
        ),
      ]),
      {
        name: 'peak memory of the process',
        reference: `${few.inUse.peakMb} MB`,
        ours: `${many.inUse.peakMb} MB`,
        ratio: many.inUse.peakMb / few.inUse.peakMb,
        goal: '<= 64 MB more',
        isMet: many.inUse.peakMb - few.inUse.peakMb <= 64,
      },
    ],
    notes: [
      `An edit of one page in a list of ${pagesPerList} added ${growth.join(', ')}, uncompressed.`,
      'Documents examined are all that MongoDB loaded, of any collection: `metrics.queryExecutor.scannedObjects`. A look into an index alone is none.',
      'In use, the lists of the pages are read and no document is. Removing a document takes two writes: one notes it, one removes it.',
    ],
  });
}

const titles = {
  inUse: 'all in use',
  noting: 'none in use any more, first sweep',
  removing: 'the next sweep removes all',
};

function row(
  name: string,
  [few, many]: readonly [number, number],
  {
    show,
    goal,
    isMet,
  }: {
    show: (each: number, size: number) => string;
    goal: string;
    isMet: (ratio: number, each: number) => boolean;
  },
): Row {
  const ratio = many / few;
  return {
    name,
    reference: show(few, sizes[0]),
    ours: show(many, sizes[1]),
    ratio,
    goal,
    isMet: isMet(ratio, many),
  };
}

/** Creates a space with `size` pages, each with its own document. @returns the id of the space */
async function fill(organization: string, size: number): Promise<string> {
  const { _id: space, revision: first } = await createSpace({
    organization,
    createdBy: 'nobody',
    title: 'Space',
  });
  const time = new Date().toISOString();
  const pages: PageTree[] = [];
  for (let start = 0; start < size; start += pagesPerList) {
    const sources = Array.from({ length: Math.min(pagesPerList, size - start) }, (_, n) => {
      const body = Buffer.from(`# Page ${start + n} of ${organization}\n`.padEnd(bodyBytes, 'text '));
      return {
        hash: createHash('sha256').update(body).digest('hex'),
        source: { frontmatter: Buffer.alloc(0), body },
      };
    });
    await storeDocuments(organization, sources);
    const common = { createdAt: time, updatedAt: time };
    const children = sources.map(({ hash }, n): PageTree => {
      const slug = `page-${start + n}`;
      const git = { oid: hash.slice(0, 40), path: `docs/${start}/${slug}.md` };
      const description = `What page ${start + n} is about, in as many words as people use for that`;
      return {
        ...common,
        type: 'document',
        id: newId(),
        title: slug,
        slug,
        path: `${start}/${slug}`,
        description,
        git,
        document: hash,
        pages: [],
      };
    });
    pages.push({
      ...common,
      type: 'group',
      id: newId(),
      title: `Group ${start}`,
      slug: `${start}`,
      path: `${start}`,
      pages: children,
    });
  }
  const content = { pages, files: [], reusableContents: [], variables: [], redirects: [] };
  const { revision } = await prepareRevision({
    organization,
    space,
    parents: [first],
    type: 'edits',
    createdBy: 'nobody',
    content,
  });
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    await Space.updateOne({ _id: space }, { $set: { revision: revision._id } }, { session });
  });
  return space;
}

/** Edits one page. @returns the bytes added, by collection */
async function measureEdit(space: string): Promise<string[]> {
  const collections = ['documents', 'nodes', 'revisions'];
  const bytesOf = async (name: string) => {
    const [sum] = await mongoDatabase()
      .collection(name)
      .aggregate([{ $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }])
      .toArray();
    return Number(sum?.['bytes']);
  };
  const before = await Promise.all(collections.map(bytesOf));
  const base = (await Revision.findOne({ space }).sort({ createdAt: -1, _id: -1 }).lean()) as RevisionRecord;
  const edit = (await openTree(base.organization, base.pages)).edit();
  const found = [...edit.all()].find(({ page }) => page.type === 'document');
  if (!found) throw new Error('There is no page to edit.');
  const body = Buffer.from('# Edited\n'.padEnd(bodyBytes, 'text '));
  const hash = createHash('sha256').update(body).digest('hex');
  await storeDocuments(base.organization, [{ hash, source: { frontmatter: Buffer.alloc(0), body } }]);
  edit.update(found.page.id, (page) => ({ ...page, document: hash }) as PageItem);
  const { root: pages } = await edit.write();
  const { revision } = await prepareChangedRevision(base, {
    type: 'edits',
    parents: [base._id],
    createdBy: 'nobody',
    pages,
  });
  await withTransaction((session) => insertRevision(revision, session));
  const after = await Promise.all(collections.map(bytesOf));
  return collections.map(
    (name, index) => `${(((after[index] ?? 0) - (before[index] ?? 0)) / 1024).toFixed(1)} KB to \`${name}\``,
  );
}

async function sweepOnce(
  environment: Record<string, string>,
): Promise<SweepFigures & { documentsExamined: number }> {
  await StorageSweep.deleteMany({ startedAt: { $lte: await databaseTime() } });
  const examined = async () => {
    const { metrics } = await mongoDatabase().command({ serverStatus: 1 });
    return Number(metrics.queryExecutor.scannedObjects);
  };
  const sweeper = await startProgram(new URL('storageSweeper.ts', import.meta.url), environment);
  const before = await examined();
  const figures = await sweeper.ask<SweepFigures>('sweep');
  const documentsExamined = (await examined()) - before;
  await sweeper.stop();
  return { ...figures, documentsExamined };
}
