import { loadRevisionLinks } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildOrganization, buildRevision, buildSpace, type TestPage } from '../../test/support/factories.ts';
import { seededRandom } from '../../test/support/seededRandom.ts';
import type { Part, Row } from '../support/figures.ts';

const pageCount = 10_000;

/**
 * Measures the first reading of all links of a space: through an API that knows no document of it, and in
 * this process afterwards, which finds the facts of the documents stored. Needs a connection to MongoDB.
 *
 * @param origin  origin of an API that uses the same database
 */
export async function measureLinks(origin: string): Promise<Part> {
  const texts = makePages();
  const { organization, admin } = await buildOrganization();
  const space = await buildSpace(organization);
  console.error(`filling: a space of ${pageCount} pages`);
  const revision = await buildRevision(space, { pages: treeOf(texts) });

  const parsedMs = await timed(() => {
    for (const text of texts) fromMarkdown(text);
  });
  let answers = 0;
  let links = 0;
  const firstMs = await timed(async () => {
    for (let status = 503; status === 503; answers += 1) {
      const response = await fetch(`${origin}/v1/spaces/${space._id}/links?limit=1`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      status = response.status;
      const { count } = (await response.json()) as { count?: number };
      links = count ?? 0;
      if (status !== 200 && status !== 503) throw new Error(`The API answered ${status}.`);
    }
  });
  const again = await readHere(revision);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const row = (name: string, ms: number, goal: number): Row => ({
    name,
    reference: seconds(parsedMs),
    ours: seconds(ms),
    ratio: ms / parsedMs,
    goal: `<= ${goal}`,
    isMet: ms / parsedMs <= goal,
  });
  const sizeMb = texts.reduce((sum, { length }) => sum + length, 0) / 1e6;
  return {
    rows: [
      row(`First reading of all links of ${pageCount.toLocaleString('en')} pages`, firstMs, 1.2),
      row('the same by a process that finds them stored', again.ms, 0.1),
    ],
    notes: [
      `Links: ${pageCount.toLocaleString('en')} pages, ${sizeMb.toFixed(0)} MB, ${links} targets. The reference is fromMarkdown of mdast-util-from-markdown for the same pages on one thread. The API answered ${answers} times until it had read all; nothing had read the pages in advance.`,
      `The process that finds them stored pauses for at most ${again.longestMs.toFixed(0)} ms.`,
    ],
  };
}

async function readHere(revision: RevisionRecord): Promise<{ ms: number; longestMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const ms = await timed(async () => loadRevisionLinks(revision, { appUrl: 'https://docs.example' }));
  delay.disable();
  return { ms, longestMs: delay.max / 1e6 };
}

/** Pages of 1 to 6 kB of headings, text, lists, code and notes, with five links on average. */
function makePages(): string[] {
  const random = seededRandom(21);
  const words = (count: number) => Array.from({ length: count }, () => random.pick(vocabulary)).join(' ');
  const target = () => `page-${random.below(pageCount)}.md${random.chance(0.3) ? '#how-it-works' : ''}`;
  const makers: (() => string)[] = [
    () => `## ${words(3)}`,
    () => `${words(40)}.`,
    () => `${words(20)}, **${words(2)}** and \`${words(1)}\` ${words(15)}.`,
    () => `${words(12)} [${words(2)}](${target()}) ${words(15)}.`,
    () => Array.from({ length: 4 }, () => `* ${words(8)}`).join('\n'),
    () => `* ${words(5)}\n* [${words(2)}](${target()}) ${words(4)}\n* ${words(6)}`,
    () => `\`\`\`js\nconst ${words(1)} = call('${words(3)}');\nawait ${words(1)}();\n\`\`\``,
    () => `{% hint style="info" %}\n${words(25)}.\n{% endhint %}`,
    () => `![${words(2)}](<.gitbook/assets/picture ${random.below(500)}.png>)`,
    () => `| ${words(1)} | ${words(1)} |\n| --- | --- |\n| ${words(3)} | ${words(4)} |`,
  ];
  return Array.from({ length: pageCount }, (_, index) => {
    const size = 1_000 + random.below(5_000);
    let text = `# Page ${index}\n\n## How it works\n`;
    while (text.length < size) text += `\n${random.pick(makers)()}\n`;
    return text;
  });
}

const vocabulary =
  'the a page of documentation says how an installation begins with its settings and where each user finds what the service needs before it answers any request'.split(
    ' ',
  );

/** A hundred pages on the first level, the others below them. */
function treeOf(texts: readonly string[]): TestPage[] {
  const first = texts
    .slice(0, 100)
    .map((source, index) => ({ ...pageOf(source, index), pages: [] as TestPage[] }));
  for (const [index, source] of texts.entries())
    if (index >= 100) first[index % 100]?.pages.push(pageOf(source, index));
  return first;
}

function pageOf(source: string, index: number): TestPage {
  const slug = `page-${index}`;
  return { id: slug, title: `Page ${index}`, slug, path: slug, source };
}

async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
