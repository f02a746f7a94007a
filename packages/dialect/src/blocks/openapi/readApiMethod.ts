import type { DocumentBlock } from '@bindery/contract';
import { codeBlock } from '../code/codeBlock.ts';
import { contained } from '../../tree/containers.ts';
import { rawOf, type Element, type SourceNode } from '../../syntax/elements.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { block, leaf, mark, paragraph, plainParagraph, text } from '../../tree/nodes.ts';
import type { Tag } from '../block.ts';
import { blocksOf, deeper, type ParseContext } from '../../tree/parseContext.ts';

/** A method of an API that tags describe without a specification. */
type ApiMethod = {
  summary: string;
  request: string;
  description: SourceNode[];
  /** By the location of the parameters. */
  parameters: Map<string, Described[]>;
  responses: Described[];
};

type Described = { title: string; more: string; children: SourceNode[] };

const places: Readonly<Record<string, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  headers: 'Headers',
  cookie: 'Cookies',
  body: 'Body',
  formdata: 'Form data',
  'form-data': 'Form data',
};

const parameterLists = [
  'path-parameters',
  'query-parameters',
  'headers',
  'body-parameters',
  'form-data-parameters',
];
const methodParts = [
  'summary',
  'description',
  'spec',
  'request',
  'response',
  'response-example',
  'response-example-description',
  'parameter',
];

/** The tags that describe a method inside of its tag, for `readApiMethod`. Anywhere else they are text. */
export const apiMethodTags: Readonly<Record<string, Tag>> = Object.fromEntries([
  ...['description', 'parameter', 'response'].map((part) => [`swagger-${part}`, {}]),
  ...[...methodParts, ...parameterLists].map((part) => [`api-method-${part}`, {}]),
]);

/**
 * Reads `{% swagger method= path= %}` without a specification, and the older `{% api-method %}`, as a
 * heading, the request as code, the description, its parameters as lists, and its responses as tabs.
 *
 * @returns undefined without a request, or without room in the tree
 */
export function readApiMethod(element: Element, context: ParseContext): DocumentBlock[] | undefined {
  const found = describedBy(element);
  if (found.request === '' || context.level + 4 > deepestBlock) return undefined;
  const inside = deeper(context, 4);
  const title =
    found.summary === '' ? [] : [block('heading-2', { data: {}, nodes: [text([leaf(found.summary)])] })];
  return [
    ...title,
    codeBlock(found.request, { syntax: 'http' }),
    ...blocksOf(found.description, context),
    ...[...found.parameters].flatMap(([name, parameters]) => [
      paragraph([text([leaf(name, [mark('bold')])])]),
      ...listOf(parameters, inside),
    ]),
    ...tabsOf(found.responses, inside),
  ];
}

function describedBy({ attributes, children }: Element): ApiMethod {
  const said = (name: string) => unescaped(attributes.get(name) ?? '');
  const url = joined(said('baseurl') || said('host'), said('path'));
  const found: ApiMethod = {
    summary: said('summary'),
    request: [said('method').toUpperCase(), url].filter(Boolean).join(' '),
    description: [],
    parameters: new Map(),
    responses: [],
  };
  collect(children, found, '');
  return found;
}

/** @param where  the location of the parameters among the nodes */
function collect(nodes: readonly SourceNode[], found: ApiMethod, where: string): void {
  for (const node of nodes) {
    const name =
      node.kind === 'element' && node.form === 'tag'
        ? /^(?:swagger|api-method)-(.+)$/.exec(node.name)?.[1]
        : undefined;
    if (node.kind !== 'element' || name === undefined) {
      found.description.push(node);
      continue;
    }
    const { attributes, children } = node;
    const said = (key: string) => unescaped(attributes.get(key) ?? '');
    if (name === 'summary') found.summary ||= unescaped(rawOf(children));
    else if (name === 'parameter') {
      const label = places[said('in').toLowerCase() || where] ?? 'Parameters';
      const more = [said('type'), /^true$/i.test(said('required')) ? 'required' : '']
        .filter(Boolean)
        .join(', ');
      found.parameters.set(label, [
        ...(found.parameters.get(label) ?? []),
        { title: said('name'), more, children },
      ]);
    } else if (name === 'response' && attributes.size > 0)
      found.responses.push({ title: said('status'), more: said('description'), children });
    else if (name === 'response-example')
      found.responses.push({ title: said('httpcode'), more: '', children: withoutTags(children) });
    // The description, and tags that only group others: `api-method-spec`, `api-method-path-parameters`.
    else collect(children, found, name.replace(/-parameters$/, ''));
  }
}

/** Replaces the tags by their content. */
function withoutTags(nodes: readonly SourceNode[]): SourceNode[] {
  return nodes.flatMap((node) =>
    node.kind === 'element' && node.form === 'tag' && node.name.startsWith('api-method-')
      ? node.children
      : [node],
  );
}

function listOf(parameters: readonly Described[], context: ParseContext): DocumentBlock[] {
  const items = parameters.flatMap(({ title, more, children }) => {
    const name = paragraph([text([leaf(title, [mark('code')]), ...(more === '' ? [] : [leaf(` ${more}`)])])]);
    const pieces = contained([name, ...blocksOf(children, context)], {
      container: 'list-item',
      make: (nodes) => block('list-item', { nodes }),
    });
    return pieces.flatMap((each, index) =>
      index > 0 && each.type === 'list-item' ? (each.nodes as DocumentBlock[]) : [each],
    );
  });
  return contained(items, {
    container: 'list-unordered',
    make: (nodes) => block('list-unordered', { nodes }),
  });
}

function tabsOf(responses: readonly Described[], context: ParseContext): DocumentBlock[] {
  if (responses.length === 0) return [];
  const tabs = responses.flatMap(({ title, more, children }) => {
    const blocks = [...(more === '' ? [] : [plainParagraph(more)]), ...blocksOf(children, context)];
    return contained(blocks, {
      container: 'tabs-item',
      hasTitle: true,
      make: (nodes) => block('tabs-item', { data: { title }, nodes }),
    });
  });
  return contained(tabs, { container: 'tabs', make: (nodes) => block('tabs', { data: {}, nodes }) });
}

function joined(base: string, path: string): string {
  if (base === '' || path === '') return base + path;
  return `${base.replace(/\/$/, '')}${/^[/?#]/.test(path) ? '' : '/'}${path}`;
}

/** Older exports escape Markdown characters in attributes. */
function unescaped(written: string): string {
  return written.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '').trim();
}
