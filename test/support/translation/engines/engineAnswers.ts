import { JobError } from '@bindery/contract';
import type { EngineAnswer } from '@bindery/engines';
import { expect } from 'vitest';

/** The texts of answers; the reason for one that was refused. */
export function textsOf(answers: readonly EngineAnswer[]): string[] {
  return answers.map((answer) => ('text' in answer ? answer.text : answer.refused));
}

/** Expects a JobError that tells none of the secrets. */
export async function failureOf(
  promise: Promise<unknown>,
  secrets: readonly string[] = [],
): Promise<JobError> {
  const error = await promise.then(
    (value) => expect.fail(`succeeded with ${JSON.stringify(value).slice(0, 200)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(JobError);
  const failure = error as JobError;
  const told = [
    failure.message,
    failure.action,
    failure.stack,
    JSON.stringify(failure),
    String(failure.cause),
  ];
  for (const secret of secrets) expect(told.join('\n')).not.toContain(secret);
  return failure;
}
