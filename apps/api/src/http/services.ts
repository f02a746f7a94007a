import type { SecretKeys } from '@bindery/runtime';
import type { Platform } from '../platform.ts';
import type { Actor, Reader, Visitor } from './actor.ts';
import type { Answer } from './answer/answer.ts';
import type { Route } from './scope.ts';

/** What the HTTP layer is given by the application. */
export type Services = {
  /** Whose token this is, or undefined when it is unknown, revoked or expired. */
  authenticate: (token: string) => Promise<Reader | undefined>;
  /** Handed to every handler. */
  platform: Platform;
  /** Signs page tokens. */
  secrets: SecretKeys;
  /** Origin of the API, without `/v1`. */
  publicUrl: string;
  /**
   * After authentication, before anything is loaded: may refuse (rate limits) and set headers of the
   * response.
   */
  admit?: (call: {
    route: Route;
    actor: Actor | undefined;
    visitor: Visitor | undefined;
    address: string;
    setHeader: (name: string, value: string) => void;
  }) => Promise<void>;
  /**
   * For routes with `idempotent` and a caller that sent `Idempotency-Key`: runs the handler, or gives the
   * answer of its first run.
   */
  idempotency?: (call: IdempotentCall, run: () => Promise<Answer>) => Promise<Answer>;
  /** After each request that may have changed something: of which organization, where the path tells. */
  afterWrite?: (organization: string | undefined) => void;
  /** Sees each answer before it is sent; the tests compare it with its schema. */
  onAnswer?: (route: Route, answer: Answer) => void;
};

/** `fingerprint` differs when the same key comes with another request. */
export type IdempotentCall = {
  key: string;
  operationId: string;
  actor: Actor | undefined;
  fingerprint: string;
};
