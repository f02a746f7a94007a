import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { ErrorObject } from 'ajv';
import type { OpenapiVersion } from '../version.ts';

type Minor = OpenapiVersion['minor'];

/**
 * A compiled JSON schema. It consists of functions that call each other, one for each part of the schema to
 * which references lead; the `schemaPath` of an error begins with the name of its function.
 */
export type Validate = {
  (document: unknown): boolean;
  errors?: ErrorObject[] | null;
  /** By name, the functions that each function calls. */
  calls: Record<string, string[]>;
};

const require = createRequire(import.meta.url);
const schemaPaths = {
  '2.0': require.resolve('@seriousme/openapi-schema-validator/schemas/v2.0/schema.json'),
  '3.0': require.resolve('@seriousme/openapi-schema-validator/schemas/v3.0/schema.json'),
  '3.1': require.resolve('@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'),
  '3.2': require.resolve('@seriousme/openapi-schema-validator/schemas/v3.2/schema.json'),
};
const loaded = new Map<Minor, Validate>();

/**
 * Compiles the JSON schemas of all versions into a folder, from which `readSpecification` loads them in 10
 * ms; compiling takes a tenth of a second each. A process that starts readers calls it once, with a folder
 * that only its own user can write: what is in there is run as code.
 */
export async function prepareValidators(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const minor of Object.keys(schemaPaths) as Minor[])
    writeFileSync(join(folder, `${minor}.js`), await compile(minor));
}

/** Returns the validator of a version: from the folder if there is one, else compiled here. */
export async function loadValidator(minor: Minor, folder: string | undefined): Promise<Validate> {
  const known = loaded.get(minor);
  if (known) return known;
  const code = prepared(minor, folder) ?? (await compile(minor));
  const wrapped = new Script(`(function (require, module, exports) {${code}\n})`, {
    filename: `${minor}.js`,
  });
  const module = { exports: {} };
  const run = wrapped.runInThisContext() as (...parts: unknown[]) => void;
  run(require, module, module.exports);
  const validate = module.exports as Validate;
  loaded.set(minor, validate);
  return validate;
}

function prepared(minor: Minor, folder: string | undefined): string | undefined {
  const file = folder === undefined ? undefined : join(folder, `${minor}.js`);
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** The JSON schema of a version as JavaScript. */
async function compile(minor: Minor): Promise<string> {
  const [{ default: Ajv04 }, { Ajv2020 }, formats, standalone] = await Promise.all([
    import('ajv-draft-04'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('ajv/dist/standalone/index.js'),
  ]);
  const schema = JSON.parse(readFileSync(schemaPaths[minor], 'utf8')) as object;
  const options = {
    strict: false,
    allErrors: true,
    logger: false,
    // Half of the time went into checking schemas of a pinned package, and into shorter code that validates
    // no faster.
    validateSchema: false,
    code: { source: true, optimize: false },
  } as const;
  const ajv = minor.startsWith('2') || minor === '3.0' ? new Ajv04.default(options) : new Ajv2020(options);
  formats.default.default(ajv);
  ajv.addFormat('media-range', true);
  return withLimit(withFunctionNames(standalone.default.default(ajv, ajv.compile(schema))));
}

/**
 * Adds the name of the function to each error, which Ajv does not tell: without it, errors of different
 * alternatives of a `oneOf` have the same `schemaPath`.
 */
function withFunctionNames(code: string): string {
  const calls: Record<string, string[]> = {};
  const named = code.split(/(?=function validate\d+\()/).map((part) => {
    const name = /^function (validate\d+)\(/.exec(part)?.[1];
    if (name === undefined) return part;
    const body = part.slice(`function ${name}(`.length);
    calls[name] = [...new Set([...body.matchAll(/\b(validate\d+)\(/g)].map(([, called = '']) => called))];
    return part.replaceAll('schemaPath:"#', `schemaPath:"${name}#`);
  });
  return `${named.join('')};module.exports.calls = ${JSON.stringify(calls)};`;
}

/** More errors help nobody, and Ajv copies the list each time that a part of the document adds some. */
const mostErrors = 10_000;

/** Ends the validation at a number of errors, by throwing a RangeError with `errors`; Ajv has no limit. */
function withLimit(code: string): string {
  const limited = code
    .replaceAll(/vErrors\.push\((err\d+)\);/g, `if (vErrors.push($1) > ${mostErrors}) tooMany(vErrors);`)
    .replaceAll(/vErrors\.concat\(([\w.]+)\)/g, 'joined(vErrors, $1)');
  return `${limited}
function tooMany(errors) { throw Object.assign(new RangeError('too many errors'), { errors }); }
function joined(one, other) {
  const all = one.concat(other);
  if (all.length > ${mostErrors}) tooMany(all);
  return all;
}
`;
}
