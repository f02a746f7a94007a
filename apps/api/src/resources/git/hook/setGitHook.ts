import { notFound, type SetGitHook } from '@bindery/contract';
import {
  GitHook,
  gitHookLoginContext,
  gitHookSecretContext,
  sealedSecretOf,
  withTransaction,
  type ClientSession,
  type GitHookRecord,
  type SpaceRecord,
} from '@bindery/models';
import { compact, isOpenable, openSecret, sealSecret, type SecretKeys } from '@bindery/runtime';
import type { Actor } from '../../../http/actor.ts';
import type { Platform } from '../../../platform.ts';
import { changeRecord } from '../../../records/changeRecord.ts';
import { randomSecret, replacedSecret } from '../../../records/signingSecret.ts';
import { holdSpace } from '../startGitJob.ts';
import { splitRepositoryUrl } from '../splitRepositoryUrl.ts';

type Setting = {
  platform: Pick<Platform, 'config' | 'outbound'>;
  space: SpaceRecord;
  actor: Actor;
  body: SetGitHook;
};

/**
 * Creates or replaces the hook of a space. A login in the URL is sealed; without one the hook has none, so
 * that nobody can send the login of another user to a server of their choice.
 *
 * @returns also the secret in plain text if a random one was made, which only this answer shows
 * @throws invalid_request for a URL that is forbidden as written; not_found when the space has been
 *   transferred or deleted meanwhile
 */
export async function setGitHook({
  platform: { config, outbound },
  space,
  actor,
  body,
}: Setting): Promise<{ hook: GitHookRecord; secret?: string | undefined }> {
  const { secrets } = config;
  const { url, login } = splitRepositoryUrl(body.url, outbound);
  const { secret: given, ...settings } = body;
  const { _id } = space;
  return withTransaction(async (session) => {
    await holdSpace(space, undefined, session);
    const current = await GitHook.findById(_id).session(session).lean<GitHookRecord>();
    const now = new Date();
    const fields = {
      request: compact({ ...settings, url }),
      setBy: actor.user.id,
      login: login && sealSecret(secrets, JSON.stringify(login), gitHookLoginContext(_id)),
      updatedAt: now,
    };
    if (!current) {
      const secret = given ?? randomSecret();
      const hook: GitHookRecord = {
        _id,
        space: _id,
        organization: space.organization,
        ...fields,
        secret: sealHookSecret(secrets, _id, secret),
        events: [],
        createdAt: now,
        version: 1,
      };
      await GitHook.create([hook], { session });
      return { hook, secret: given ? undefined : secret };
    }
    // One that can no longer be opened is replaced too.
    const isOther =
      given !== undefined &&
      !(isOpenable(secrets, current.secret) && given === secretsOfHook(secrets, current, now)[0]);
    const changes = isOther
      ? { ...fields, ...replacedSecret(current, sealHookSecret(secrets, _id, given), now) }
      : fields;
    return { hook: await changeRecord<GitHookRecord>(GitHook, current, changes, { session }) };
  });
}

/**
 * Gives a hook a random secret. The previous one stays valid for a day; an older one ends at once.
 *
 * @returns the secret in plain text, which only this answer shows
 */
export async function rotateGitHookSecret(
  secrets: SecretKeys,
  { _id }: Pick<GitHookRecord, '_id'>,
): Promise<{ hook: GitHookRecord; secret: string }> {
  const secret = randomSecret();
  const hook = await withTransaction(async (session: ClientSession) => {
    const current = await GitHook.findById(_id).session(session).lean<GitHookRecord>();
    if (!current) throw notFound('git hook of the space', _id);
    const changes = replacedSecret(current, sealHookSecret(secrets, _id, secret), new Date());
    return changeRecord<GitHookRecord>(GitHook, current, changes, { session });
  });
  return { hook, secret };
}

/**
 * The secrets that events may be signed with: the present one first. The previous one is left out when its
 * key is gone, because the present one suffices.
 *
 * @throws Error when the key of the present one is gone
 */
export function secretsOfHook(
  secrets: SecretKeys,
  { _id, secret, previousSecret }: GitHookRecord,
  now: Date,
): string[] {
  const isPreviousValid =
    previousSecret && previousSecret.expiresAt > now && isOpenable(secrets, previousSecret.sealed);
  const sealed = isPreviousValid ? [secret, previousSecret.sealed] : [secret];
  return sealed.map((one) => openSecret(secrets, sealedSecretOf(one), gitHookSecretContext(_id)));
}

function sealHookSecret(secrets: SecretKeys, spaceId: string, secret: string) {
  return sealSecret(secrets, secret, gitHookSecretContext(spaceId));
}
