import { compact, newId } from '@bindery/runtime';
import type { ClientSession } from '../database/connection.ts';
import { writeOutboxEvents } from '../job/outbox.ts';
import {
  findSpecVersionBefore,
  OpenAPISpec,
  OpenAPISpecVersion,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
  type SpecReview,
} from './openapi.ts';

/**
 * Ends the review of a version, and notifies webhooks of the version, in one transaction. They are notified
 * once: a user may repeat a review that failed, and its second end notifies nobody.
 *
 * @param review  absent when the job failed
 */
export async function endSpecReview(
  { versionId: _id, review }: { versionId: string; review?: SpecReview },
  session: ClientSession,
): Promise<void> {
  const version = await OpenAPISpecVersion.findOneAndUpdate(
    { _id },
    { ...(review && { $set: { review } }), $unset: { reviewJob: 1, reviewDueAt: 1 } },
    { session, returnDocument: 'before' },
  ).lean<OpenAPISpecVersionRecord>();
  if (version?.reviewJob !== undefined) await tellOfVersion({ ...version, review }, session);
}

/** The length of texts of a document in an event: a document may be as large as its texts. */
const textLength = 256;

async function tellOfVersion(
  version: Omit<OpenAPISpecVersionRecord, 'review'> & { review: SpecReview | undefined },
  session: ClientSession,
): Promise<void> {
  const { _id: versionId, organization, title, documentVersion, review } = version;
  const spec = await OpenAPISpec.findById(version.spec, { slug: 1 })
    .session(session)
    .lean<Pick<OpenAPISpecRecord, '_id' | 'slug'>>();
  if (!spec) return;
  const before = await findSpecVersionBefore(version, session);
  const data = {
    specId: spec._id,
    specSlug: spec.slug,
    versionId,
    title: shortened(title),
    documentVersion: shortened(documentVersion),
    ...compact({
      previousVersionId: before?._id,
      changes: review?.changes && countsOf(review.changes),
    }),
  };
  await writeOutboxEvents([{ _id: newId(), type: 'openapi_version_created', organization, data }], session);
}

function countsOf({ breaking, warning, info }: NonNullable<SpecReview['changes']>) {
  return { breaking, warning, info };
}

function shortened(text: string): string {
  return text.slice(0, textLength).toWellFormed();
}
