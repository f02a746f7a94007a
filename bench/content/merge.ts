import { findRevision, openTree } from '@bindery/content';
import { ContentNode, PageDocument, Space, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { buildOrganization, buildRevision, buildSpace, type TestPage } from '../../test/support/factories.ts';
import { median, type Part, type Row } from '../support/figures.ts';

const sizes = [10, 1_000, 10_000] as const;
const maxSiblings = 100;
const rounds = Number(process.env.ROUNDS ?? 5);
const editsPerRound = 20;

/**
 * P19: edits one page through a change request and merges it, in spaces of 10, 1,000 and 10,000 pages.
 *
 * Also measures the case in which the main content has changed, so that a real merge is necessary. Needs a
 * connection to MongoDB.
 *
 * @param origin  origin of an API that uses the same database
 */
export async function measureMerge(origin: string): Promise<Part> {
  const { organization, admin } = await buildOrganization();
  const caller: Caller = { origin, token: admin.token };
  const spaces = new Map<number, SpaceRecord>();
  for (const size of sizes) {
    console.error(`filling: a space of ${size} pages`);
    spaces.set(size, await fill(organization, size));
  }
  const times = { forward: timesBySize(), merged: timesBySize() };
  const written = new Map<number, string>();
  for (let round = 0; round <= rounds; round += 1) {
    console.error(`merges: round ${round} of ${rounds}`);
    for (const size of sizes) {
      for (let edit = 0; edit < editsPerRound; edit += 1) {
        const space = spaces.get(size) as SpaceRecord;
        const number = round * editsPerRound + edit;
        const before = await stored();
        const forward = await timed(() =>
          editAndMerge(caller, space, { id: pageAt(size, number), text: `edit ${number}` }),
        );
        const after = await stored();
        const merged = await timed(() =>
          editBothAndMerge(caller, space, {
            ids: [pageAt(size, number), pageAt(size, number + 3)],
            text: `both ${number}`,
          }),
        );
        // The first round is a warm-up.
        if (round === 0) continue;
        times.forward.get(size)?.push(forward);
        times.merged.get(size)?.push(merged);
        const depth = await depthOf(space, pageAt(size, number));
        written.set(size, `${after - before} at depth ${depth}`);
        if (after - before !== depth + 2)
          throw new Error(`One edit of ${size} pages at depth ${depth} wrote ${after - before} records.`);
      }
    }
  }
  const [small, ...larger] = sizes;
  const rows = (Object.keys(times) as (keyof typeof times)[]).flatMap((kind) =>
    larger.map((size): Row => {
      const [reference, ours] = [median(times[kind].get(small) ?? []), median(times[kind].get(size) ?? [])];
      const name =
        kind === 'forward' ? 'Edit and merge one page' : 'The same after another page was merged meanwhile';
      return {
        name: `${name} of ${size.toLocaleString('en')}`,
        reference: `of ${small}: ${reference.toFixed(1)} ms`,
        ours: `${ours.toFixed(1)} ms`,
        ratio: ours / reference,
        goal: '<= 2',
        isMet: ours / reference <= 2,
      };
    }),
  );
  const counts = sizes.map((size) => `${written.get(size)} of ${size.toLocaleString('en')} pages`).join(', ');
  return {
    rows,
    notes: [
      `Documents and nodes that an edit and its merge wrote, each time the page's depth + 2: ${counts}.`,
    ],
  };
}

function timesBySize(): Map<number, number[]> {
  return new Map(sizes.map((size) => [size, []]));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function stored(): Promise<number> {
  const counts = await Promise.all([
    ContentNode.estimatedDocumentCount(),
    PageDocument.estimatedDocumentCount(),
  ]);
  return counts[0] + counts[1];
}

/** Fills a space with at most a hundred pages per level; further pages are below those of the first level. */
async function fill(organization: OrganizationRecord, size: number): Promise<SpaceRecord> {
  const space = await buildSpace(organization);
  const first = Math.min(size, Math.max(10, Math.ceil(size / maxSiblings)));
  const pages = Array.from({ length: first }, (_, index): TestPage & { pages: TestPage[] } => ({
    ...page(index),
    pages: [],
  }));
  for (let number = first; number < size; number += 1) {
    const above = pages[number % first];
    above?.pages.push({ ...page(number), path: `page-${number % first}/page-${number}` });
  }
  await buildRevision(space, { pages });
  return (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;
}

function page(number: number): TestPage {
  const paragraphs = Array.from(
    { length: 20 },
    (_, index) => `Paragraph ${index} of page ${number}, with some words in it.`,
  );
  const name = `page-${number}`;
  return {
    id: name,
    title: `Page ${number}`,
    slug: name,
    path: name,
    source: `# Page ${number}\n\n${paragraphs.join('\n\n')}\n`,
  };
}

/** Spread over the space, and below the first level if there is one. */
function pageAt(size: number, number: number): string {
  return `page-${size - 1 - ((number * 7) % Math.min(size, 500))}`;
}

async function depthOf(space: SpaceRecord, id: string): Promise<number> {
  const current = await Space.findById(space._id).lean<SpaceRecord>();
  const revision = current && (await findRevision(space._id, current.revision));
  if (!revision) throw new Error('The space is gone.');
  return (await openTree(revision.organization, revision.pages)).page(id)?.ancestors.length ?? 0;
}

/** The editor's access over HTTP. */
type Caller = { origin: string; token: string };

async function post(
  { origin, token }: Caller,
  path: string,
  json?: unknown,
): Promise<{ id: string; result: string }> {
  const response = await fetch(`${origin}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as { id: string; result: string };
}

async function editAndMerge(
  caller: Caller,
  space: SpaceRecord,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const place = await edited(caller, space, { id, text });
  await post(caller, `${place}/merge`);
}

async function editBothAndMerge(
  caller: Caller,
  space: SpaceRecord,
  { ids: [one, other], text }: { ids: [string, string]; text: string },
) {
  const place = await edited(caller, space, { id: one, text });
  await editAndMerge(caller, space, { id: other, text });
  const { result } = await post(caller, `${place}/merge`);
  if (result !== 'merge') throw new Error('Two pages were edited, and there was a conflict.');
}

/** Creates a change request with one change. @returns its path */
async function edited(
  caller: Caller,
  space: SpaceRecord,
  { id, text }: { id: string; text: string },
): Promise<string> {
  const { id: changeRequest } = await post(caller, `/spaces/${space._id}/change-requests`);
  const place = `/spaces/${space._id}/change-requests/${changeRequest}`;
  const markdown = `# ${id}\n\nA paragraph for ${text}.\n\nAnd another one.\n`;
  await post(caller, `${place}/content`, {
    changes: [{ operation: 'update_page', page: id, document: { markdown } }],
  });
  return place;
}
