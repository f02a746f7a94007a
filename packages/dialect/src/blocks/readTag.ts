import type { BlockType, DocumentBlock } from '@bindery/contract';
import type { Link } from 'mdast';
import { flagIn, iconIn, lengthOf, oneOf } from '../syntax/attributes.ts';
import { contained } from '../tree/containers.ts';
import { rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { deepestBlock } from '../tree/limits.ts';
import { block, plainParagraph, present, target, wordsOf, type Data } from '../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import { ownLabel } from '../links/writeRefs.ts';
import { codeBlock } from './codeBlock.ts';
import { readApiMethod } from './readApiMethod.ts';
import { codeData } from './readPre.ts';

type Reader = (element: Element, context: ParseContext) => DocumentBlock[];

/** A tag of the dialect. One that lacks what it needs is text, and its content stands after it. */
export function readTag(element: Element, context: ParseContext): DocumentBlock[] {
  return (readers[element.name] ?? readPlain)(element, { ...context, isHtml: false });
}

/** The tag as text, then what is in it. */
const readPlain: Reader = ({ open, close, children }, context) => [
  plainParagraph(open),
  ...blocksOf(children, context),
  ...(close === '' ? [] : [plainParagraph(close)]),
];

const readers: Readonly<Record<string, Reader>> = {
  hint: container('hint', ({ attributes }) => ({
    data: present({ style: hintStyle(attributes.get('style') ?? attributes.get('type')), icon: iconIn(attributes) }),
  })),
  tabs: whole('tabs', 'tab', ({ attributes }) => present({ fullWidth: flagIn(attributes, 'fullwidth') })),
  tab: part('tabs', () => ({})),
  stepper: whole('stepper', 'step', () => ({})),
  step: part('stepper', () => ({})),
  columns: whole('columns', 'column', ({ attributes }) => present({ fullWidth: flagIn(attributes, 'fullwidth') })),
  column: part('columns', () => ({})),
  updates: whole('updates', 'update', ({ attributes }) => ({
    format: oneOf(attributes.get('format'), ['numeric', 'full', 'short']) ?? 'full',
  })),
  update: part('updates', () => ({ format: 'full' })),
  if: (element, context) => {
    const expression = element.argument.trim();
    if (expression === '' || context.level + 2 > deepestBlock) return readPlain(element, context);
    const blocks = blocksOf(element.children, deeper(context, 2));
    return contained(blocks, { container: 'if', make: (nodes) => block('if', { data: { expression }, nodes }) });
  },
  code: readCode,
  prompt: readPrompt,
  'content-ref': readContentRef,
  'page-ref': readContentRef,
  embed: (element, context) => {
    const url = element.attributes.get('url')?.trim();
    if (!url) return readPlain(element, context);
    const data = present({ url, fullWidth: flagIn(element.attributes, 'fullwidth') });
    return [block('embed', { data }), ...captionOf(element, context)];
  },
  file: (element, context) => {
    const src = element.attributes.get('src')?.trim();
    if (!src) return readPlain(element, context);
    return [block('file', { data: { ref: target(src) } }), ...captionOf(element, context)];
  },
  include: (element, context) => {
    const path = element.argument.replaceAll(/^["'“”‘’]|["'“”‘’]$/g, '').trim();
    if (path === '') return readPlain(element, context);
    return [block('reusable-content', { data: { ref: target(path) } }), ...blocksOf(element.children, context)];
  },
  openapi: readOperation,
  swagger: readOperation,
  'api-method': readOperation,
  'openapi-operation': readOperation,
  'openapi-schemas': (element, context) => {
    const { attributes } = element;
    const spec = attributes.get('spec');
    const schemas = wordList(attributes.get('schemas') ?? attributes.get('schema'));
    if (!spec || schemas.length === 0) return readPlain(element, context);
    const data = { ref: { kind: 'openapi', spec }, schemas, grouped: flagIn(attributes, 'grouped'), title: attributes.get('title') };
    return [block('openapi-schemas', { data: present({ ...data, body: bodyOf(element) }) })];
  },
  'openapi-webhook': (element, context) => {
    const { attributes } = element;
    const [spec, name, method] = [attributes.get('spec'), attributes.get('name'), attributes.get('method')];
    if (!spec || !name || !method) return readPlain(element, context);
    return [block('openapi-webhook', { data: present({ ref: { kind: 'openapi', spec }, name, method, body: bodyOf(element) }) })];
  },
};

/** `tip` is what other tools call a friendly hint, `note` a plain one. */
function hintStyle(written: string | undefined): string {
  const style = written?.toLowerCase() ?? '';
  const known = oneOf(style, ['info', 'warning', 'danger', 'success']);
  if (known) return known;
  if (style === 'tip') return 'success';
  if (style === 'caution' || style === 'important') return 'warning';
  return style === 'error' ? 'danger' : 'info';
}

function container(type: 'hint', dataOf: (element: Element) => { data: Data }): Reader {
  return (element, context) => {
    if (context.level + 2 > deepestBlock) return readPlain(element, context);
    const blocks = blocksOf(element.children, deeper(context, 2));
    return contained(blocks, { container: type, make: (nodes) => block(type, { ...dataOf(element), nodes }) });
  };
}

type Whole = 'tabs' | 'stepper' | 'columns' | 'updates';

/** What is in parts: anything else in it stands between them. */
function whole(type: Whole, partName: string, dataOf: (element: Element) => Data): Reader {
  return (element, context) => {
    if (context.level + 4 > deepestBlock) return readPlain(element, context);
    const inside = deeper(context, 4);
    let others: SourceNode[] = [];
    const blocks: DocumentBlock[] = [];
    const endOthers = () => {
      blocks.push(...blocksOf(others, context));
      others = [];
    };
    for (const child of element.children) {
      if (child.kind === 'element' && child.form === 'tag' && child.name === partName) {
        endOthers();
        blocks.push(...readPart(child, inside));
      } else if (child.kind === 'element' && child.form === 'element' && child.attributes.get('data-tag') === partName) {
        endOthers();
        const attributes = new Map([...child.attributes].map(([key, value]) => [key.replace(/^data-/, ''), value]));
        blocks.push(...readPart({ ...child, name: partName, attributes }, inside));
      } else others.push(child);
    }
    endOthers();
    if (blocks.length === 0) return [];
    return contained(blocks, { container: type, make: (nodes) => block(type, { data: dataOf(element), nodes }) }).filter(
      ({ type: made, nodes }) => made !== type || (nodes ?? []).length > 0,
    );
  };
}

/** A part that stands in no whole has one to itself. */
function part(type: Whole, dataOf: () => Data): Reader {
  return (element, context) => {
    if (context.level + 4 > deepestBlock) return readPlain(element, context);
    return contained(readPart(element, deeper(context, 4)), { container: type, make: (nodes) => block(type, { data: dataOf(), nodes }) });
  };
}

const typeOfPart = { tab: 'tabs-item', step: 'stepper-step', column: 'column', update: 'update' } as const satisfies Record<
  string,
  BlockType
>;

function readPart(element: Element, context: ParseContext): DocumentBlock[] {
  const name = element.name as keyof typeof typeOfPart;
  const type = typeOfPart[name];
  const data = partData(name, element);
  const blocks = blocksOf(element.children, { ...context, isHtml: false });
  if (!data) return [plainParagraph(element.open), ...blocks, ...(element.close === '' ? [] : [plainParagraph(element.close)])];
  return contained(blocks, { container: type, hasTitle: name !== 'column', make: (nodes) => block(type, { data, nodes }) });
}

function partData(name: keyof typeof typeOfPart, { attributes }: Element): Data | undefined {
  switch (name) {
    case 'tab':
      return present({ title: attributes.get('title'), icon: iconIn(attributes), slug: attributes.get('slug') || undefined });
    case 'step':
      return present({ icon: iconIn(attributes) });
    case 'column': {
      const valign = oneOf(attributes.get('valign'), ['top', 'middle', 'bottom']);
      return present({ width: lengthOf(attributes.get('width')), verticalAlignment: valign });
    }
    case 'update': {
      const date = timeOf(attributes.get('date'));
      if (date === undefined) return undefined;
      const tags = wordList(attributes.get('tags')).map((tag) => ({ kind: 'tag', tag }));
      return present({ date, tags: tags.length > 0 ? tags : undefined });
    }
  }
}

function timeOf(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const time = new Date(/T/.test(text) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) < '0001' ? undefined : time.toISOString();
}

function wordList(written: string | undefined): string[] {
  return (written ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** What stands in a tag for readers elsewhere is a caption here, below the block. */
function captionOf({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const caption = attributes.get('caption')?.trim() ?? '';
  return [...(caption === '' ? [] : [plainParagraph(caption)]), ...blocksOf(children, context)];
}

/** What stands in a tag for readers elsewhere, such as a link to a specification: kept as it was written. */
function bodyOf({ children }: Element): string | undefined {
  return rawOf(children).trim() || undefined;
}

/** All forms of one operation: of a known specification, or of a file or URL with one. The oldest ones say all by themselves. */
function readOperation(element: Element, context: ParseContext): DocumentBlock[] {
  const { attributes } = element;
  const [spec, src, path, method] = ['spec', 'src', 'path', 'method'].map((name) => attributes.get(name)?.trim());
  if (!spec && !src) return readApiMethod(element, context) ?? readPlain(element, context);
  if (!path || !method) return readPlain(element, context);
  const body = bodyOf(element);
  if (spec && element.name !== 'swagger') {
    return [block('openapi-operation', { data: present({ ref: { kind: 'openapi', spec }, path, method, body }) })];
  }
  const data = {
    ref: target(src ?? spec ?? ''),
    path,
    method,
    expanded: flagIn(attributes, 'expanded'),
    fullWidth: flagIn(attributes, 'fullwidth'),
  };
  return [block('swagger', { data: present({ ...data, body }) })];
}

function readCode({ attributes, children, ...element }: Element, context: ParseContext): DocumentBlock[] {
  const blocks = blocksOf(children, context);
  const index = blocks.findIndex(({ type }) => type === 'code');
  const code = blocks[index];
  if (!code) return readPlain({ attributes, children, ...element }, context);
  const data = { ...code.data, ...codeData(attributes, '') };
  return blocks.with(index, { ...code, data });
}

function readPrompt({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 2 > deepestBlock) return blocksOf(children, context);
  const blocks = blocksOf(children, deeper(context, 2));
  const code = blocks.find(({ type }) => type === 'code');
  const rest = blocks.filter((each) => each !== code);
  const data = present({
    description: attributes.get('description') ?? '',
    icon: iconIn(attributes),
    openInAIProviders: flagIn(attributes, 'openinaiproviders'),
    defaultExpanded: oneOf(attributes.get('defaultexpanded'), ['hidden', 'partial', 'full']),
  });
  // Without a fence, what is in it is what to ask.
  const nodes = [code ?? codeBlock(rest.map(wordsOf).join('\n\n'), {})];
  return [block('prompt', { data, nodes }), ...(code ? rest : [])];
}

/** The target is the tag's, else that of the link in it. */
function readContentRef(element: Element, context: ParseContext): DocumentBlock[] {
  const { attributes, children } = element;
  const link = onlyLink(children);
  const url = (attributes.get('url') ?? attributes.get('page') ?? '').trim() || link?.url;
  if (!url) return children.length > 0 ? blocksOf(children, context) : readPlain(element, context);
  const ref = block('content-ref', { data: present({ ref: target(url), label: ownLabel(link && textOfLink(link), url) }) });
  if (link || children.length === 0) return [ref];
  // `.` and the like: what stands there is no link but a stand-in for one.
  const blocks = blocksOf(children, context);
  return [ref, ...blocks.filter((each) => !(each.type === 'paragraph' && /^[.\s]*$/.test(wordsOf(each))))];
}

function textOfLink(link: Link): string {
  return link.children.map((child) => ('value' in child ? child.value : 'children' in child ? textOfLink(child as Link) : '')).join('');
}

function onlyLink(children: readonly SourceNode[]): Link | undefined {
  const [child, ...more] = children.filter((node) => node.kind !== 'text' || node.raw.trim() !== '');
  if (more.length > 0 || child?.kind !== 'node' || child.node.type !== 'paragraph') return undefined;
  const [link, ...rest] = child.node.children;
  return link?.type === 'link' && rest.length === 0 ? link : undefined;
}
