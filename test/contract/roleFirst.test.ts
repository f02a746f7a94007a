import { describe, expect } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';
import { buildMember } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { importWorker, samples } from '../support/http/requestSamples.ts';
import { buildWorld, fill, isShared, placesOf, type Places } from '../support/world.ts';

// Every operation that takes a body, called by the lowest caller that is told of a wrong one: who may not do
// it at all gets 403 before the body is read.

/** From fewest to most rights. */
const callers = ['guest', 'read', 'comment', 'edit', 'review', 'create'] as const;

/** Operations that need more for the body of the sample than for others, each with the reason. */
const decidedByBody: Record<string, string> = {
  updateCommentInSpace: 'others resolve a comment, only its author edits it',
  updateCommentReplyInSpace: 'as above',
  updateCommentInChangeRequest: 'as above',
  updateCommentReplyInChangeRequest: 'as above',
};

const site = '/orgs/:organizationId/sites/:siteId';
const withSample = routes.filter(
  ({ method, kind, admits, spec }) =>
    method !== 'get' &&
    kind === 'operation' &&
    admits === 'users' &&
    spec.permission !== 'token' &&
    samples[spec.operationId] !== undefined,
);

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(
      api,
      routes.map(({ path }) => path),
    ),
  )
  .extend('importing', { scope: 'file' }, ({ api }, { onCleanup }) => {
    const worker = importWorker(api);
    onCleanup(worker.stop);
    return worker;
  })
  .extend('tokens', { scope: 'file' }, async ({ world }) =>
    Promise.all(
      callers.map(
        async (role) => (await buildMember(world.organization, role === 'guest' ? null : role)).token,
      ),
    ),
  )
  .extend('placesFor', ({ world }) => async ({ path }: Route): Promise<Places> => {
    const own = placesOf(path).at(-1);
    if (own === undefined || isShared(own) || path.startsWith(`${site}/structure`)) return world.places;
    return { ...world.places, [own]: await world.make(own) };
  });

describe('a missing permission is reported before the body is validated', () => {
  it.for(withSample.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, route], { api, world, importing, tokens, placesFor }) => {
      const places = await placesFor(route);
      const url = `/v1${fill(route.path, places)}`;
      const send = async (path: string, token: string, call: object) =>
        api.call(route.method.toUpperCase(), path, { token, ...call });
      let lowest: string | undefined;
      for (const token of tokens) {
        const { status } = await send(url, token, { json: [] });
        if (status === 400) lowest = token;
        if (lowest !== undefined) break;
      }
      // Only admins may do it.
      if (lowest === undefined) return;
      const sample = await samples[operationId]?.({ api, world, places, startImporting: importing.start });
      const { at, token = lowest, ...call } = sample ?? {};
      const { status, text } = await send(`/v1${fill(route.path, { ...places, ...at })}`, token, call);
      if (decidedByBody[operationId] === undefined) expect(status, text).not.toBe(403);
      else expect(status, text).toBe(403);
    },
  );
});
