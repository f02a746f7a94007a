import { z } from 'zod';
import { JsonObject, longText, text } from '../input/input.ts';

/** Maximum size of one file of a specification, whether sent or fetched from a URL. */
const maxSpecBytes = 32 * 1024 * 1024;

/** The source of a specification that consists of several files. */
const OpenAPISpecArchive = z
  .strictObject({
    file: text(1, 300).describe('The `key` of an uploaded ZIP archive.'),
    entry: text(1, 1024)
      .optional()
      .describe('Path of the root file of the specification. Default: `openapi.yaml` or a similar name.'),
  })
  .meta({ id: 'OpenAPISpecArchive' });

export const OpenAPISpecSlug = text(1, 100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower case letters and digits, in words joined by hyphens')
  .meta({ id: 'OpenAPISpecSlug' });

const OpenAPISpecSource = z
  .strictObject({
    url: text(1, 2048)
      .optional()
      .describe(
        'URL of the specification, with http or https. Credentials in it are encrypted and never shown.',
      ),
    text: longText(1, maxSpecBytes)
      .optional()
      .describe('The specification itself, JSON or YAML, in one file of at most 32 MiB.'),
    archive: OpenAPISpecArchive.optional().describe('An uploaded archive with all files.'),
  })
  .refine(
    (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
    'must have one of `url`, `text` and `archive`',
  )
  .meta({ id: 'OpenAPISpecSource' });
export type OpenAPISpecSource = z.infer<typeof OpenAPISpecSource>;

const visibilities = ['private', 'public'] as const;
const errorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const;
export type OpenAPISpecErrorCode = (typeof errorCodes)[number];

export const OpenAPISpec = z
  .object({
    object: z.literal('openapi-spec'),
    id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    slug: z.string(),
    sourceURL: z.string().optional(),
    processingState: z
      .enum(['pending', 'progress', 'complete'])
      .describe('State of processing the newest source.'),
    visibility: z.enum(visibilities),
    lastVersion: z.string().optional(),
    lastProcessedAt: z.iso.datetime().optional(),
    lastProcessErrorCode: z.enum(errorCodes).optional(),
    lastProcessedErrorCount: z.int().min(0),
    lastProcessedErrors: z.array(z.object({ message: z.string(), code: z.string().optional() })).optional(),
    refresh: z
      .object({
        minutes: z
          .int()
          .optional()
          .describe('How often the URL is fetched again; 0 is never. Absent: the default of the server.'),
        nextAt: z.iso.datetime().optional(),
        failingSince: z.iso.datetime().optional().describe('Since when no fetch has succeeded.'),
      })
      .optional()
      .describe('Of a source with a URL.'),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z
        .string()
        .optional()
        .describe(
          'The document as it was received. Only public specifications have this field and the following ones.',
        ),
      json: z.string().optional().describe('One document with the content of all files.'),
      yaml: z.string().optional(),
      reference: z.string().optional().describe('A page for readers.'),
    }),
  })
  .meta({ id: 'OpenAPISpec' });
export type OpenAPISpec = z.infer<typeof OpenAPISpec>;
export type OpenAPISpecPermission = keyof OpenAPISpec['permissions'];

export const CreateOpenAPISpec = z
  .strictObject({ slug: OpenAPISpecSlug, source: OpenAPISpecSource })
  .meta({ id: 'CreateOpenAPISpec' });
export const PutOpenAPISpec = z.strictObject({ source: OpenAPISpecSource }).meta({ id: 'PutOpenAPISpec' });
export const UpdateOpenAPISpec = z
  .strictObject({
    visibility: z.enum(visibilities).optional(),
    refreshMinutes: z
      .union([z.literal(0), z.int().min(15).max(43_200)])
      .nullable()
      .optional()
      .describe(
        'How often the URL of the source is fetched again, in minutes. 0 is never, null the default of the server.',
      ),
  })
  .refine(
    ({ visibility, refreshMinutes }) => visibility !== undefined || refreshMinutes !== undefined,
    'must have `visibility` or `refreshMinutes`',
  )
  .meta({ id: 'UpdateOpenAPISpec' });
export type UpdateOpenAPISpec = z.infer<typeof UpdateOpenAPISpec>;

export const OpenAPISpecVersion = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: z.string(),
    createdAt: z.iso.datetime(),
    url: z.string().describe('The document as it was received; the URL works without a token.'),
    openapi: z.string().describe('Version of OpenAPI as it was understood, such as 3.0.3.'),
    title: z.string().describe('`info.title` of the document.'),
    version: z.string().describe('`info.version` of the document.'),
    counts: z.object({ operations: z.int(), webhooks: z.int(), schemas: z.int() }),
    findings: z.int().describe('Number of findings, which have a list of their own.'),
    changes: z
      .object({
        before: z.string().describe('Id of the version before.'),
        breaking: z.int(),
        warning: z.int(),
        info: z.int(),
      })
      .optional()
      .describe('Number of changes since the version before. Absent until they are counted.'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'OpenAPISpecVersion' });
export type OpenAPISpecVersion = z.infer<typeof OpenAPISpecVersion>;

export const OpenAPISpecFinding = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    rule: z.string(),
    message: z.string(),
    file: z
      .string()
      .describe(
        'URL of the file, without a login. Its query is shown to those who may edit the specification.',
      ),
    pointer: z.string().describe('JSON pointer to the place in the file.'),
    line: z.int(),
    column: z.int(),
  })
  .meta({ id: 'OpenAPISpecFinding' });
export type OpenAPISpecFinding = z.infer<typeof OpenAPISpecFinding>;

export const OpenAPISpecCompatibility = z
  .object({
    state: z.enum(['pending', 'accepted', 'refused']),
    reason: z.string().optional().describe('Why it is refused.'),
  })
  .meta({ id: 'OpenAPISpecCompatibility' });

export const OpenAPISpecFindings = z
  .object({
    count: z.int().describe('Number of all findings.'),
    items: z.array(OpenAPISpecFinding).describe('The first 1,000 of them.'),
  })
  .meta({ id: 'OpenAPISpecFindings' });
export type OpenAPISpecFindings = z.infer<typeof OpenAPISpecFindings>;

/** One file of a specification, with its references to the other files unresolved. */
export const OpenAPISpecFile = z
  .object({
    filename: z.string(),
    dir: z.string(),
    isEntrypoint: z.boolean(),
    references: z.array(z.string()).describe('Names of the files that it refers to.'),
    specification: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'OpenAPISpecFile' });
export type OpenAPISpecFile = z.infer<typeof OpenAPISpecFile>;

export const OpenAPISpecContent = z
  .object({
    filesystem: z.array(OpenAPISpecFile),
    url: z.string(),
    urls: z.object({ source: z.string(), public: z.string().nullable() }),
  })
  .meta({ id: 'OpenAPISpecContent' });
export type OpenAPISpecContent = z.infer<typeof OpenAPISpecContent>;

export const OpenAPISpecRawContent = z
  .object({ text: z.string(), format: z.enum(['json', 'yaml']) })
  .meta({ id: 'OpenAPISpecRawContent' });
export type OpenAPISpecRawContent = z.infer<typeof OpenAPISpecRawContent>;

/** The blocks of a document that show parts of specifications. */
export const GetOpenAPIExcerpts = z
  .strictObject({
    blocks: z
      .array(
        z.strictObject({
          type: z.enum(['openapi-operation', 'openapi-schemas', 'openapi-webhook']),
          data: JsonObject,
        }),
      )
      .max(1000)
      .describe('As they are in the document: `data.ref.spec` names the specification.'),
  })
  .meta({ id: 'GetOpenAPIExcerpts' });

export const OpenAPIExcerpts = z
  .object({
    excerpts: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .describe(
        'Small documents of the same form, by the names that the blocks have for the specifications.',
      ),
  })
  .meta({ id: 'OpenAPIExcerpts' });
export type OpenAPIExcerpts = z.infer<typeof OpenAPIExcerpts>;
