import { join } from 'node:path';
import { JobError, type OpenAPISettings } from '@bindery/contract';
import type { openapiJobs, Processor, Run } from '@bindery/jobs';
import {
  endSpecReview,
  findSpecVersionBefore,
  OpenAPISpecVersion,
  Organization,
  type OpenAPISpecVersionRecord,
  type OrganizationRecord,
  type SpecReview,
} from '@bindery/models';
import { compact, createWorkFolder, faultPoint, ownFolder, removeWorkFolder } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { SpecReviewer } from './child/specReviewer.ts';
import type { Review, ReviewRequest, Verdict } from './child/specWork.ts';
import { copyBlob } from './copyBlob.ts';
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
    const before = await findSpecVersionBefore(version);
    const { organization, bundle, filesystem } = version;
    const settings = await findSettings(organization);
    const stored = { ...parts, organization, run };
    const verdict = await withDocuments({ bundle: bundle.blob }, stored, async (paths, within) =>
      parts.reviewer.judge(paths.bundle, within),
    );
    const documents = {
      bundle: bundle.blob,
      after: filesystem.blob,
      ...(before && { before: before.filesystem.blob }),
    };
    const { review, lint } = await withDocuments(documents, stored, async (paths, within) => {
      const reviewed = await reviewWithin({ ...paths, settings }, { ...parts, run, within });
      if (!reviewed) return {};
      const path = join(ownFolder(within.folder.path), 'lint');
      const blob = await storeFile(path, { organization, blobs: parts.blobs });
      return { review: reviewed, lint: { blob, count: reviewed.lintCount } };
    });
    await faultPoint('openapi.reviewed');
    const found = reviewOf({ verdict, before, changes: review?.changes, lint });
    return {
      result: review?.changes ?? {},
      publish: async (session) => endSpecReview({ versionId, review: found }, session),
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
  const changesSince = before && changes && { before: before._id, ...changes };
  return compact({ compatibility: verdict, changes: changesSince, lint });
}

async function findSettings(organization: string): Promise<OpenAPISettings | undefined> {
  const found = await Organization.findById(organization, { openapiSettings: 1 }).lean<OrganizationRecord>();
  return found?.openapiSettings;
}

/** The limits of a process, and its folder with the documents that are lent to it. */
type Within = { signal: AbortSignal; folder: { path: string; lent: string[] } };

async function reviewWithin(
  request: Omit<ReviewRequest, 'folder'>,
  { reviewer, run, within }: Parts & { run: Run; within: Within },
): Promise<Review | undefined> {
  try {
    return await reviewer.review({ ...request, folder: ownFolder(within.folder.path) }, within);
  } catch (error) {
    const isTooMuch = error instanceof JobError && (error.code === 'memory' || error.code === 'limit');
    if (!isTooMuch) throw error;
    run.log('warning', `The version could not be compared and linted. ${error.message}`);
    return undefined;
  }
}

/** Lays stored documents out in a folder for a process. */
async function withDocuments<Documents extends Record<string, string>, Result>(
  documents: Documents,
  { blobs, organization, run }: Parts & { organization: string; run: Run },
  work: (paths: Documents, within: Within) => Promise<Result>,
): Promise<Result> {
  const path = await createWorkFolder('openapi');
  try {
    const paths: Record<string, string> = {};
    for (const [name, hash] of Object.entries(documents)) {
      paths[name] = join(path, name);
      await copyBlob(paths[name], { blobs, organization, hash });
    }
    const lent = Object.keys(documents);
    return await work(paths as Documents, { signal: run.signal, folder: { path, lent } });
  } finally {
    await removeWorkFolder(path);
  }
}
