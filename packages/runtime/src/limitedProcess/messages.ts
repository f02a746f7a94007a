import { jobErrorClasses, jobErrorCodes, type JobErrorCode } from '@bindery/contract/jobErrors';
import { z } from 'zod';
import type { Failure } from './failure.ts';

/** Longer than any error message or stack trace that a process sends. */
const text = z.string().max(10_000);

const failureSchema = z.union([
  z.literal('memory'),
  z.strictObject({
    code: z.enum(Object.keys(jobErrorCodes) as [JobErrorCode, ...JobErrorCode[]]),
    class: z.enum(jobErrorClasses),
    message: text,
    action: text.optional(),
    retryAfterMs: z.number().min(0).optional(),
    trace: text.optional(),
  }),
]) satisfies z.ZodType<Failure>;

const id = z.int().min(0);

/**
 * A message from the child to the process that started it. An `ask` and a `group` wait for the `answer` with
 * their id. A compromised child sends anything, so the receiver parses each message with this schema first.
 */
export const childMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('event'), event: z.unknown() }),
  z.strictObject({ kind: z.literal('ask'), id, name: z.string(), argument: z.unknown() }),
  z.strictObject({ kind: z.literal('group'), id, pid: z.int().min(2) }),
  z.strictObject({ kind: z.literal('done'), result: z.unknown() }),
  z.strictObject({ kind: z.literal('failed'), failure: failureSchema }),
]);

export type ChildMessage = z.infer<typeof childMessageSchema>;

/** A message to the child: the request first, then the answers. */
export type ParentMessage =
  | { kind: 'request'; work: string; request: unknown }
  | { kind: 'answer'; id: number; answer?: unknown };
