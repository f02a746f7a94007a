import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid, type GitHookEvent } from '@bindery/contract';
import { z } from 'zod';

/** A push, as far as an import needs it. */
export type Push = {
  /** Name with its owner or group, such as `owner/name`. */
  repository: string;
  refs: { ref: string; isDeleted: boolean }[];
};

/** A way to prove that the sender knows the secret. */
type Signature = {
  header: string;
  isValid(proof: { value: string; headers: IncomingHttpHeaders; bytes: Buffer; secret: string }): boolean;
};

/** Standard Webhooks requires as much of a signing key. */
const minKeyBytes = 24;

/** How the webhooks of a kind of git host look. */
export type GitHost = {
  name: GitHookEvent['host'];
  /** Headers with the name of the event; the first of them tells the host. */
  eventHeaders: readonly string[];
  /** Headers with the id of the request. */
  deliveryHeaders: readonly string[];
  /** Each of them suffices. */
  signatures: readonly Signature[];
  /** Returns the push that an event tells of; undefined for another event. */
  pushOf(event: string, payload: unknown): Push | undefined;
};

const hosts: readonly GitHost[] = [
  // Before GitHub, whose headers these send too.
  {
    name: 'gitea',
    eventHeaders: ['x-gitea-event', 'x-forgejo-event', 'x-gogs-event'],
    deliveryHeaders: ['x-gitea-delivery', 'x-forgejo-delivery', 'x-gogs-delivery'],
    signatures: ['x-gitea-signature', 'x-forgejo-signature', 'x-gogs-signature'].map((header) =>
      hexHmac(header),
    ),
    pushOf: (event, payload) => (event === 'push' ? pushOfGitHub(payload) : undefined),
  },
  {
    name: 'github',
    eventHeaders: ['x-github-event'],
    deliveryHeaders: ['x-github-delivery'],
    signatures: [hexHmac('x-hub-signature-256', 'sha256=')],
    pushOf: (event, payload) => (event === 'push' ? pushOfGitHub(payload) : undefined),
  },
  {
    name: 'gitlab',
    eventHeaders: ['x-gitlab-event'],
    deliveryHeaders: ['x-gitlab-event-uuid'],
    signatures: [standardSignature(), token('x-gitlab-token')],
    pushOf: (_event, payload) => pushOfGitLab(payload),
  },
  {
    name: 'bitbucket',
    eventHeaders: ['x-event-key'],
    deliveryHeaders: ['x-request-uuid', 'x-request-id'],
    signatures: [hexHmac('x-hub-signature', 'sha256=')],
    pushOf: pushOfBitbucket,
  },
];

/** Returns the host that sent a request with these headers; undefined when it is none that we know. */
export function hostOf(headers: IncomingHttpHeaders): GitHost | undefined {
  return hosts.find(({ eventHeaders }) => firstOf(headers, eventHeaders) !== undefined);
}

/** Returns the first of these headers that the request has. */
export function firstOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  return names.map((name) => headers[name]).find((value) => typeof value === 'string');
}

/** Whether a request has a signature at all: its body is not read before. */
export function isSigned({ signatures }: GitHost, headers: IncomingHttpHeaders): boolean {
  return signatures.some(({ header }) => Boolean(headers[header]));
}

/** Whether a request was signed with one of these secrets. Takes the same time for each wrong signature. */
export function isSignatureValid(
  { signatures }: GitHost,
  { headers, bytes, secrets }: { headers: IncomingHttpHeaders; bytes: Buffer; secrets: readonly string[] },
): boolean {
  return signatures.some(({ header, isValid }) => {
    const value = headers[header];
    return typeof value === 'string' && secrets.some((secret) => isValid({ value, headers, bytes, secret }));
  });
}

/** HMAC-SHA256 of the body in hexadecimal digits, keyed by the secret. */
function hexHmac(header: string, prefix = ''): Signature {
  return {
    header,
    isValid: ({ value, bytes, secret }) =>
      isEqual(value, prefix + createHmac('sha256', secret).update(bytes).digest('hex')),
  };
}

/** The secret itself. */
function token(header: string): Signature {
  return { header, isValid: ({ value, secret }) => isEqual(value, secret) };
}

/**
 * A signature of Standard Webhooks, which the signing token of GitLab makes. Its time is not compared with
 * the clock: an import reads the present branch, so that a repeated event changes nothing.
 *
 * @see https://www.standardwebhooks.com
 */
function standardSignature(): Signature {
  return {
    header: 'webhook-signature',
    isValid: ({ value, headers, bytes, secret }) => {
      const key = signingKeyOf(secret);
      if (!key) return false;
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
      const expected = `v1,${createHmac('sha256', key).update(signed).update(bytes).digest('base64')}`;
      // During a rotation at the host there are several.
      return value
        .split(' ')
        .slice(0, 8)
        .some((one) => isEqual(one, expected));
    },
  };
}

/**
 * The key in a signing token; undefined for another secret. Node skips what is not base64, so that a secret
 * of one's own could become a key of a few bytes, or of none, which anybody can guess.
 */
function signingKeyOf(secret: string): Buffer | undefined {
  if (!secret.startsWith('whsec_')) return undefined;
  const text = secret.slice('whsec_'.length);
  const key = Buffer.from(text, 'base64');
  return key.length >= minKeyBytes && key.toString('base64') === text ? key : undefined;
}

/** Compares the hashes, which have the same length, so that the time tells nothing. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

const RefName = z.string().max(1_024);
const Name = z.string().max(1_024);
const noCommit = /^0+$/;

/** GitHub, Gitea, Forgejo and Gogs. */
const GitHubPush = z.object({
  ref: RefName,
  after: z.string().max(64),
  repository: z.object({ full_name: Name }),
});

function pushOfGitHub(payload: unknown): Push {
  const { ref, after, repository } = read(GitHubPush, payload);
  return { repository: repository.full_name, refs: [{ ref, isDeleted: noCommit.test(after) }] };
}

const GitLabPush = z.object({
  ref: RefName,
  after: z.string().max(64),
  project: z.object({ path_with_namespace: Name }),
});
const GitLabKind = z.object({ object_kind: z.string().optional(), event_name: z.string().optional() });

/** A system hook names the event in the body only, as do the hooks of projects and groups too. */
function pushOfGitLab(payload: unknown): Push | undefined {
  const { object_kind: kind, event_name: event } = read(GitLabKind, payload);
  if (!['push', 'tag_push'].includes(kind ?? event ?? '')) return undefined;
  const { ref, after, project } = read(GitLabPush, payload);
  return { repository: project.path_with_namespace, refs: [{ ref, isDeleted: noCommit.test(after) }] };
}

const BitbucketRef = z.object({ type: z.string(), name: RefName }).nullish();
const BitbucketCloudPush = z.object({
  repository: z.object({ full_name: Name }),
  push: z.object({ changes: z.array(z.unknown()) }),
});
const BitbucketCloudChange = z.object({ new: BitbucketRef, old: BitbucketRef });
const BitbucketServerPush = z.object({
  repository: z.object({ slug: Name, project: z.object({ key: Name }) }),
  changes: z.array(z.unknown()),
});
const BitbucketServerChange = z.object({ ref: z.object({ id: RefName }), type: z.string() });

function pushOfBitbucket(event: string, payload: unknown): Push | undefined {
  if (event === 'repo:push') {
    const { repository, push } = read(BitbucketCloudPush, payload);
    const refs = readEach(BitbucketCloudChange, push.changes, 'body.push.changes').flatMap((change) => {
      const named = change.new ?? change.old;
      return named ? { ref: refOf(named), isDeleted: !change.new } : [];
    });
    return { repository: repository.full_name, refs };
  }
  if (event !== 'repo:refs_changed') return undefined;
  const { repository, changes } = read(BitbucketServerPush, payload);
  return {
    repository: `${repository.project.key}/${repository.slug}`,
    refs: readEach(BitbucketServerChange, changes, 'body.changes').map(({ ref, type }) => ({
      ref: ref.id,
      isDeleted: type === 'DELETE',
    })),
  };
}

function refOf({ type, name }: { type: string; name: string }): string {
  return `refs/${type === 'tag' ? 'tags' : 'heads'}/${name}`;
}

/** Reads items until the first wrong one: an array of a million has as many problems, which takes seconds. */
function readEach<T extends z.ZodType>(schema: T, items: unknown[], path: string): z.output<T>[] {
  return items.map((item, i) => read(schema, item, `${path}.${i}`));
}

/** @throws invalid_request for an event of another form than the host documents */
function read<T extends z.ZodType>(schema: T, payload: unknown, path = 'body'): z.output<T> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    [path, ...(issue?.path ?? [])].join('.'),
    'is missing, or does not have the format of push events of this git host.',
  );
}
