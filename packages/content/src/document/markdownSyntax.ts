import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified, type Data, type Processor } from 'unified';
import { blockTagSyntax } from './blockTagSyntax.ts';
import { SpanWork } from './spanWork.ts';

type Extension = NonNullable<Data['micromarkExtensions']>[number];
type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>;

/** Says that a text would take more work than any page is worth. */
class TooMuchWork extends Error {}

/** Far beyond what any page takes; a page at the limit takes about half a second. */
const maxWork = 30_000_000;
/** Quotes and lists that begin in one line. */
const maxContainersInLine = 100;

let work = 0;

function spend(amount: number): void {
  work += amount;
  if (work > maxWork) throw new TooMuchWork('The markup is too entangled.');
}

/**
 * Emphasis, labels and the like look back over all that came before them in their paragraph, which takes quadratic time for hostile ones.
 * These stand before the parser's own constructs, count what is to be looked at, and leave the character to them.
 */
const meter: Construct = {
  name: 'meter',
  tokenize(_effects, _ok, nok) {
    spend(this.events.length);
    return nok;
  },
};
let spans = new SpanWork('');
const spanMeter: Construct = {
  name: 'spanMeter',
  tokenize(_effects, _ok, nok) {
    spend(this.events.length + spans.at(this.now().offset));
    return nok;
  },
};

let line = 0;
let containersInLine = 0;
const containerMeter: Construct = {
  name: 'containerMeter',
  tokenize(_effects, _ok, nok) {
    const now = this.now().line;
    containersInLine = now === line ? containersInLine + 1 : 0;
    line = now;
    if (containersInLine > maxContainersInLine) throw new TooMuchWork('Too many quotes or lists begin in one line.');
    return nok;
  },
};

function meters(this: Processor): void {
  const at = (characters: string, construct: Construct) =>
    Object.fromEntries([...characters].map((each) => [each.charCodeAt(0), construct]));
  const data = this.data();
  (data.micromarkExtensions ??= []).push({
    text: { ...at('*_~[]!', meter), ...at('`<$', spanMeter) },
    document: at('>-+*0123456789', containerMeter),
  });
  // The links that only a second walk over the whole text would find are not worth that walk.
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? []).flat().map(({ transforms: _transforms, ...extension }) => extension);
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath, { singleDollarTextMath: false })
  .use(blockTagSyntax)
  .use(meters)
  .freeze();

/** Forgets the work done so far: before a new page. */
export function resetWork(): void {
  work = 0;
}

/**
 * Markdown with tables, tasks, footnotes, strikethrough, bare links, `$$` and block tags, as a syntax tree.
 *
 * @throws TooMuchWork when all texts since `resetWork` together take too long
 */
export function parseMarkdown(source: string): Root {
  line = 0;
  spans = new SpanWork(source);
  return processor.parse(source);
}
