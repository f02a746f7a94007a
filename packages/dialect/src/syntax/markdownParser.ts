import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified, type Data, type Processor } from 'unified';
import type { BlockTags } from './blockTags.ts';
import { blockTagSyntax } from './blockTagSyntax.ts';
import { SpanCost } from './spanCost.ts';

type Extension = NonNullable<Data['micromarkExtensions']>[number];
type ConstructRecord = NonNullable<Extension['text']>;
type Construct = Extract<ConstructRecord[string], { tokenize: unknown }>;

/** The error for a text that would take more work than any page is worth. */
class TooMuchWork extends Error {}

/** Long pages by people take a tenth of it; a page at the limit takes about a quarter of a second. */
const maxWork = 10_000_000;
/** Maximum number of quotes and lists that begin in one line. */
const maxContainersInLine = 100;

let work = 0;

function spend(amount: number): void {
  work += amount;
  if (work > maxWork) throw new TooMuchWork('The markup is too entangled.');
}

/**
 * Measures the work for emphasis, labels and the like, which search back through their paragraph: quadratic
 * time for hostile ones. Meters run before the parser's own constructs, count the events to be searched, and
 * consume nothing.
 */
const meter: Construct = {
  name: 'meter',
  tokenize(_effects, _ok, nok) {
    spend(this.events.length);
    return nok;
  },
};
let text = '';
let spans = new SpanCost('');
/** The cost of a character searched for the end of a span, in events. */
const workOfSpanCharacter = 40;
const spanMeter: Construct = {
  name: 'spanMeter',
  tokenize(_effects, _ok, nok) {
    spend(this.events.length + workOfSpanCharacter * spans.at(this.now().offset));
    return nok;
  },
};

/** The numbers of events before each bracket that is still open, in the current text. */
let openBrackets: { of: unknown; at: number[] } = { of: undefined, at: [] };

function bracketsIn(text: unknown): number[] {
  if (openBrackets.of !== text) openBrackets = { of: text, at: [] };
  return openBrackets.at;
}

const bracketMeter: Construct = {
  name: 'bracketMeter',
  tokenize(_effects, _ok, nok) {
    const { length } = this.events;
    const brackets = bracketsIn(this);
    return (code) => {
      if (code === closingBracket) brackets.pop();
      // An exclamation mark opens an image only before a bracket.
      else if (code === openingBracket || text[this.now().offset + 1] === '[') brackets.push(length);
      spend(length);
      return nok(code);
    };
  },
};
const [openingBracket, closingBracket] = [91, 93];

/**
 * The beginnings of bare links, by the names of their constructs. Without them the parser would begin a link
 * at each word, and read nearly all text twice.
 */
const linkBeginnings: Readonly<Record<string, RegExp>> = {
  emailAutolink: /[\w+.-]+@/y,
  protocolAutolink: /https?:\/\//iy,
  wwwAutolink: /www\./iy,
};
const workOfLink = 3;

/**
 * Lets the construct of a bare link run only where one may begin, and measures its work there: it searches
 * back to the last open bracket.
 */
function onlyAtLinks(construct: Construct): Construct {
  const beginning = linkBeginnings[construct.name ?? ''];
  if (!beginning) return construct;
  const mayBeginAt = (offset: number) => {
    beginning.lastIndex = offset;
    return beginning.test(text);
  };
  return {
    ...construct,
    previous(code) {
      return (construct.previous?.call(this, code) ?? true) && mayBeginAt(this.now().offset);
    },
    tokenize(effects, ok, nok) {
      if (!mayBeginAt(this.now().offset)) return nok;
      const opened = bracketsIn(this).at(-1);
      if (opened !== undefined) spend(workOfLink * (this.events.length - opened));
      return construct.tokenize.call(this, effects, ok, nok);
    },
  };
}

/**
 * Measures the work for the line below a heading, and for a lazy continuation line of a quote: both are
 * inserted into all earlier events.
 */
const lineMeter: Construct = {
  name: 'lineMeter',
  tokenize(_effects, _ok, nok) {
    return (code) => {
      const isLazy = this.parser.lazy[this.now().line] === true;
      if (isLazy || code === equalsSign || code === dash) spend(workOfLine * this.events.length);
      return nok(code);
    };
  },
};
const [equalsSign, dash] = [61, 45];
const workOfLine = 2;

let line = 0;
let containersInLine = 0;
const containerMeter: Construct = {
  name: 'containerMeter',
  tokenize(_effects, _ok, nok) {
    const now = this.now().line;
    containersInLine = now === line ? containersInLine + 1 : 0;
    line = now;
    if (containersInLine > maxContainersInLine)
      throw new TooMuchWork('Too many quotes or lists begin in one line.');
    // For each container, the parser checks whether the rest of the line is a rule.
    if (containersInLine > 0) spend(workOfSpanCharacter * spans.toLineEnd(this.now().offset));
    return nok;
  },
};

function meters(this: Processor): void {
  const at = (characters: string, construct: Construct) =>
    Object.fromEntries([...characters].map((each) => [each.charCodeAt(0), construct]));
  const data = this.data();
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map(({ text: constructs, ...extension }) => ({
    ...extension,
    text: constructs && mapped(constructs, onlyAtLinks),
  }));
  data.micromarkExtensions.push({
    text: {
      ...at('*_~', meter),
      ...at('[]!', bracketMeter),
      ...at('`<$', spanMeter),
    },
    flow: { null: lineMeter, ...at('=-', lineMeter) },
    document: at('>-+*0123456789', containerMeter),
  });
  // Skips the second walk over the whole text, which would find few further links.
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map(({ transforms: _transforms, ...extension }) => extension);
}

/** Replaces each construct of a map of constructs. */
function mapped(constructs: ConstructRecord, replace: (construct: Construct) => Construct): ConstructRecord {
  return Object.fromEntries(
    Object.entries(constructs).map(([code, some]) => [code, some && [some].flat().map(replace)]),
  );
}

/** Resets the work counter, before a new page. */
export function resetWork(): void {
  work = 0;
}

/**
 * Creates a Markdown parser with tables, tasks, footnotes, strikethrough, bare links, `$$` and the given
 * block tags. It throws TooMuchWork when all texts since `resetWork` together take too long.
 */
export function createMarkdownParser(tags: BlockTags): (source: string) => Root {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkMath, { singleDollarTextMath: false })
    .use(blockTagSyntax(tags))
    .use(meters)
    .freeze();
  return (source) => {
    line = 0;
    // The parser counts positions without it.
    text = source.startsWith('\uFEFF') ? source.slice(1) : source;
    spans = new SpanCost(text);
    return processor.parse(source);
  };
}
