import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Record<string, unknown>;

/**
 * Checks answers against the OpenAPI document of the published client, with the patches that the contract allows:
 * in trees a page carries no document, and a refusal that an operation does not declare is an `Error`.
 */
export function officialSchemas(): {
  problemsOf(operationId: string, status: number, body: unknown): string | undefined;
  has(operationId: string): boolean;
} {
  const document = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8')) as Json;
  const operations = operationsOf(document);
  patchTreePages(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  for (const [name, isValid] of Object.entries(formats)) ajv.addFormat(name, isValid);
  ajv.addSchema(document, 'official');
  const compiled = new Map<string, ValidateFunction>();

  const validatorOf = (operationId: string, status: number): ValidateFunction | undefined => {
    const operation = operations.get(operationId);
    const declared =
      operation &&
      ((((operation['responses'] as Json)[String(status)] as Json | undefined)?.['content'] as Json | undefined)?.['application/json'] as
        | Json
        | undefined);
    const pointer = declared ? declaredPointer(operation, status) : status >= 400 ? '/components/schemas/Error' : undefined;
    if (pointer === undefined) return undefined;
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `official#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };

  return {
    has: (operationId) => operations.has(operationId),
    problemsOf: (operationId, status, body) => {
      const operation = operations.get(operationId);
      if (!operation) return `${operationId} is no operation of the published client`;
      const validate = validatorOf(operationId, status);
      if (validate) return validate(body) ? undefined : textOf(validate.errors);
      const isDeclared = (operation['responses'] as Json)[String(status)] !== undefined;
      if (!isDeclared) return `status ${status} is not declared`;
      return body === undefined ? undefined : 'a body where none is declared';
    },
  };
}

type Operation = Json & { pointer: string };

function operationsOf(document: Json): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId } = operation as Json;
      const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
      if (typeof operationId === 'string') operations.set(operationId, { ...(operation as Json), pointer });
    }
  }
  return operations;
}

function declaredPointer({ pointer }: Operation, status: number): string {
  return `${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}/responses/${status}/content/application~1json/schema`;
}

/** The schema of a page demands its document, which no tree has. Single reads are looked at by the tests themselves. */
function patchTreePages(document: Json): void {
  const { RevisionPageDocument: page } = (document['components'] as Json)['schemas'] as Record<string, { allOf: Json[] }>;
  if (!page) throw new Error('The published document has no RevisionPageDocument.');
  page.allOf = page.allOf.filter((part) => part['$ref'] !== '#/components/schemas/Document');
}

const formats: Record<string, (text: string) => boolean> = {
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  // What RFC 3986 allows: ASCII only, everything else percent-encoded.
  uri: (text) => /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]*$/i.test(text) && URL.canParse(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  byte: () => true,
  int32: () => true,
  emoji: (text) => text.length > 0,
  icon: (text) => /^[\w-]+$/.test(text),
};

function textOf(errors: ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .slice(0, 12)
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
    .join('\n');
}
