import {
  Organization,
  Space,
  Translation,
  type JobRecord,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { roleInContent } from '../../permissions/access.ts';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { qualified } from '../../permissions/role.ts';
import { spacePermissions } from '../../permissions/space.ts';
import type { ActingMember } from '../../permissions/tokenLimits.ts';
import { translationPermissions } from '../../permissions/translation.ts';
import { findMembersOf } from '../../records/ownMember.ts';

type JobOfSubject = Pick<JobRecord, 'organization' | 'subject' | 'space' | 'isSubjectGone'>;
type Granted = Record<string, boolean> | undefined;

/** The fields of a job that decide who sees it, as a projection. */
export const subjectFields = { organization: 1, subject: 1, space: 1, isSubjectGone: 1 } as const;

/**
 * The caller's permissions on the subject of a job; undefined when the subject is gone or the caller cannot
 * view it.
 */
export async function permissionsOnSubject(actor: Actor, job: JobOfSubject): Promise<Granted> {
  return (await permissionsOnSubjects([{ actor, job }]))[0];
}

/** The permissions of several callers on their jobs, in as many queries as for one. */
export async function permissionsOnSubjects(
  callers: readonly { actor: Actor; job: JobOfSubject }[],
): Promise<Granted[]> {
  const sources = await findSources(
    callers.flatMap(({ job: { subject } }) => (subject.type === 'translation' ? [subject.id] : [])),
  );
  const spaces = await findSpaces([...callers.flatMap(({ job }) => spaceOf(job) ?? []), ...sources.values()]);
  const placed = callers.map(({ actor, job }) => {
    const space = spaces.get(spaceOf(job) ?? '');
    return { actor, job, space, organization: space?.organization ?? job.organization };
  });
  const memberOf = await findMembers(placed);
  return placed.map(({ actor, job, space, organization }) => {
    const member = memberOf(actor, organization);
    if (!member || job.isSubjectGone) return undefined;
    if (spaceOf(job) === undefined) {
      // A subject outside of spaces belongs to the whole organization, which guests cannot see.
      if (member.role === null || member.limit?.spaces) return undefined;
      const source = spaces.get(sources.get(job.subject.id) ?? '');
      if (source && roleInContent({ member, access: source.access, id: source._id }) === null)
        return undefined;
      return {
        ...qualified('openapi', openapiPermissions(member, { seesSpec: true })),
        ...qualified('translation', translationPermissions(member, { seesSource: true })),
      };
    }
    const role =
      space && !space.isDeleted ? roleInContent({ member, access: space.access, id: space._id }) : null;
    return role ? qualified('space', spacePermissions({ role })) : undefined;
  });
}

/** The space whose readers see the job. */
function spaceOf({ subject, space }: JobOfSubject): string | undefined {
  return subject.type === 'space' ? subject.id : space;
}

/** The spaces that translations translate, by the ids of the translations. */
async function findSources(translations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (translations.length === 0) return new Map();
  const found = await Translation.find(
    { _id: { $in: [...new Set(translations)] } },
    { 'source.space': 1 },
  ).lean<Pick<TranslationRecord, '_id' | 'source'>[]>();
  return new Map(found.map(({ _id, source }) => [_id, source.space]));
}

type SubjectSpace = Pick<SpaceRecord, '_id' | 'organization' | 'access' | 'isDeleted'>;

async function findSpaces(ids: readonly string[]): Promise<ReadonlyMap<string, SubjectSpace>> {
  if (ids.length === 0) return new Map();
  const fields = { organization: 1, access: 1, isDeleted: 1 };
  const spaces = await Space.find({ _id: { $in: [...new Set(ids)] } }, fields).lean<SubjectSpace[]>();
  return new Map(spaces.map((space) => [space._id, space]));
}

async function findMembers(
  callers: readonly { actor: Actor; organization: string }[],
): Promise<(actor: Actor, organization: string) => ActingMember | undefined> {
  const organizations = [...new Set(callers.map(({ organization }) => organization))];
  const [memberOf, there] = await Promise.all([
    findMembersOf(
      callers.map(({ actor }) => actor),
      organizations,
    ),
    Organization.find({ _id: { $in: organizations } }, { _id: 1 }).lean<{ _id: string }[]>(),
  ]);
  const known = new Set(there.map(({ _id }) => _id));
  return (actor, organization) => (known.has(organization) ? memberOf(actor, organization) : undefined);
}
