import { ApiError, jsonLimits, maxGitHookEvents, type GitHookEvent } from '@bindery/contract';
import {
  databaseNow,
  GitHook,
  gitHookLoginContext,
  sealedSecretOf,
  User,
  type GitHookEventRecord,
  type GitHookRecord,
  type UserRecord,
} from '@bindery/models';
import { compact, createBodyRoom, isOpenable, openSecret, type SecretKeys } from '@bindery/runtime';
import type { Request } from 'express';
import { largeBodyBytes } from '../../../http/input/largeBodies.ts';
import { parseJson, withFile } from '../../../http/input/requestBody.ts';
import type { Login } from '../../../input/splitLogin.ts';
import { spacePermissions } from '../../../permissions/space.ts';
import type { Platform } from '../../../platform.ts';
import { loadVisibleSpace } from '../../space/space.scope.ts';
import { startGitImport } from '../startGitJob.ts';
import { firstOf, hostOf, isSignatureValid, isSigned, type Push } from './gitHosts.ts';
import { secretsOfHook } from './setGitHook.ts';

/** GitHub sends up to 2,048 commits of a push with their files, some 3 MB. */
const limitBytes = 10 * 1024 * 1024;
const limits = { bytes: limitBytes, depth: jsonLimits.depth, nodes: 500_000 };
/** Apart from the bodies of users: anybody who knows the address of a hook may send one. */
const room = createBodyRoom(2);
const formType = 'application/x-www-form-urlencoded';
const types = ['application/json', formType];
const maxNameLength = 100;

type Received = { platform: Platform; spaceId: string; request: Request; traceparent: string };

/**
 * Verifies an event of a git host and starts the import of the hook, as the user who set the hook.
 *
 * The time of the import is the time of the reception, and not that of the event: hosts give it in seconds of
 * their own clock, or not at all. Two pushes in one second, or a clock that is behind, would make the import
 * of the second push look outdated, and drop it.
 *
 * @returns the event, which the hook lists
 * @throws unauthorized without a valid signature, and alike when there is no such hook; payload_too_large,
 *   unsupported_media_type and invalid_request for what no host sends; forbidden when the user may no longer
 *   import, or the login can no longer be decrypted
 */
export async function receiveEvent({
  platform,
  spaceId,
  request,
  traceparent,
}: Received): Promise<GitHookEventRecord> {
  // The clock that all processes share: events may arrive at different ones.
  const receivedAt = databaseNow();
  const { secrets } = platform.config;
  const { headers } = request;
  const host = hostOf(headers);
  if (!host || !isSigned(host, headers)) throw unverified();
  // The body of a sender without a hook is not read.
  if (!(await GitHook.exists({ _id: spaceId }))) throw unverified();
  const { hook, payload } = await withFile(request, { types, limitBytes, room }, async (bytes) => {
    // Loaded after the body, which may take half a minute: settings and secrets may have changed meanwhile.
    const hook = await GitHook.findById(spaceId).lean<GitHookRecord>();
    if (!hook) throw unverified();
    const hookSecrets = secretsOfHook(secrets, hook, receivedAt);
    const isForm = headers['content-type']?.toLowerCase().startsWith(formType) === true;
    // A larger form is refused below, if it was signed.
    const json = isForm && bytes.length <= largeBodyBytes ? payloadOfForm(bytes) : bytes;
    // GitHub signs a form, and Gitea the JSON in it.
    const isValid = [bytes, json].some((signed) =>
      isSignatureValid(host, { headers, bytes: signed, secrets: hookSecrets }),
    );
    if (!isValid) throw unverified();
    if (isForm && json === bytes) throw formTooLarge();
    return { hook, payload: (await parseJson(json, limits)).value };
  });
  const event = {
    host: host.name,
    event: short(firstOf(headers, host.eventHeaders)) ?? '',
    deliveryId: short(firstOf(headers, host.deliveryHeaders)),
    receivedAt,
  };
  const outcome =
    whyIgnored(host.pushOf(event.event, payload), hook) ??
    (await startImport({ platform, hook, receivedAt, traceparent }));
  const received = compact({ ...event, ...outcome }) as GitHookEventRecord;
  await record(hook, received);
  if (received.outcome === 'refused') throw new ApiError('forbidden', received.message);
  return received;
}

function unverified(): ApiError {
  return new ApiError('unauthorized', 'No hook of this space matches the signature of the request.', {
    action: 'Enter the payload URL and the secret of the hook at the git host.',
    headers: { 'WWW-Authenticate': 'Signature' },
  });
}

/** Some hosts can send JSON as a field of a form. */
function payloadOfForm(bytes: Buffer): Buffer {
  return Buffer.from(new URLSearchParams(bytes.toString()).get('payload') ?? '');
}

function formTooLarge(): ApiError {
  return new ApiError('payload_too_large', `A form exceeds the limit of ${largeBodyBytes} bytes.`, {
    action: 'Select `application/json` as the content type at the git host.',
  });
}

type Outcome = Pick<GitHookEvent, 'outcome' | 'reason' | 'message' | 'jobId'>;

function whyIgnored(push: Push | undefined, { request: { url, ref } }: GitHookRecord): Outcome | undefined {
  const ignored = (reason: GitHookEvent['reason'], message: string): Outcome => ({
    outcome: 'ignored',
    reason,
    message,
  });
  if (!push) return ignored('other_event', 'The hook acts on pushes only.');
  if (!isRepository(url, push.repository))
    return ignored('other_repository', `The push was to the repository ${push.repository}.`);
  const changes = push.refs.filter((change) => change.ref === ref);
  if (changes.length === 0) return ignored('other_ref', `The push did not change ${ref}.`);
  return changes.every(({ isDeleted }) => isDeleted)
    ? ignored('deleted_ref', `The push deleted ${ref}.`)
    : undefined;
}

/**
 * Whether a URL leads to the repository of this name. Its host is not compared: in a network of its own, a
 * server often has another name than in the events that it sends, and the signature is proof enough.
 */
function isRepository(url: string, name: string): boolean {
  const path = decoded(new URL(url).pathname)
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  return path.toLowerCase().endsWith(`/${name.toLowerCase()}`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function startImport({
  platform,
  hook,
  receivedAt,
  traceparent,
}: {
  platform: Platform;
  hook: GitHookRecord;
  receivedAt: Date;
  traceparent: string;
}): Promise<Outcome> {
  const found = await loadAs(hook);
  if (!found)
    return {
      outcome: 'refused',
      reason: 'no_permission',
      message:
        'The user who set the hook may no longer import into the space. Set the hook again as another user.',
    };
  if (hook.login && !isOpenable(platform.config.secrets, hook.login))
    return {
      outcome: 'refused',
      reason: 'no_login',
      message:
        'The login of the hook can no longer be decrypted. Set the hook again with the login in its URL.',
    };
  const job = await startGitImport({
    ...{ platform, ...found, traceparent, dryRun: false },
    body: { ...hook.request, timestamp: receivedAt.toISOString() },
    login: loginOf(platform.config.secrets, hook),
  });
  return { outcome: 'started', message: 'The import was accepted.', jobId: job._id };
}

/** Loads the space as the user who set the hook; undefined when that user may not import into it. */
async function loadAs({ space: spaceId, organization, setBy }: GitHookRecord) {
  const user = await User.findById(setBy).lean<UserRecord>();
  if (!user) return undefined;
  const { _id: id, displayName, isOperator } = user;
  // The user had signed in when setting the hook, which a repository uses without a person.
  const actor = { user: { id, displayName, isOperator }, tokenId: '', signedInTo: organization };
  const found = await loadVisibleSpace(actor, spaceId).catch(unlessNotFound);
  // A transfer removes the hook, which may be loaded already.
  const isAllowed = found?.space.organization === organization && spacePermissions(found).triggerGitSync;
  return isAllowed ? { actor, space: found.space } : undefined;
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
}

function loginOf(secrets: SecretKeys, { _id, login }: GitHookRecord): Login | undefined {
  return login && (JSON.parse(openSecret(secrets, sealedSecretOf(login), gitHookLoginContext(_id))) as Login);
}

async function record({ _id, createdAt }: GitHookRecord, event: GitHookEventRecord): Promise<void> {
  const events = { $each: [event], $position: 0, $slice: maxGitHookEvents };
  await GitHook.updateOne({ _id, createdAt }, { $push: { events } });
}

/** Names from headers are stored, so they are bounded. */
function short(text: string | undefined): string | undefined {
  return text?.slice(0, maxNameLength);
}
