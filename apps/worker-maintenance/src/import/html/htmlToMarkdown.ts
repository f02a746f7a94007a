import rehypeRemark, { type Options } from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { attribute, classesOf, eachElement, findElement, removeElements, textOf } from './elements.ts';
import { boundTable } from './boundTable.ts';
import { embedUrl } from './embedUrl.ts';
import type { Element, ElementContent } from './htmlTree.ts';

type Handler = NonNullable<NonNullable<Options['handlers']>[string]>;
type State = Parameters<Handler>[0];

/** Handlers for HTML with special classes and elements, which become blocks of pages. */
const handlers: NonNullable<Options['handlers']> = {
  div: callout,
  section: callout,
  aside: callout,
  details,
  summary: (state, node) => state.all(node),
  figure,
  iframe: (_state, node) => {
    const url = embedUrl(attribute(node, 'src'));
    return url === undefined ? undefined : raw(`{% embed url="${url}" %}`);
  },
  pre: code,
  mark: (state, node) => state.all(node),
  sub: wrapped('sub'),
  sup: wrapped('sup'),
  kbd: (_state, node) => ({ type: 'inlineCode', value: textOf(node) }),
  img: (_state, node) => ({
    type: 'image',
    url: attribute(node, 'src') ?? '',
    title: null,
    alt: (attribute(node, 'alt') ?? '').replaceAll(/\s+/g, ' ').trim(),
  }),
};

const writer = unified()
  .use(rehypeRemark, { handlers, document: true })
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: '*',
    bulletOther: '-',
    emphasis: '*',
    rule: '-',
    fences: true,
    incrementListMarker: true,
    // Text that was not a tag must not become one.
    unsafe: [
      { character: '{', after: '%', inConstruct: 'phrasing' },
      { character: '$', after: String.raw`\$`, inConstruct: 'phrasing' },
    ],
  });

/** Converts an element's content to Markdown without HTML that a page could run. */
export function htmlToMarkdown(element: Element): string {
  removeElements(element, isEmptyAnchor);
  for (const inner of eachElement(element)) if (inner.tagName === 'table') boundTable(inner);
  for (const inner of eachElement(element)) if (inner.tagName === 'table') giveHeader(inner);
  const tree = writer.runSync({ type: 'root', children: element.children });
  return writer.stringify(tree as never).trim();
}

/** Whether an element is only a link target, which is invisible. */
function isEmptyAnchor(element: Element): boolean {
  return element.tagName === 'a' && attribute(element, 'href') === undefined && element.children.length === 0;
}

/** Gives a table a header, which Markdown requires: if it has none, the first row. */
function giveHeader(table: Element): void {
  if (findElement(table, ({ tagName }) => tagName === 'th' || tagName === 'thead')) return;
  const first = findElement(table, ({ tagName }) => tagName === 'tr');
  for (const cell of first?.children ?? [])
    if (cell.type === 'element' && cell.tagName === 'td') cell.tagName = 'th';
}

const callouts: readonly (readonly [style: string, names: RegExp])[] = [
  [
    'danger',
    /^(?:danger|error|failure|bug|caution|confluence-information-macro-warning|markdown-alert-caution)$/,
  ],
  [
    'warning',
    /^(?:warning|attention|important|confluence-information-macro-note|markdown-alert-warning|markdown-alert-important)$/,
  ],
  [
    'success',
    /^(?:tip|success|check|done|hint-success|confluence-information-macro-tip|markdown-alert-tip)$/,
  ],
  [
    'info',
    /^(?:note|info|information|abstract|seealso|confluence-information-macro-information|markdown-alert-note)$/,
  ],
];

/** Returns the style of a callout box; undefined for any other element. */
function calloutStyle(element: Element): string | undefined {
  const classes = classesOf(element).map((name) => name.toLowerCase());
  if (
    !classes.some((name) =>
      /^(?:admonition|theme-admonition|callout|alert|hint|markdown-alert|confluence-information-macro|custom-block)$/.test(
        name,
      ),
    )
  )
    return undefined;
  const words = classes.flatMap((name) => [
    name,
    name.replace(/^(?:alert|callout|theme-admonition|admonition|hint|custom-block)-+/, ''),
  ]);
  return callouts.find(([, names]) => words.some((word) => names.test(word)))?.[0] ?? 'info';
}

function callout(state: State, node: Element): ReturnType<Handler> {
  const style = calloutStyle(node);
  if (style === undefined) return state.all(node);
  // The heading of a callout only repeats the meaning of its colour.
  removeElements(node, (inner) =>
    classesOf(inner).some((name) =>
      /^(?:admonition-?heading|admonition-?title|markdown-alert-title|confluence-information-macro-icon|alert-icon)/i.test(
        name,
      ),
    ),
  );
  return [raw(`{% hint style="${style}" %}`), ...state.toFlow(state.all(node)), raw('{% endhint %}')];
}

function details(state: State, node: Element): ReturnType<Handler> {
  const summary = findElement(node, ({ tagName }) => tagName === 'summary');
  const children = node.children.filter((child) => child !== summary);
  const title = summary ? textOf(summary) : 'Details';
  return [
    raw(`<details>\n\n<summary>${escapeHtml(title)}</summary>`),
    ...state.toFlow(state.all({ ...node, children })),
    raw('</details>'),
  ];
}

/** Converts an image with its caption. */
function figure(state: State, node: Element): ReturnType<Handler> {
  const caption = findElement(node, ({ tagName }) => tagName === 'figcaption');
  const image = findElement(node, ({ tagName }) => tagName === 'img');
  const source = image && attribute(image, 'src');
  if (
    !caption ||
    source === undefined ||
    findElement(node, ({ tagName }) => tagName === 'table' || tagName === 'pre')
  )
    return state.all(node);
  const alt = (image && attribute(image, 'alt')) ?? '';
  return raw(
    `<figure><img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}"><figcaption>${escapeHtml(textOf(caption))}</figcaption></figure>`,
  );
}

/** Converts code with its language, in any of the usual notations. */
function code(_state: State, node: Element): ReturnType<Handler> {
  const elements = [...eachElement(node)];
  const language = elements.map(languageOf).find((found) => found !== undefined);
  return {
    type: 'code',
    lang: language ?? null,
    meta: null,
    value: trimmedEnd(codeText(node).replace(/^\n/, ''), '\n'),
  };
}

function languageOf(element: Element): string | undefined {
  for (const name of classesOf(element)) {
    const found = /^(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]{1,30})$/i.exec(name)?.[1];
    if (found) return found.toLowerCase();
  }
  const brush = attribute(element, 'dataSyntaxhighlighterParams') ?? '';
  return (
    /brush:\s*([\w+#-]{1,30})/.exec(brush)?.[1]?.toLowerCase() ??
    attribute(element, 'dataLang')
      ?.toLowerCase()
      .replaceAll(/[^\w+#.-]/g, '')
  );
}

function codeText(node: Element | ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  return node.tagName === 'br' ? '\n' : node.children.map(codeText).join('');
}

function wrapped(tagName: string): Handler {
  return (state, node) => [raw(`<${tagName}>`), ...state.all(node), raw(`</${tagName}>`)];
}

function raw(value: string): { type: 'html'; value: string } {
  return { type: 'html', value };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
