import type { Visitor } from '@bindery/publishing';
import type { SecretKeys } from '@bindery/runtime';
import type { Platform } from '../platform.ts';
import type { Actor, Reader } from './actor.ts';
import type { Answer } from './answer/answer.ts';
import type { Route } from './scope.ts';

/** Dependencies of the HTTP layer, provided by the application. */
export type Services = {
  /** Returns the reader that a token belongs to; undefined when the token is unknown, revoked or expired. */
  authenticate: (token: string) => Promise<Reader | undefined>;
  /** Passed to every handler. */
  platform: Platform;
  /** Signs page tokens. */
  secrets: SecretKeys;
  /** Origin of the API, without `/v1`. */
  publicUrl: string;
  /**
   * Runs after authentication, even a failed one, before any object is loaded. May refuse the request (rate
   * limits) and set response headers.
   */
  admit?: (call: {
    route: Route;
    actor: Actor | undefined;
    visitor: Visitor | undefined;
    address: string;
    setHeader: (name: string, value: string) => void;
  }) => Promise<void>;
  /**
   * For idempotent routes called with `Idempotency-Key`: runs the handler, or returns the answer of its first
   * run.
   */
  idempotency?: (call: IdempotentCall, run: (earlierJob?: string) => Promise<Answer>) => Promise<Answer>;
  /** Runs after each request that may have written, with the organization if the path has one. */
  afterWrite?: (organization: string | undefined) => void;
  /** Called with each answer before it is sent; tests compare it with its schema. */
  onAnswer?: (route: Route, answer: Answer) => void;
};

/** A call with an `Idempotency-Key`. `fingerprint` differs when the key is reused for another request. */
export type IdempotentCall = {
  key: string;
  operationId: string;
  actor: Actor | undefined;
  fingerprint: string;
  /** The job that the run waits for. */
  awaitedJob: () => string | undefined;
};
