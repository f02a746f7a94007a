import { element, type Html } from '@bindery/dialect';
import { isPart, listIn, textIn, type Part, type Specification } from '@bindery/dialect/openapi';
import { renderDescription } from './description.ts';
import type { Describing, Operation } from './describing.ts';

/** A scheme by which callers prove who they are, and the scopes that the operation needs. */
export type Scheme = { name: string; scheme: Part; scopes: string[] };

/**
 * The ways in which callers may prove who they are: of each, callers need all schemes. An empty one says that
 * callers may do without. An operation replaces those of the whole specification.
 */
export function securityOf(
  { operation, document }: Operation,
  { read }: Pick<Specification, 'read'>,
): Scheme[][] {
  const given = Object.hasOwn(operation, 'security') ? operation : document;
  const schemes = read(read(document['components'])['securitySchemes']);
  return listIn(given, 'security')
    .filter(isPart)
    .map((way) =>
      Object.keys(way).flatMap((name) => {
        const scheme = Object.hasOwn(schemes, name) ? read(schemes[name]) : {};
        const scopes = listIn(way, name).filter((each): each is string => typeof each === 'string');
        return [{ name, scheme, scopes }];
      }),
    );
}

export function renderSecurity(operation: Operation, describing: Describing): Html {
  const ways = securityOf(operation, describing.specification);
  const needed = ways.filter((way) => way.length > 0);
  const schemes = new Map(needed.flat().map((scheme) => [scheme.name, scheme]));
  if (schemes.size === 0) return '';
  const isOptional = needed.length < ways.length;
  const { words } = describing;
  const title = [words.authorization, needed.length > 1 && words.oneOfThese, isOptional && words.optional];
  return [
    element('p', { class: 'label' }, title.filter((part) => part !== false).join(', ')),
    element(
      'dl',
      {},
      [...schemes.values()].map((scheme) => renderScheme(scheme, describing)),
    ),
  ];
}

function renderScheme({ name, scheme, scopes }: Scheme, { specification, context, words }: Describing): Html {
  if (!specification.take()) return '';
  const facts = [factsOfScheme(scheme), scopes.length > 0 && words.scopes(scopes.slice(0, 50).join(', '))];
  return [
    element('dt', {}, [
      element('code', {}, name),
      ' ',
      element('span', { class: 'detail' }, facts.filter(Boolean).join(', ')),
    ]),
    element('dd', {}, renderDescription(textIn(scheme, 'description'), context)),
  ];
}

/** Names its kind, and where callers send it: `apiKey, header X-Key`. */
function factsOfScheme(scheme: Part): string {
  const place = `${textIn(scheme, 'in')} ${textIn(scheme, 'name')}`.trim();
  const kinds = [textIn(scheme, 'type'), textIn(scheme, 'scheme'), textIn(scheme, 'bearerFormat'), place];
  return kinds.filter((kind) => kind !== '').join(', ');
}

/** The headers of a request by these schemes, with words in place of the secrets. */
export function headersOf(schemes: readonly Scheme[]): [name: string, value: string][] {
  return schemes.flatMap(({ scheme }): [string, string][] => {
    const type = textIn(scheme, 'type');
    if (type === 'apiKey' && textIn(scheme, 'in') === 'header')
      return [[textIn(scheme, 'name'), 'YOUR_API_KEY']];
    if (type === 'http' && textIn(scheme, 'scheme').toLowerCase() === 'basic')
      return [['Authorization', 'Basic YOUR_CREDENTIALS']];
    return type === 'http' || type === 'oauth2' || type === 'openIdConnect'
      ? [['Authorization', 'Bearer YOUR_TOKEN']]
      : [];
  });
}
