import { readFile } from 'node:fs/promises';
import { openQueues, pingRedis, workerStates } from '@bindery/jobs';
import {
  findConsoleSession,
  findUserByToken,
  pingMongo,
  readConsoleCredential,
  type ApiTokenRecord,
  type UserRecord,
} from '@bindery/models';
import { findVisitor, looksLikeContentToken } from '@bindery/publishing';
import { noteUnless, platformVersion, type Logger, type SecretKeys } from '@bindery/runtime';
import type { Express } from 'express';
import { mountOperatorArea } from './admin/area/operatorArea.ts';
import { mountHomePage } from './admin/homePage.ts';
import { mountQueueDashboard } from './admin/queueDashboard.ts';
import { holdsEverything } from './permissions/tokenLimits.ts';
import type { Actor, Reader, TokenLimits } from './http/actor.ts';
import { closeApp, openApp } from './http/app.ts';
import { mountHealth } from './http/health.ts';
import { mount } from './http/mount.ts';
import { openApiDocument } from './http/document/openapi.ts';
import type { RateLimit } from './http/rate-limit/rateLimit.ts';
import { mountReference } from './http/document/referencePage.ts';
import type { Services } from './http/services.ts';
import { createIdempotency } from './idempotencyStore.ts';
import type { Platform } from './platform.ts';
import { downloadFile } from './resources/file/downloadFile.ts';
import { spacesSeenBy } from './records/ownMember.ts';
import { forgetCounts } from './records/countOf.ts';
import { uploadFile } from './resources/storage/uploadFile.ts';
import { routes } from './routes.ts';
import { mountSamlEndpoints } from './sso/samlEndpoints.ts';

/** The complete app, for main.ts and for tests. */
export function createApp(
  platform: Platform,
  {
    log,
    rateLimit,
    onAnswer,
  }: { log: Logger; rateLimit?: RateLimit | undefined; onAnswer?: Services['onAnswer'] },
): Express {
  const { config } = platform;
  const app = openApp({ log, trustProxy: config.api.trustProxy });
  mountHealth(app, {
    checks: {
      mongodb: () => pingMongo(2_000),
      // The API works without Redis: it accepts jobs, which start later.
      redis: noteUnless(() => pingRedis(1_000), 'unreachable: jobs start later'),
      // Without S3 it serves all that is not a file.
      ...(config.storage.s3 && {
        s3: noteUnless(
          async () => platform.blobs.ping(),
          'unreachable: files can be neither read nor stored',
        ),
      }),
    },
    workers: workerStates,
  });
  mountHomePage(app, platform);
  mountReference(app, { load: loadOpenApiDocument, title: 'Bindery API' });
  mountQueueDashboard(app, {
    queues: openQueues,
    config,
    authenticate: async (token) => withoutLimits(await actorOfToken(token)),
  });
  mountOperatorArea(app, platform, { log });
  mountSamlEndpoints(app, platform);
  app.all('/files/:organization/:blob/:name', downloadFile(platform));
  app.all('/uploads/:organization/:key', uploadFile(platform));
  mount(app, routes, {
    platform,
    authenticate: async (token) => authenticate(config.secrets, token),
    afterWrite: forgetCounts,
    idempotency: createIdempotency({ secrets: config.secrets }),
    secrets: config.secrets,
    publicUrl: config.api.publicUrl,
    admit: rateLimit?.admit,
    onAnswer,
  });
  closeApp(app, { log });
  return app;
}

/**
 * Reads the file written by `npm run openapi`: deriving the document takes half a second, during which the
 * API would answer no other request.
 */
async function loadOpenApiDocument(): Promise<object> {
  return JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as object;
}

/** The API's description, derived from its routes; `npm run openapi` writes it to docs/openapi.json. */
export function createOpenApiDocument(): object {
  return openApiDocument(routes, {
    title: 'Bindery API',
    version: platformVersion,
    description:
      'A self-hosted documentation platform. Every long operation is a job: `X-Job-Id` names it, `GET /v1/jobs/{jobId}` shows its progress.',
  });
}

async function authenticate(secrets: SecretKeys, token: string): Promise<Reader | undefined> {
  if (looksLikeContentToken(token)) {
    const visitor = await findVisitor(secrets, token);
    return visitor && { visitor };
  }
  const credential = readConsoleCredential(secrets, token);
  const actor = credential ? await actorOfSession(credential) : await actorOfToken(token);
  return actor && { actor, seesIn: async (organization) => spacesSeenBy(actor, organization) };
}

async function actorOfToken(text: string): Promise<Actor | undefined> {
  const found = await findUserByToken(text);
  return found && actorOf(found.user, { tokenId: found.token._id, token: found.token });
}

/** A session of the console has the limits of the token, or of the provider, that signed in. */
async function actorOfSession({
  session,
  user,
}: {
  session: string;
  user: string;
}): Promise<Actor | undefined> {
  const found = await findConsoleSession({ id: session });
  if (!found || found.user._id !== user) return undefined;
  const { token, organization } = found;
  if (token) return { ...actorOf(found.user, { tokenId: token._id, token }), session };
  const actor: Actor = { ...actorOf(found.user, { tokenId: session, token }), session };
  if (organization === undefined) return actor;
  const { provider } = found.session;
  return { ...actor, signedInTo: organization, provider, limits: { organizations: [organization] } };
}

function actorOf(
  { _id: id, displayName, email, photoURL, isOperator }: UserRecord,
  { tokenId, token }: { tokenId: string; token: ApiTokenRecord | undefined },
): Actor {
  const user = { id, displayName, isOperator, email, photoURL };
  const { signedInTo, provider } = token ?? {};
  return { user, tokenId, signedInTo, provider, limits: token && limitsOf(token) };
}

/** The limits of a token; undefined when it has none. */
function limitsOf({ scopes, organizations, spaces, expiresAt }: ApiTokenRecord): TokenLimits | undefined {
  if (!scopes && !organizations && !spaces && !expiresAt) return undefined;
  return { scopes, organizations, spaces, expiresAt };
}

/** The dashboard has no scopes, so it accepts only tokens without restrictions. */
function withoutLimits(actor: Actor | undefined): Actor | undefined {
  return actor && holdsEverything(actor.limits) ? actor : undefined;
}
