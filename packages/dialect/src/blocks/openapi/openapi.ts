import { renderOpenapi } from './renderOpenapi.ts';
import type { DocumentBlock } from '@bindery/contract';
import { flagIn } from '../../syntax/attributes.ts';
import type { Element } from '../../syntax/elements.ts';
import { blockTag, wordIn, type Attributes } from '../../syntax/writeTags.ts';
import { block, present, target, type Data } from '../../tree/nodes.ts';
import type { ParseContext } from '../../tree/parseContext.ts';
import type { Block, WriteBlock } from '../block.ts';
import { bodyOf, readPlain, wordList } from '../forms/tagReaders.ts';
import { bodyTag, words } from '../forms/tagWriters.ts';
import { apiMethodTags, readApiMethod } from './readApiMethod.ts';

/** `{% openapi src="" %}` of a file or URL, and the older forms that contain the description of a method. */
export const swagger: Block = {
  tags: { ...apiMethodTags, swagger: { read: readOperation }, 'api-method': { read: readOperation } },
  write: ({ data }, context) => {
    const attributes = {
      src: context.targetOf(data['ref']),
      ...words(data, 'path', 'method', 'expanded', 'fullWidth'),
    };
    return [bodyTag(blockTag('openapi', attributes), 'openapi', wordIn(data, 'body'))];
  },
  render: renderOpenapi,
  refersTo: 'openapi',
};

/** `{% openapi-operation spec="" path="" method="" %}` */
export const openapiOperation: Block = {
  tags: {
    openapi: { closing: 'optional', read: readOperation },
    'openapi-operation': { closing: 'optional', read: readOperation },
  },
  write: writeOpenapi('openapi-operation', (data) => words(data, 'path', 'method', 'headless')),
  render: renderOpenapi,
  refersTo: 'openapi',
};

/** `{% openapi-schemas spec="" schemas="A,B" %}` */
export const openapiSchemas: Block = {
  tags: {
    'openapi-schemas': {
      closing: 'optional',
      read: (element, context) => {
        const { attributes } = element;
        const spec = attributes.get('spec');
        const schemas = wordList(attributes.get('schemas') ?? attributes.get('schema'));
        if (!spec || schemas.length === 0) return readPlain(element, context);
        const data = {
          ref: { kind: 'openapi', spec },
          schemas,
          grouped: flagIn(attributes, 'grouped'),
          title: attributes.get('title'),
        };
        return [block('openapi-schemas', { data: present({ ...data, body: bodyOf(element) }) })];
      },
    },
  },
  write: writeOpenapi('openapi-schemas', (data) => ({
    schemas: ((data['schemas'] ?? []) as string[]).join(','),
    ...words(data, 'grouped', 'title'),
  })),
  render: renderOpenapi,
  refersTo: 'openapi',
};

/** `{% openapi-webhook spec="" name="" method="" %}` */
export const openapiWebhook: Block = {
  tags: {
    'openapi-webhook': {
      closing: 'optional',
      read: (element, context) => {
        const { attributes } = element;
        const [spec, name, method] = [
          attributes.get('spec'),
          attributes.get('name'),
          attributes.get('method'),
        ];
        if (!spec || !name || !method) return readPlain(element, context);
        return [
          block('openapi-webhook', {
            data: present({ ref: { kind: 'openapi', spec }, name, method, body: bodyOf(element) }),
          }),
        ];
      },
    },
  },
  write: writeOpenapi('openapi-webhook', (data) => words(data, 'name', 'method', 'headless')),
  render: renderOpenapi,
  refersTo: 'openapi',
};

/**
 * Reads all forms of one operation: of a known specification, or of one in a file or at a URL. The oldest
 * forms contain the whole description.
 */
function readOperation(element: Element, context: ParseContext): DocumentBlock[] {
  const { attributes } = element;
  const [spec, src, path, method] = ['spec', 'src', 'path', 'method'].map((name) =>
    attributes.get(name)?.trim(),
  );
  if (!spec && !src) return readApiMethod(element, context) ?? readPlain(element, context);
  if (!path || !method) return readPlain(element, context);
  const body = bodyOf(element);
  if (spec && element.name !== 'swagger') {
    return [
      block('openapi-operation', { data: present({ ref: { kind: 'openapi', spec }, path, method, body }) }),
    ];
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

function writeOpenapi(name: string, attributesOf: (data: Data) => Attributes): WriteBlock {
  return ({ data }) => {
    const spec = wordIn((data['ref'] ?? {}) as Data, 'spec');
    return [bodyTag(blockTag(name, { spec, ...attributesOf(data) }), name, wordIn(data, 'body'))];
  };
}
