import { createSpace } from '@bindery/content';
import { connectMongo, disconnectMongo, ensureIndexes, Space, type SpaceRecord } from '@bindery/models';
import { buildOrganization, buildRevision, buildSite } from '../../test/support/factories.ts';
import { quantile, type Row } from '../support/figures.ts';
import { latenciesOf, send, type Target } from './load.ts';

const rounds = 5;
const viewsPerRound = 40;
const readsPerRound = 100;
const pageCount = 300;
export const readerAppUrl = 'https://docs.example.org';

/** The URL of a page of a published site. */
export type PublishedPage = { url: string };

/** Fills an empty database with a published site that has one space. */
export async function fillPublishedSite(uri: string): Promise<PublishedPage> {
  await connectMongo({ mongo: { uri } });
  await ensureIndexes();
  const { organization, admin } = await buildOrganization();
  const { _id } = await createSpace({
    organization: organization._id,
    createdBy: admin.user._id,
    title: 'Guide',
  });
  const space = (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
  await buildRevision(space, {
    pages: Array.from({ length: pageCount }, (_, i) => ({
      id: `page${i}`,
      title: `Page ${i}`,
      path: `page-${i}`,
      source: sourceOf(i),
    })),
  });
  const site = await buildSite(organization, { title: 'Guide', spaces: [space], isPublished: true });
  await disconnectMongo();
  return { url: `${readerAppUrl}/${organization._id}/${site.basename}/page-7` };
}

/** About 20 KB. */
function sourceOf(page: number): string {
  const sections = Array.from(
    { length: 40 },
    (_, i) =>
      `## Section ${i}\n\nSome *words* with a [link](page-${(page + i) % pageCount}.md) and \`code\`.\n\n\`\`\`js\nconst a = ${i};\n\`\`\`\n\n` +
      `{% hint style="info" %}\nA hint of section ${i}.\n{% endhint %}\n\n| a | b |\n| - | - |\n| ${i} | c |\n\n* one\n* two\n* three\n`,
  );
  return `# Page ${page}\n\n${sections.join('\n')}`;
}

/**
 * Measures page views as GitBook's reader makes them: it resolves each prefix of the URL, then reads the
 * site, its space, the revision and the page, unless it has cached them under the same token.
 */
export async function measureReaderViews(origin: string, { url }: PublishedPage): Promise<Row[]> {
  const resolves = beginningsOf(url).map((each): Target => ({
    origin,
    path: '/v1/urls/published',
    method: 'POST',
    json: { url: each },
  }));
  const resolve = async () => (await Promise.allSettled(resolves.map(send))).at(-1);
  const found = await resolve();
  if (found?.status !== 'fulfilled') throw new Error(`${url} leads nowhere.`);
  const {
    apiToken: token,
    organization,
    site,
    space,
  } = JSON.parse(found.value.body.toString()) as Record<string, string>;
  const read = (path: string): Target => ({ origin, path: `/v1${path}`, token: token ?? '' });
  const { revision } = JSON.parse((await send(read(`/spaces/${space}`))).body.toString()) as {
    revision: string;
  };
  const targets = [
    `/orgs/${organization}/sites/${site}/published`,
    `/spaces/${space}`,
    `/spaces/${space}/revisions/${revision}?metadata=true`,
    `/spaces/${space}/revisions/${revision}/page/page7/meta-links`,
    `/spaces/${space}/revisions/${revision}/page/page7/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
  ].map(read);
  const known: Target[] = [];
  for (const target of targets) known.push({ ...target, tag: (await send(target)).tag });

  const viewed = async (reads: readonly Target[]) => {
    const startedMs = performance.now();
    await resolve();
    for (const each of reads) await send(each);
    return performance.now() - startedMs;
  };
  const samples = { first: [] as number[], asked: [] as number[], repeated: [] as number[] };
  const documents = { whole: [] as number[], known: [] as number[] };
  const revisions = { whole: [] as number[], known: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    console.error(`views of a reader: round ${round + 1} of ${rounds}`);
    for (let i = 0; i < viewsPerRound; i += 1) {
      samples.first.push(await viewed(targets));
      samples.asked.push(await viewed(known));
      samples.repeated.push(await viewed([]));
    }
    documents.whole.push(...(await latenciesOf(targets[4] as Target, readsPerRound)));
    documents.known.push(...(await latenciesOf(known[4] as Target, readsPerRound)));
    revisions.whole.push(...(await latenciesOf(targets[2] as Target, readsPerRound)));
    revisions.known.push(...(await latenciesOf(known[2] as Target, readsPerRound)));
  }
  return [
    row('a repeated view, 4 calls, against a first one, 9 calls', samples.first, {
      ours: samples.repeated,
      atMost: 0.5,
    }),
    row('a view of which the reader has all, 9 calls, 5 of them 304, against a first one', samples.first, {
      ours: samples.asked,
      atMost: 1,
    }),
    row('the document of a page, 304 against the whole', documents.whole, {
      ours: documents.known,
      atMost: 0.8,
    }),
    row(`a revision of ${pageCount} pages, 304 against the whole`, revisions.whole, {
      ours: revisions.known,
      atMost: 0.8,
    }),
  ];
}

/** The prefixes of a URL: the host, then one more segment each time. */
function beginningsOf(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/').slice(1);
  return [origin, ...segments.map((_, i) => [origin, ...segments.slice(0, i + 1)].join('/'))];
}

function row(
  name: string,
  reference: readonly number[],
  { ours, atMost }: { ours: readonly number[]; atMost: number },
): Row {
  const [first, second] = [quantile(reference, 0.5), quantile(ours, 0.5)];
  const ratio = second / first;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return {
    name: `${name}: p50`,
    reference: ms(first),
    ours: ms(second),
    ratio,
    goal: `<= ${atMost}`,
    isMet: ratio <= atMost,
  };
}
