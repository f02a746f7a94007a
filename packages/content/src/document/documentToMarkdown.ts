import type { DocumentBlock, DocumentInline, DocumentNode, DocumentText, DocumentTree } from '@bindery/contract';

/**
 * A document tree as Markdown: what CommonMark has a form for in that form, of everything else the text in it.
 *
 * Text stays text: characters that Markdown would take for markup are escaped.
 */
export function documentToMarkdown({ nodes }: DocumentTree): string {
  const text = joined(nodes);
  return text === '' ? '' : `${text}\n`;
}

function joined(nodes: readonly DocumentNode[]): string {
  return nodes
    .map((node) => (node.object === 'block' ? blockText(node) : inlineText([node])))
    .filter((text) => text !== '')
    .join('\n\n');
}

type Data = Record<string, unknown>;
type Form = (nodes: readonly DocumentNode[], data: Data) => string;

const heading =
  (level: number): Form =>
  (nodes) =>
    `${'#'.repeat(level)} ${inlineText(nodes).replaceAll(/\\?\n/g, ' ').trim()}`.trimEnd();

// The title of a page is its own heading of the first level.
const blockForms: Partial<Record<DocumentBlock['type'], Form>> = {
  paragraph: paragraphText,
  'heading-1': heading(2),
  'heading-2': heading(3),
  'heading-3': heading(4),
  'list-ordered': (nodes, { start }) => listText(nodes, (index) => `${(typeof start === 'number' ? start : 1) + index}. `),
  'list-unordered': (nodes) => listText(nodes, () => '- '),
  'list-tasks': (nodes) => listText(nodes, (_, item) => (item.data?.['checked'] === true ? '- [x] ' : '- [ ] ')),
  divider: () => '***',
  blockquote: (nodes) => indented(joined(nodes), '> ', '> '),
  code: (nodes, data) => codeText(nodes, wordIn(data, 'syntax')),
  hint: (nodes, data) => `{% hint style="${wordIn(data, 'style')}" %}\n${joined(nodes)}\n{% endhint %}`,
  math: (_, data) => `$$\n${wordIn(data, 'formula')}\n$$`,
  image: (_, data) => `![${escaped(wordIn(data, 'alt'))}](${destinationOf(data['ref'])})`,
  embed: (_, data) => `{% embed url="${wordIn(data, 'url')}" %}`,
};

function blockText({ type, nodes = [], data = {}, fragments = [] }: DocumentBlock): string {
  return blockForms[type]?.(nodes, data) ?? joined([...fragments.flatMap((fragment) => fragment.nodes), ...nodes]);
}

function listText(items: readonly DocumentNode[], markerOf: (index: number, item: DocumentBlock) => string): string {
  return items
    .filter((item) => item.object === 'block')
    .map((item, index) => {
      const marker = markerOf(index, item);
      // What is below an item is indented by its marker; of a task, the box is text of the item.
      return indented(joined(item.nodes ?? []), marker, ' '.repeat(marker.replace(/\[.\] $/, '').length)).trimEnd();
    })
    .join('\n');
}

function indented(text: string, first: string, further: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : further}${line}`.trimEnd())
    .join('\n');
}

function codeText(lines: readonly DocumentNode[], syntax: string): string {
  const code = lines.map((line) => ('nodes' in line ? rawText(line.nodes ?? []) : '')).join('\n');
  const fence = '`'.repeat(Math.max(3, 1 + longestRun(code)));
  return `${fence}${syntax.replaceAll(/[\s`]/g, '')}\n${code}\n${fence}`;
}

function rawText(nodes: readonly DocumentNode[]): string {
  return nodes.map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : rawText(node.nodes ?? []))).join('');
}

/** What would begin another kind of block at the beginning of a line is escaped there. */
function paragraphText(nodes: readonly DocumentNode[]): string {
  return inlineText(nodes)
    .trim()
    .split('\n')
    .map((line) => line.replace(/^[ \t]+/, '').replace(/^([#+=>-]|\d{1,9}(?=[.)]))/, (start) => (/^\d/.test(start) ? start : `\\${start}`)))
    .map((line) => line.replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`))
    .join('\n');
}

function inlineText(nodes: readonly DocumentNode[]): string {
  return nodes
    .map((node) => {
      if (node.object === 'text') return textOf(node);
      if (node.object === 'block') return joined([node]);
      return inlineForms[node.type]?.(node.nodes ?? [], node.data ?? {}) ?? inlineText(node.nodes ?? []);
    })
    .join('');
}

const inlineForms: Partial<Record<DocumentInline['type'], Form>> = {
  link: (nodes, data) => `[${inlineText(nodes)}](${destinationOf(data['ref'])})`,
  'inline-image': (_, data) => `![${escaped(wordIn(data, 'alt'))}](${destinationOf(data['ref'])})`,
  emoji: (_, data) => emojiOf(wordIn(data, 'code')),
  'inline-math': (_, data) => `$$${wordIn(data, 'formula')}$$`,
  expression: (_, data) => `{{ ${wordIn(data, 'expression')} }}`,
  button: (_, data) => escaped(wordIn(data, 'label')),
  mention: (_, data) => `[@](${destinationOf(data['ref'])})`,
};

const wrappers: Record<string, [string, string]> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  strikethrough: ['~~', '~~'],
  keyboard: ['<kbd>', '</kbd>'],
  superscript: ['<sup>', '</sup>'],
  subscript: ['<sub>', '</sub>'],
};

function textOf({ leaves }: DocumentText): string {
  return leaves
    .map(({ text, marks }) => {
      // Markdown takes no mark that begins or ends with white space.
      const core = text.trim();
      if (core === '') return text.replaceAll('\n', '\\\n');
      const before = text.slice(0, text.length - text.trimStart().length);
      const after = text.slice(text.trimEnd().length);
      const types = marks.map(({ type }) => type);
      let marked = types.includes('code') ? codeSpan(core) : escaped(core).replaceAll('\n', '\\\n');
      for (const type of types.toReversed()) marked = (wrappers[type] ?? ['', '']).join(marked);
      return before.replaceAll('\n', '\\\n') + marked + after.replaceAll('\n', '\\\n');
    })
    .join('');
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(1 + longestRun(text));
  const padding = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + padding + text.replaceAll('\n', ' ') + padding + fence;
}

function longestRun(text: string): number {
  return text.matchAll(/`+/g).reduce((longest, [run]) => Math.max(longest, run.length), 0);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<&~]/g, String.raw`\$&`);
}

/** As links in Markdown name what they lead to. */
function destinationOf(ref: unknown): string {
  const { kind, ...ids } = (ref ?? {}) as Record<string, unknown>;
  if (kind === 'url') return destination(wordIn(ids, 'url'));
  if (kind === 'page') return `/pages/${wordIn(ids, 'page')}`;
  if (kind === 'anchor') return `${ids['page'] === undefined ? '' : `/pages/${wordIn(ids, 'page')}`}#${wordIn(ids, 'anchor')}`;
  return `/${String(kind)}s/${wordIn(ids, kind === 'openapi' ? 'spec' : 'reusable-content' === kind ? 'reusableContent' : String(kind))}`;
}

function destination(url: string): string {
  if (/^[^\s<>()\\]+$/.test(url)) return url;
  return `<${url.replaceAll(/[\\<>]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, '%0A')}>`;
}

function emojiOf(code: string): string {
  const points = code.split('-').map((hex) => (/^[0-9a-f]{2,6}$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : escaped(code);
}

function wordIn(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}
