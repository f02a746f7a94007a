import { ApiError, notFound } from '@bindery/contract';
import type { Request } from 'express';
import type { Input, ParamShape, Route, ScopeStep } from './scope.ts';

/**
 * Loads the objects that the URL names into `input`, outermost scope first; returns false when the object
 * that a DELETE would delete does not exist.
 */
export async function enterScopes(route: Route, input: Input, request: Request): Promise<boolean> {
  const hasOwnParams = route.spec.params !== undefined;
  const last = route.steps.at(-1);
  for (const step of route.steps) {
    try {
      await enterScope(step, input, request);
    } catch (error) {
      if (step === last && !hasOwnParams && isAbsentOwnObject(route, error)) return false;
      throw error;
    }
  }
  try {
    readParams(route.spec.params, input, request);
  } catch (error) {
    if (isAbsentOwnObject(route, error)) return false;
    throw error;
  }
  return true;
}

/** Whether the error means that the object of a DELETE no longer exists. */
export function isAbsentOwnObject(route: Route, error: unknown): boolean {
  return (
    route.kind === 'delete' && route.isOwnObject && error instanceof ApiError && error.code === 'not_found'
  );
}

async function enterScope(step: ScopeStep, input: Input, request: Request): Promise<void> {
  readParams(step.params, input, request);
  Object.assign(input, await step.load(input));
  Object.assign(input.can, step.permissions(input));
}

/** A parameter that its schema rejects names no existing object: 404, not 400. */
function readParams(shape: ParamShape | undefined, input: Input, request: Request): void {
  for (const name in shape) {
    const given = request.params[name] ?? '';
    const text = typeof given === 'string' ? given : given.join('/');
    const parsed = shape[name]?.safeParse(text);
    if (!parsed?.success) throw notFound(wordsOf(name), text);
    input.params[name] = parsed.data;
  }
}

/** Turns `changeRequestId` into "change request". */
function wordsOf(paramName: string): string {
  return paramName.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
