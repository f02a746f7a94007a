import { searchPages, showPages, weighWords } from '@bindery/content';
import {
  IndexedPage,
  indexFormat,
  SpaceIndex,
  withTransaction,
  type IndexedPageRecord,
} from '@bindery/models';
import MiniSearch from 'minisearch';
import { seededRandom } from '../../test/support/seededRandom.ts';
import { median, quantile, type Part, type Row } from '../support/figures.ts';

const pageCount = 5_000;
const rounds = 5;
const queryCount = 300;
const updates = 100;
const space = 'bench';

/**
 * P18: compares a query over 5,000 pages, and the update of one of them, with MiniSearch in the same process.
 *
 * MiniSearch returns ids and scores. The platform asks MongoDB whether the index has changed, ranks, and
 * reads the first ten pages with their excerpts. Needs a connection to MongoDB.
 */
export async function measureSearch(): Promise<Part> {
  const pages = makePages();
  const mini = new MiniSearch<Text>({
    fields: ['title', 'headings', 'text'],
    searchOptions: {
      boost: { title: 10, headings: 3 },
      combineWith: 'AND',
      prefix: (_term, index, terms) => index === terms.length - 1,
    },
  });
  for (const page of pages) mini.add(textOf(page));
  const records = pages.map(recordOf);
  for (let start = 0; start < records.length; start += 100)
    await IndexedPage.collection.insertMany(records.slice(start, start + 100) as never[], {
      writeConcern: { w: 1 },
    });
  const state = {
    _id: space,
    space,
    format: indexFormat,
    revision: 'r',
    root: 'r',
    begun: [],
    pages: pageCount,
    version: 1,
    run: 1,
  };
  await SpaceIndex.collection.insertOne(state as never);

  const queries = makeQueries(pages);
  const ask = async (query: string) => {
    const found = await searchPages([space], { query });
    return showPages(
      found.ranked.slice(0, 10).map((page, index) => ({ ...page, rank: index + 1 })),
      found,
    );
  };
  const reference = { query: [] as number[], update: [] as number[] };
  const ours = { cold: [] as number[], query: [] as number[], update: [] as number[] };
  let found = 0;
  for (const query of queries) ours.cold.push(await timed(() => ask(query)));
  for (let round = 0; round < rounds; round += 1) {
    for (const query of queries) {
      reference.query.push(await timed(() => (found += mini.search(query).length)));
      ours.query.push(await timed(() => ask(query)));
    }
  }
  for (let n = 0; n < updates; n += 1) {
    const before = pages[n] as Page;
    const page = {
      ...before,
      sections: before.sections.with(2, {
        title: 'Changed',
        text: `${before.sections[2]?.text} for the ${n}th time`,
      }),
    };
    reference.update.push(await timed(() => mini.replace(textOf(page))));
    ours.update.push(await timed(() => update(recordOf(page), n)));
  }

  const row = (
    name: string,
    key: 'query' | 'update',
    { share, goal }: { share: number; goal: number },
  ): Row => {
    const [theirs, mine] = [quantile(reference[key], share), quantile(ours[key], share)];
    const isGoal = goal > 0;
    const ratio = mine / theirs;
    return {
      name,
      reference: ms(theirs),
      ours: ms(mine),
      ratio,
      goal: isGoal ? `<= ${goal}` : '-',
      isMet: !isGoal || ratio <= goal,
    };
  };
  return {
    rows: [
      row(`P18 search over ${pageCount} pages, p50`, 'query', { share: 0.5, goal: 3 }),
      row('the same, p99', 'query', { share: 0.99, goal: 0 }),
      row('P18 update of one page in the index, p50', 'update', { share: 0.5, goal: 2 }),
    ],
    notes: [
      `Search: ${queries.length} queries of title words (a beginning, a word, two words), ${rounds} rounds alternately with MiniSearch, ${Math.round(found / rounds / queries.length)} pages found on average, ten shown with excerpts.`,
      `What a process looks up for the first time after a change of a space comes from MongoDB: p50 ${ms(median(ours.cold))}, p99 ${ms(quantile(ours.cold, 0.99))}.`,
      `The update is one transaction with majority and journal, words counted; of the reference, its words in memory.`,
    ],
  };
}

type Page = { id: string; title: string; sections: { title: string; text: string }[] };
type Text = { id: string; title: string; headings: string; text: string };

/**
 * Makes pages with word frequencies as in natural language: the n-th most frequent word occurs a n-th as
 * often as the first.
 */
function makePages(): Page[] {
  const random = seededRandom(18);
  const consonants = 'bcdfghjklmnprstvwz'.split('');
  const vowels = 'aeiou'.split('');
  const vocabulary = Array.from({ length: 40_000 }, (_, i) => {
    // Frequent words are short.
    const syllables = 1 + random.below(i < 200 ? 2 : 4);
    const word = Array.from(
      { length: syllables },
      () => random.pick(consonants) + random.pick(vowels) + random.pick(consonants),
    ).join('');
    return i < 2_000 ? word : word + i.toString(36);
  });
  const wordAt = (share: number) =>
    vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** share))] ?? '';
  const word = () => wordAt(random.below(1_000_000) / 1_000_000);
  const text = (words: number) => Array.from({ length: words }, word).join(' ');
  return Array.from({ length: pageCount }, (_, i) => ({
    id: `page${i}`,
    // Titles avoid the most frequent words.
    title: Array.from({ length: 2 + random.below(3) }, () =>
      wordAt(0.5 + random.below(400_000) / 1_000_000),
    ).join(' '),
    sections: Array.from({ length: 8 }, () => ({ title: text(3), text: text(140) })),
  }));
}

function makeQueries(pages: readonly Page[]): string[] {
  const random = seededRandom(81);
  return Array.from({ length: queryCount }, (_, i) => {
    const [first = '', second = ''] = random.pick(pages).title.split(' ');
    return [first.slice(0, Math.max(3, first.length - 2)), first, `${first} ${second}`][i % 3] ?? first;
  });
}

function textOf({ id, title, sections }: Page): Text {
  return {
    id,
    title,
    headings: sections.map((section) => section.title).join('\n'),
    text: sections.map(({ text }) => text).join('\n'),
  };
}

function recordOf({ id, title, sections }: Page): IndexedPageRecord {
  return {
    _id: `${space}:${id}`,
    space,
    page: id,
    audience: 'everybody',
    title,
    path: id,
    ancestors: [],
    words: weighWords({ title, sections }),
    sections: sections.map((section, i) => ({ id: `s${i}`, ...section })),
  };
}

/** Writes the same records as the indexer does for one changed page. */
async function update(record: IndexedPageRecord, n: number): Promise<void> {
  await withTransaction(async (session) => {
    await IndexedPage.collection.bulkWrite(
      [{ replaceOne: { filter: { _id: record._id }, replacement: record, upsert: true } }] as never[],
      { session },
    );
    await SpaceIndex.updateOne(
      { _id: space, run: 1 },
      { $inc: { version: 1, pages: 0 }, $set: { revision: `r${n}`, begun: [] } },
      { session },
    );
  });
}

async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
