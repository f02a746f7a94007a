import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { officialPatches, type Json } from './officialPatches.ts';

/**
 * The published client that has everything except what later versions dropped, and the older one that still
 * has that.
 */
export type OfficialPackage = '@gitbook/api' | 'gitbook-api-0.137';

/** An operation of the published client. */
export type OfficialOperation = { operationId: string; method: string; path: string; from: OfficialPackage };

/**
 * Checks answers against the OpenAPI documents of the published clients, with the differences of
 * officialPatches.ts.
 */
export type OfficialSchemas = {
  find(operationId: string): OfficialOperation | undefined;
  /** Finds the operation of a request by its path below the API's root. */
  findAt(method: string, path: string): OfficialOperation | undefined;
  /**
   * Returns the problem of an answer, or undefined. A refusal that an operation does not declare is an
   * `Error`.
   */
  problemsOf(operationId: string, status: number, body: unknown): string | undefined;
};

export function officialSchemas(): OfficialSchemas {
  const documents = {
    '@gitbook/api': readDocument('@gitbook/api'),
    'gitbook-api-0.137': readDocument('gitbook-api-0.137'),
  };
  writeNullAsType(documents['gitbook-api-0.137']);
  for (const document of Object.values(documents)) {
    allowReferenceInCell(document);
    allowLabelOfButton(document);
  }
  const older = operationsOf(documents['gitbook-api-0.137'], 'gitbook-api-0.137');
  const operations = new Map([...older, ...operationsOf(documents['@gitbook/api'], '@gitbook/api')]);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  for (const [name, isValid] of Object.entries(formats)) ajv.addFormat(name, isValid);
  // Fewer parameters match more closely: `versions/latest` is not a `versions/{versionId}`.
  const places = [...operations.values()]
    .map((operation) => ({ operation, pattern: patternOf(operation.path) }))
    .toSorted((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length);
  const compiled = new Map<string, ValidateFunction>();
  const variants = new Map<string, Json>();

  /** Returns the document for an operation: that of its package, or a patched copy. */
  const documentFor = ({ operationId, from }: OfficialOperation): { key: string; document: Json } => {
    const patches = officialPatches.filter((patch) => patch.operations.includes(operationId));
    const key = `${from.replaceAll(/[@/]/g, '')}.${patches.map((patch) => officialPatches.indexOf(patch)).join('.')}`;
    const known = variants.get(key);
    if (known) return { key, document: known };
    const document = patches.length === 0 ? documents[from] : structuredClone(documents[from]);
    for (const { patchDocument, patchOperation, operations: ids } of patches) {
      patchDocument?.(document);
      for (const id of ids) {
        const patched = operations.get(id);
        if (patched?.from === from) patchOperation?.(operationIn(document, patched));
      }
    }
    ajv.addSchema(document, key);
    variants.set(key, document);
    return { key, document };
  };

  const validatorAt = (reference: string): ValidateFunction => {
    const known = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, known);
    return known;
  };

  return {
    find: (operationId) => operations.get(operationId),
    findAt: (method, path) =>
      places.find((place) => place.operation.method === method.toLowerCase() && place.pattern.test(path))
        ?.operation,
    problemsOf: (operationId, status, body) => {
      const operation = operations.get(operationId);
      if (!operation) return `${operationId} is no operation of the published client`;
      const { key, document } = documentFor(operation);
      const response = (operationIn(document, operation)['responses'] as Record<string, Json | undefined>)[
        status
      ];
      const declared = response && contentOf(document, response);
      if (!declared && status >= 400) return check(validatorAt(`${key}#/components/schemas/Error`), body);
      if (!response) return `status ${status} is not declared`;
      if (!declared) return body === undefined ? undefined : 'a body where none is declared';
      const pointer =
        typeof response['$ref'] === 'string'
          ? response['$ref'].slice(1)
          : `/paths/${escapePointer(operation.path)}/${operation.method}/responses/${status}`;
      return check(validatorAt(`${key}#${pointer}/content/application~1json/schema`), body);
    },
  };
}

function readDocument(from: OfficialPackage): Json {
  return JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`${from}/spec/openapi.json`), 'utf8'),
  ) as Json;
}

function operationsOf(document: Json, from: OfficialPackage): Map<string, OfficialOperation> {
  const operations = new Map<string, OfficialOperation>();
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId } = operation as Json;
      if (typeof operationId === 'string') operations.set(operationId, { operationId, method, path, from });
    }
  }
  return operations;
}

/** The client does not encode the path of a page, so slashes arrive unescaped. */
function patternOf(path: string): RegExp {
  const text = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'pagePath' ? '.*' : '[^/]+'));
  return new RegExp(`^${text}$`);
}

function operationIn(document: Json, { path, method }: OfficialOperation): Json {
  return ((document['paths'] as Json)[path] as Json)[method] as Json;
}

function contentOf(document: Json, response: Json): Json | undefined {
  const { $ref } = response;
  const target =
    typeof $ref === 'string'
      ? $ref
          .slice(2)
          .split('/')
          .reduce<Json>((at, name) => at[name] as Json, document)
      : response;
  return (target['content'] as Json | undefined)?.['application/json'] as Json | undefined;
}

function escapePointer(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** Converts `nullable: true` of OpenAPI 3.0 to a union with null of JSON Schema. */
function writeNullAsType(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(writeNullAsType);
  if (typeof node !== 'object' || node === null) return;
  for (const child of Object.values(node)) writeNullAsType(child);
  const schema = node as Json;
  if (schema['nullable'] !== true) return;
  const { nullable: _nullable, ...rest } = schema;
  for (const key of Object.keys(schema)) delete schema[key];
  schema['anyOf'] = [rest, { type: 'null' }];
}

/**
 * Allows a reference to a file or a URL in a table cell. It matches two alternatives, a reference and an
 * image without further fields, so that a strict `oneOf` would allow neither.
 */
function allowReferenceInCell(document: Json): void {
  const record = ((document['components'] as Json)['schemas'] as Record<string, Json | undefined>)[
    'DocumentTableRecord'
  ];
  const values = ((record?.['properties'] as Json | undefined)?.['values'] as Json | undefined)?.[
    'additionalProperties'
  ] as Json | undefined;
  if (!values?.['oneOf']) return;
  values['anyOf'] = values['oneOf'];
  delete values['oneOf'];
}

/**
 * Allows the label of a button. A button is a label plus one of two alternatives, each declared without
 * additional properties, so that no button would be valid.
 */
function allowLabelOfButton(document: Json): void {
  const button = ((document['components'] as Json)['schemas'] as Record<string, Json | undefined>)[
    'DocumentInlineButton'
  ];
  const parts = (((button?.['properties'] as Json | undefined)?.['data'] as Json | undefined)?.['allOf'] ??
    []) as Json[];
  for (const choice of parts.flatMap((part) => (part['oneOf'] ?? []) as Json[]))
    delete choice['additionalProperties'];
}

const formats: Record<string, (text: string) => boolean> = {
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  // By RFC 3986: ASCII only, everything else percent-encoded.
  uri: (text) => /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]*$/i.test(text) && URL.canParse(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  byte: () => true,
  int32: () => true,
  emoji: (text) => text.length > 0,
  icon: (text) => /^[\w-]+$/.test(text),
};

function check(validate: ValidateFunction, body: unknown): string | undefined {
  return validate(body) ? undefined : textOf(validate.errors);
}

function textOf(errors: ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .slice(0, 12)
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
    .join('\n');
}
