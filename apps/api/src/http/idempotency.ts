import { hash } from 'node:crypto';
import type { Request } from 'express';
import type { Answer } from './answer/answer.ts';
import type { Input, Route } from './scope.ts';
import type { IdempotentCall, Services } from './services.ts';
import { invalidRequest } from './input/validation.ts';

/**
 * Runs the handler. When the route is idempotent and the call has an `Idempotency-Key`, it runs through the
 * application's record of such calls.
 */
export async function runOnce(
  {
    services,
    route,
    input,
    request,
    awaitedJob,
  }: { services: Services; route: Route; input: Input; request: Request } & Pick<
    IdempotentCall,
    'awaitedJob'
  >,
  run: (earlierJob?: string) => Promise<Answer>,
): Promise<Answer> {
  const key = request.headers['idempotency-key'];
  if (!route.spec.idempotent || !services.idempotency || key === undefined) return run();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidRequest([
      { path: 'headers.idempotency-key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  }
  const { params, query, body, bodyDigest } = input;
  const fingerprint = hash('sha256', JSON.stringify([params, query, bodyDigest ?? body]), 'base64url');
  return services.idempotency(
    { key, operationId: route.spec.operationId, actor: input.actor, fingerprint, awaitedJob },
    run,
  );
}
