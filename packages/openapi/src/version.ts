import { memberOf, scalarIn, textIn, type Part } from './source/parts.ts';
import { Unreadable } from './source/unreadable.ts';

export type OpenapiVersion = {
  /** The full number, such as `3.0.3`. */
  number: string;
  minor: '2.0' | '3.0' | '3.1' | '3.2';
  /** The member that names it. */
  member: 'swagger' | 'openapi';
  /** Set if the document writes it in another way. */
  warning?: string;
};

const newestPatch = { '3.0': 4, '3.1': 2, '3.2': 0 };

/**
 * Reads the version of a specification, forgiving about its notation.
 *
 * @throws Unreadable  for documents that are none, and for versions that are not supported; names what it is
 */
export function versionOf(document: Part): OpenapiVersion {
  const openapi = scalarIn(document, 'openapi');
  if (openapi !== undefined) return openapiVersion(openapi.trim(), typeof document['openapi'] === 'number');
  const swagger = scalarIn(document, 'swagger') ?? scalarIn(document, 'swaggerVersion');
  if (swagger !== undefined) return swaggerVersion(swagger.trim(), document);
  const foreign = foreignFormat(document);
  throw foreign
    ? new Unreadable('other-format', `The document is ${foreign}, not a specification of OpenAPI.`)
    : new Unreadable(
        'no-version',
        'The document names no version of OpenAPI; add `openapi: 3.1.0`, or the version that it is written in.',
      );
}

function openapiVersion(written: string, isNumber: boolean): OpenapiVersion {
  const [, minor, patch, rest] = /^(3\.[012])(?:\.(\d{1,3}))?(.*)$/s.exec(written) ?? [];
  if (minor !== '3.0' && minor !== '3.1' && minor !== '3.2') throw unsupported(`OpenAPI ${written}`);
  const number = `${minor}.${Math.min(Number(patch ?? 0), newestPatch[minor])}`;
  const member = 'openapi';
  if (number === written && !isNumber) return { number, minor, member };
  if (rest !== '' && !/^-[\w.-]*$/.test(rest ?? '')) throw unsupported(`OpenAPI ${written}`);
  return {
    number,
    minor,
    member,
    warning: `The version is written as ${isNumber ? 'the number ' : ''}${written}; it is read as "${number}".`,
  };
}

function swaggerVersion(written: string, document: Part): OpenapiVersion {
  const isNumber = typeof document['swagger'] === 'number';
  if (!/^2(?:\.0){0,2}$/.test(written) || !Object.hasOwn(document, 'swagger'))
    throw unsupported(`Swagger ${written}`);
  const version = { number: '2.0', minor: '2.0', member: 'swagger' } as const;
  if (written === '2.0' && !isNumber) return version;
  return {
    ...version,
    warning: `The version is written as ${isNumber ? 'the number ' : ''}${written}; it is read as "2.0".`,
  };
}

function unsupported(name: string): Unreadable {
  const shown = name.length > 50 ? `${name.slice(0, 50)}...` : name;
  return new Unreadable(
    'unsupported-version',
    `${shown} is not supported; convert the document to Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2.`,
  );
}

function foreignFormat(document: Part): string | undefined {
  const info = memberOf(document, 'info');
  if (textIn(info, '_postman_id') !== undefined || textIn(info, 'schema')?.includes('getpostman.com'))
    return 'a Postman collection';
  if (Object.hasOwn(document, 'asyncapi')) return 'an AsyncAPI document';
  if (Object.hasOwn(document, 'arazzo')) return 'an Arazzo document';
  if (Object.hasOwn(document, 'overlay')) return 'an OpenAPI overlay';
  if (Object.hasOwn(document, 'openrpc')) return 'an OpenRPC document';
  if (memberOf(document, '_type') === 'export') return 'an Insomnia export';
  if (Object.hasOwn(document, '$schema')) return 'a JSON Schema';
  return undefined;
}
