import { emptyContent, prepareSpace } from '@bindery/content';
import { ApiError, emptyDocument, invalid, type CreateTranslation } from '@bindery/contract';
import { acceptJob, translationJobs, translationRunKey } from '@bindery/jobs';
import {
  Grant,
  isDuplicateKey,
  serialized,
  Space,
  Translation,
  type GrantRecord,
  type JobRecord,
  type MemberRecord,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { visibleTo } from '../../permissions/access.ts';
import { refuseUnsupported } from './refuseUnsupported.ts';

type Created = { translation: TranslationRecord; job: JobRecord };

/**
 * Creates a translation with a space for its result beside the source, and accepts its first run, all or
 * nothing.
 *
 * The result gets the access settings of the source, so that nobody can read in another language a text that
 * they cannot read in the original.
 * @throws invalid_request when the member sees no such source, or no engine can translate it; conflict when
 *   it already has a translation into this language
 */
export async function createTranslation(
  member: MemberRecord,
  { body, traceparent }: { body: CreateTranslation; traceparent: string },
): Promise<Created> {
  const { organization } = member;
  const { source, language } = body;
  await refuseUnsupported({ source: source.language, target: language });
  // Also saves work: concurrent requests for the same translation would each prepare a space.
  return serialized(`translation:${source.space}:${language}`, async () => {
    const space = await Space.findOne({
      _id: source.space,
      organization,
      isDeleted: false,
      ...visibleTo(member),
    }).lean<SpaceRecord>();
    if (!space)
      throw invalid('body.source.space', 'is not the id of a space of this organization that you may see.');
    if (await Translation.exists({ 'source.space': space._id, organization, language }))
      throw isTranslated(language);
    try {
      return await insertTranslation(space, { member, body, traceparent });
    } catch (error) {
      if (isDuplicateKey(error)) throw isTranslated(language);
      throw error;
    }
  });
}

async function insertTranslation(
  source: SpaceRecord,
  { member, body, traceparent }: { member: MemberRecord; body: CreateTranslation; traceparent: string },
): Promise<Created> {
  const { organization, user: createdBy } = member;
  const { language } = body;
  const { defaultLevel, parent, emoji } = source;
  const grants = await Grant.find({ target: source._id }).lean<GrantRecord[]>();
  const { insert } = await prepareSpace({
    organization,
    createdBy,
    title: resultTitle(source.title, language),
    parent,
    emoji,
    language,
    content: emptyContent,
    defaultLevel,
    grants: grants.map(({ principalType, principal, role }) => ({ principalType, principal, role })),
  });
  const id = newId();
  const now = new Date();
  let translation: TranslationRecord | undefined;
  const job = await serialized(
    parent === undefined ? `siblings:${organization}` : `tree:${organization}`,
    async () =>
      acceptJob(translationJobs.runTranslation, {
        organization,
        subject: { type: 'translation', id },
        startedBy: createdBy,
        permission: 'translation.edit',
        traceparent,
        input: { translationId: id },
        joinKey: translationRunKey({ _id: id, instructionsRevision: 1 }, source),
        also: async (session, jobId) => {
          const result = await insert(session);
          translation = {
            _id: id,
            organization,
            source: { space: source._id, language: body.source.language },
            language,
            instructions: JSON.stringify(body.instructions ?? emptyDocument),
            instructionsRevision: 1,
            result: { space: result._id },
            stats: {
              runs: 0,
              totalWords: 0,
              totalPages: 0,
              totalDuration: 0,
              latestRunDuration: 0,
              latestPages: 0,
              latestWords: 0,
            },
            job: jobId,
            createdBy,
            createdAt: now,
            updatedAt: now,
            version: 1,
          };
          await Translation.create([translation], { session });
        },
      }),
  );
  if (!translation) throw new Error('The job was accepted without its translation.');
  return { translation, job };
}

const maxTitleLength = 50;

/** Makes a title such as `Handbook (de)`; truncates the title, never the language. */
function resultTitle(title: string, language: string): string {
  const suffix = ` (${language})`;
  return `${[...title]
    .slice(0, maxTitleLength - suffix.length)
    .join('')
    .trimEnd()}${suffix}`;
}

function isTranslated(language: string): ApiError {
  return new ApiError('conflict', `The space already has a translation into ${language}.`, {
    action: 'Change that one, or remove it first.',
  });
}
