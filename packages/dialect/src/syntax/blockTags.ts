/** Tags that hold what stands before their end. */
const containers = [
  ...['hint', 'tabs', 'tab', 'stepper', 'step', 'columns', 'column', 'updates', 'update', 'code', 'if', 'prompt'],
  ...['swagger', 'swagger-description', 'swagger-parameter', 'swagger-response'],
  // What described a method of an API before `swagger`.
  ...[
    '',
    '-summary',
    '-description',
    '-spec',
    '-request',
    '-response',
    '-response-example',
    '-response-example-description',
    '-parameter',
  ].map((part) => `api-method${part}`),
  ...['path-parameters', 'query-parameters', 'headers', 'body-parameters', 'form-data-parameters'].map((part) => `api-method-${part}`),
];
/** Tags that may have an end, for a caption or a link that stands in for them elsewhere. */
const maybeEmpty = [
  ...['content-ref', 'page-ref', 'embed', 'file', 'include', 'openapi', 'openapi-operation', 'openapi-schemas', 'openapi-webhook'],
];

const known: ReadonlySet<string> = new Set([...containers, ...maybeEmpty]);
const emptyUnlessEnded: ReadonlySet<string> = new Set(maybeEmpty);

/** What the children of a list of parts are in: `{% tab %}` in `{% tabs %}`. Such a part ends where the next begins. */
export const wholeOfPart: Readonly<Record<string, string>> = { tab: 'tabs', step: 'stepper', column: 'columns', update: 'updates' };

/** Whether a word, with or without `end` before it, names a tag of the dialect; all others are text, as those of Jinja or Liquid. */
export function isBlockTag(name: string): boolean {
  const word = name.toLowerCase();
  return known.has(word) || (word.startsWith('end') && known.has(word.slice(3)));
}

export function mayLackEnd(name: string): boolean {
  return emptyUnlessEnded.has(name);
}
