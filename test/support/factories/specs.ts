import type { OpenAPISpecFile, OpenAPISpecFinding } from '@bindery/contract';
import {
  jobCollection,
  insertSpecVersion,
  Member,
  mongoDatabase,
  OpenAPISpec,
  Translation,
  withTransaction,
  type MemberRecord,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
  type OrganizationRecord,
  type SpecVersionContent,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { loadConfig, newId } from '@bindery/runtime';
import { createBlobStore, type BlobStore } from '@bindery/storage';
import { createHash } from 'node:crypto';
import { createSpec } from '../../../apps/api/src/resources/openapi-spec/createSpec.ts';
import { storeText } from '../../../apps/api/src/records/storeText.ts';
import { createTranslation } from '../../../apps/api/src/resources/translation/createTranslation.ts';

/** Creates a specification from a text, like the API: its job waits. Other fields are written afterwards. */
export async function buildSpec(
  organization: OrganizationRecord,
  {
    slug = `spec-${newId().toLowerCase()}`,
    text = '{"openapi":"3.1.0"}',
    ...fields
  }: Partial<OpenAPISpecRecord> & { text?: string } = {},
): Promise<OpenAPISpecRecord> {
  // Only a source with a URL needs `outbound`.
  const platform = { config: loadConfig(process.env), blobs: blobsOfTests(), outbound: undefined as never };
  const { spec } = await createSpec({
    platform,
    organization: organization._id,
    slug,
    source: { text },
    startedBy: 'nobody',
    traceparent: '',
  });
  if (Object.keys(fields).length > 0) await OpenAPISpec.updateOne({ _id: spec._id }, { $set: fields });
  return { ...spec, ...fields };
}

/**
 * Publishes a version like a worker, which ends the specification's job with success; the same document again
 * makes no new version.
 */
export async function buildSpecVersion(
  spec: OpenAPISpecRecord,
  {
    text = '{"openapi":"3.1.0"}',
    format = 'json',
    files = [
      {
        filename: 'openapi.json',
        dir: '',
        isEntrypoint: true,
        references: [],
        specification: { openapi: '3.1.0' },
      },
    ],
    findings = [],
  }: {
    text?: string;
    format?: 'json' | 'yaml';
    files?: OpenAPISpecFile[];
    findings?: OpenAPISpecFinding[];
  } = {},
): Promise<OpenAPISpecVersionRecord> {
  const current = await OpenAPISpec.findById(spec._id).lean<OpenAPISpecRecord>();
  const { organization } = spec;
  const document = await storeText(blobsOfTests(), { organization, text });
  const filesystem = await storeText(blobsOfTests(), { organization, text: JSON.stringify(files) });
  const found = await storeText(blobsOfTests(), { organization, text: JSON.stringify(findings) });
  const contentHash = createHash('sha256').update(document).update(filesystem).digest('hex');
  const { sourceRevision, job } = current ?? spec;
  const published = await withTransaction((session) =>
    insertSpecVersion(
      {
        spec: spec._id,
        sourceRevision,
        contentHash,
        ...specDocuments({ document, filesystem, format }),
        findings: { blob: found, count: findings.length },
      },
      session,
    ),
  );
  if (!published) throw new Error(`The specification ${spec.slug} is gone.`);
  await jobCollection().updateOne({ _id: job }, { $set: { state: 'succeeded', finishedAt: new Date() } });
  return published.version;
}

/**
 * The documents of a version and their description. Only the original document and the one for readers have
 * blobs of their own.
 */
export function specDocuments({
  document = 'd',
  filesystem = 'f',
  findings = 'n',
  format = 'json',
}: { document?: string; filesystem?: string; findings?: string; format?: 'json' | 'yaml' } = {}): Omit<
  SpecVersionContent,
  'spec' | 'contentHash'
> {
  return {
    document: { blob: document, format },
    bundle: { blob: document },
    yaml: { blob: document },
    filesystem: { blob: filesystem },
    index: { blob: document },
    findings: { blob: findings, count: 0 },
    openapi: '3.1.0',
    title: 'Test',
    documentVersion: '1',
    counts: { operations: 0, webhooks: 0, schemas: 0 },
  };
}

/**
 * Creates a translation of a space, like the API: its first run waits. Other fields are written afterwards.
 */
export async function buildTranslation(
  space: SpaceRecord,
  { language = 'de', source, ...fields }: Partial<TranslationRecord> = {},
): Promise<TranslationRecord> {
  const admin = await Member.findOne({
    organization: space.organization,
    role: 'admin',
  }).lean<MemberRecord>();
  if (!admin) throw new Error(`The organization ${space.organization} has no admin.`);
  const body = { language, source: { space: space._id, language: source?.language ?? 'en' } };
  const { translation } = await createTranslation(admin, { body, traceparent: '' });
  if (Object.keys(fields).length > 0) await Translation.updateOne({ _id: translation._id }, { $set: fields });
  return { ...translation, ...fields };
}

/** The blobs in the database that the tests' process is connected to. */
function blobsOfTests(): BlobStore {
  return createBlobStore(mongoDatabase(), loadConfig(process.env).storage);
}
