import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { JobError } from '@bindery/contract';
import type { openapiJobs, Processor, Run } from '@bindery/jobs';
import { OpenAPISpecVersion, type OpenAPISpecVersionRecord, type SpecReview } from '@bindery/models';
import { createWorkFolder, faultPoint, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { SpecReviewer } from './child/specReviewer.ts';
import type { Review, Verdict } from './child/specWork.ts';
import { storeFile } from './storeDocuments.ts';

type Parts = { blobs: BlobStore; reviewer: SpecReviewer };

/**
 * Reviews a published version: changes since the version before, style, and whether a widely used parser
 * takes it. A part that exceeds its limits is missing in the review.
 */
export function createReviewVersion(parts: Parts): Processor<typeof openapiJobs.reviewVersion> {
  return async ({ versionId }, run) => {
    const version = await OpenAPISpecVersion.findById(versionId).lean<OpenAPISpecVersionRecord>();
    if (!version) return { state: 'superseded', message: 'The specification was deleted.' };
    const before = await findVersionBefore(version);
    const verdict = await withDocuments(version, { ...parts, run, before: undefined }, async (files) =>
      parts.reviewer.judge(files.bundle, files.run),
    );
    const { review, lint } = await withDocuments(version, { ...parts, run, before }, async (files) => {
      const reviewed = await reviewWithin(files, { ...parts, run });
      if (!reviewed) return {};
      const blob = await storeFile(join(ownFolder(files.run.folder.path), 'lint'), {
        organization: version.organization,
        blobs: parts.blobs,
      });
      return { review: reviewed, lint: { blob, count: reviewed.lintCount } };
    });
    await faultPoint('openapi.reviewed');
    const found = reviewOf({ verdict, before, changes: review?.changes, lint });
    return {
      result: review?.changes ?? {},
      publish: async (session) => {
        await OpenAPISpecVersion.updateOne({ _id: versionId }, { $set: { review: found } }, { session });
      },
    };
  };
}

function reviewOf({
  verdict,
  before,
  changes,
  lint,
}: {
  verdict: Verdict;
  before: OpenAPISpecVersionRecord | undefined;
  changes: Review['changes'];
  lint: SpecReview['lint'];
}): SpecReview {
  return {
    compatibility: verdict,
    ...(before && changes && { changes: { before: before._id, ...changes } }),
    ...(lint && { lint }),
  };
}

async function findVersionBefore({
  spec,
  createdAt,
}: OpenAPISpecVersionRecord): Promise<OpenAPISpecVersionRecord | undefined> {
  const found = await OpenAPISpecVersion.findOne({ spec, createdAt: { $lt: createdAt } })
    .sort({ createdAt: -1, _id: -1 })
    .lean<OpenAPISpecVersionRecord>();
  return found ?? undefined;
}

type Files = {
  after: string;
  bundle: string;
  before?: string;
  run: { signal: AbortSignal; folder: { path: string; lent: string[] } };
};

async function reviewWithin(
  { run: within, ...files }: Files,
  { reviewer, run }: Parts & { run: Run },
): Promise<Review | undefined> {
  try {
    return await reviewer.review({ ...files, folder: ownFolder(within.folder.path) }, within);
  } catch (error) {
    const isTooMuch = error instanceof JobError && (error.code === 'memory' || error.code === 'limit');
    if (!isTooMuch) throw error;
    run.log('warning', `The version could not be compared and linted. ${error.message}`);
    return undefined;
  }
}

/** Lays the documents of a version, and of the one before, out in a folder for a process. */
async function withDocuments<Result>(
  { organization, bundle, filesystem }: OpenAPISpecVersionRecord,
  { blobs, run, before }: Parts & { run: Run; before: OpenAPISpecVersionRecord | undefined },
  work: (files: Files) => Promise<Result>,
): Promise<Result> {
  const folder = await createWorkFolder('openapi');
  try {
    const copy = async (name: string, blob: string) => {
      const stored = await blobs.open(blobKey(organization, blob));
      if (!stored) throw new Error(`The document ${name} of a specification is lost.`);
      const path = join(folder, name);
      await pipeline(stored.bytes, createWriteStream(path, { mode: 0o600 }));
      return path;
    };
    const files = {
      after: await copy('after', filesystem.blob),
      bundle: await copy('bundle', bundle.blob),
      ...(before && { before: await copy('before', before.filesystem.blob) }),
    };
    const lent = Object.keys(files);
    return await work({ ...files, run: { signal: run.signal, folder: { path: folder, lent } } });
  } finally {
    await removeWorkFolder(folder);
  }
}
