import { describe } from 'vitest';
import { routes } from '../../apps/api/src/routes.ts';
import { it as base } from '../support/it.ts';
import { importWorker, samples } from '../support/http/requestSamples.ts';
import { sentTwice } from '../support/http/sentTwice.ts';
import { buildWorld, fill } from '../support/world.ts';

// Every operation that honours `Idempotency-Key`, called twice with one: the transaction that carries it out
// also writes that down, so that it is done once even when the process dies before its answer is stored.

const idempotent = routes.filter(({ spec }) => spec.idempotent);

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(
      api,
      idempotent
        .map(({ path }) => path)
        .concat('/orgs/:organizationId/sites/:siteId/sections/:siteSectionId'),
    ),
  )
  .extend('startImporting', { scope: 'file' }, ({ api }, { onCleanup }) => {
    const { start, stop } = importWorker(api);
    onCleanup(stop);
    return start;
  });

describe('a request that is sent twice with one Idempotency-Key is carried out once', () => {
  it.for(idempotent.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, { method, path }], { api, world, startImporting }) => {
      const sample = await samples[operationId]?.({ api, world, places: world.places, startImporting });
      if (!sample)
        throw new Error(
          `${operationId} honours \`Idempotency-Key\`: add a request to \`samples\` of test/support/http/requestSamples.ts.`,
        );
      const { at, ...call } = sample;
      await sentTwice(api, method.toUpperCase(), `/v1${fill(path, { ...world.places, ...at })}`, {
        token: world.admin.token,
        ...call,
      });
    },
  );
});
