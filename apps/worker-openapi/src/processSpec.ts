import { join } from 'node:path';
import { JobError } from '@bindery/contract';
import { Superseded, type openapiJobs, type Outcome, type Processor, type Run } from '@bindery/jobs';
import {
  insertSpecVersion,
  noteUnchangedSpec,
  noteUnusableSpec,
  OpenAPISpec,
  OpenAPISpecVersion,
  sealedSecretOf,
  specSourceContext,
  type ClientSession,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
  type SpecSourceName,
} from '@bindery/models';
import { settingsForChild } from '@bindery/outbound';
import {
  createWorkFolder,
  faultPoint,
  newId,
  isOpenable,
  openSecret,
  ownFolder,
  removeWorkFolder,
  type Config,
} from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { SpecReader } from './child/specReader.ts';
import type { SpecLogin, SpecReading, SpecSource } from './child/specWork.ts';
import { copyBlob } from './copyBlob.ts';
import { storeDocuments } from './storeDocuments.ts';

type Parts = { config: Config; blobs: BlobStore; reader: SpecReader };
type Process = Processor<typeof openapiJobs.processSpec>;
type Result = { version?: string; unchanged: boolean; errorCode?: string };

/** The source as a file of the worker, lent to the reading process. */
const lentSource = 'source';

/**
 * Fetches a specification, reads it in a process of its own, stores its documents under their hashes, and
 * publishes a version in the last write, unless the last version has the same content.
 */
export function createProcessSpec(parts: Parts): Process {
  return async ({ specId, sourceRevision }, run) => {
    const spec = await OpenAPISpec.findOne({ _id: specId, sourceRevision }).lean<OpenAPISpecRecord>();
    if (!spec) return { state: 'superseded', message: overtaken };
    const folder = await createWorkFolder('openapi');
    const source = watchSource(spec);
    try {
      const reading = await read(spec, { ...parts, run, folder, signal: source.signal });
      await faultPoint('openapi.read');
      return await outcomeOf(reading, { ...parts, spec, run, folder });
    } finally {
      source.stopWatching();
      await removeWorkFolder(folder);
    }
  };
}

const lookAtSourceMs = 1_000;

/** Its signal aborts when the source is replaced: the job of the new one waits for the end of this one. */
function watchSource({ _id, sourceRevision }: OpenAPISpecRecord) {
  const replaced = new AbortController();
  const look = async () => {
    if (!(await OpenAPISpec.exists({ _id, sourceRevision }))) replaced.abort(new Superseded(overtaken));
  };
  // While MongoDB is away, the last write would fail too.
  const timer = setInterval(() => void look().catch(() => {}), lookAtSourceMs);
  return { signal: replaced.signal, stopWatching: () => clearInterval(timer) };
}

type AtWork = Parts & { run: Run; folder: string };

async function read(
  spec: OpenAPISpecRecord,
  { config, blobs, reader, run, folder, signal }: AtWork & { signal: AbortSignal },
): Promise<SpecReading> {
  run.progress('fetch');
  const source = await layOut(spec, { config, blobs, folder });
  return reader.read(
    { source, outbound: settingsForChild(config.outbound), folder: ownFolder(folder) },
    {
      signal: AbortSignal.any([run.signal, signal]),
      logger: run.logger,
      folder: { path: folder, lent: 'url' in source ? [] : [lentSource] },
      onFetched: async () => {
        run.progress('read');
        await faultPoint('openapi.fetched');
      },
    },
  );
}

/** Describes the source to the reading process; a stored one becomes a file of the folder. */
async function layOut(
  { _id, organization, source }: OpenAPISpecRecord,
  { config, blobs, folder }: Pick<AtWork, 'config' | 'blobs' | 'folder'>,
): Promise<SpecSource> {
  const path = join(folder, lentSource);
  if (source.url !== undefined) {
    const { url, login, validators } = source;
    const sealed = login && sealedSecretOf(login);
    if (sealed && !isOpenable(config.secrets, sealed))
      throw new JobError('credentials_expired', 'The login of the source was sealed with another key.', {
        action:
          'Set the source again, with its login; or ask the operator to set BINDERY_SECRET_KEY_PREVIOUS to the former key.',
      });
    const opened = sealed && openSecret(config.secrets, sealed, specSourceContext(_id));
    return {
      url,
      login: opened === undefined ? undefined : (JSON.parse(opened) as SpecLogin),
      validators,
    };
  }
  if (source.archive) {
    await copyBlob(path, { blobs, organization, hash: source.archive.key });
    return { archive: path, entry: source.archive.entry };
  }
  await copyBlob(path, { blobs, organization, hash: source.blob });
  return { text: path };
}

async function outcomeOf(
  reading: SpecReading,
  {
    spec: { _id: id, organization, sourceRevision, lastVersion },
    blobs,
    run,
    folder,
  }: AtWork & { spec: OpenAPISpecRecord },
): Promise<Outcome<Result>> {
  const spec: SpecSourceName = { spec: id, sourceRevision };
  if (reading.kind === 'unmodified') {
    const result: Result = { unchanged: true };
    return { result, publish: publishing((session) => noteUnchangedSpec(spec, session)) };
  }
  if (reading.kind === 'unusable') {
    const { findings, findingCount: errorCount } = reading;
    const errors = findings.map(({ rule, message }) => ({ code: rule, message }));
    // Messages quote the document, which does not belong into the log.
    run.log('error', `No version could be made; the specification lists ${errorCount} errors.`);
    return {
      result: { unchanged: false, errorCode: 'PARSE_ERROR' },
      publish: publishing((session) => noteUnusableSpec({ ...spec, errors, errorCount }, session)),
    };
  }
  run.progress('store');
  const documents = await storeDocuments(reading, { folder: ownFolder(folder), organization, blobs, run });
  await faultPoint('openapi.stored');
  const { openapi, title, version: documentVersion, contentHash, counts, validators } = reading;
  run.stats({ ...counts, findings: reading.findingCount });
  run.progress('finalize');
  const content = { ...documents, openapi, title, documentVersion, contentHash, counts };
  // No other job publishes a version of this source at the same time: its jobs have one lane.
  const last =
    lastVersion === undefined
      ? null
      : await OpenAPISpecVersion.findById(lastVersion).lean<OpenAPISpecVersionRecord>();
  const unchanged = last?.contentHash === contentHash;
  const _id = unchanged ? last._id : newId();
  return {
    result: { version: _id, unchanged },
    publish: publishing(
      async (session) =>
        (await insertSpecVersion({ _id, ...spec, ...content, validators }, session)) !== undefined,
    ),
  };
}

const overtaken = 'The source of the specification was replaced, or the specification was deleted.';

/** @param write  returns false when it wrote nothing because the source is outdated */
function publishing(write: (session: ClientSession) => Promise<boolean>) {
  return async (session: ClientSession) => {
    if (!(await write(session))) throw new Superseded(overtaken);
  };
}
