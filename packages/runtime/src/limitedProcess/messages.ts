import { jobErrorClasses, jobErrorCodes, type JobErrorCode } from '@bindery/contract/jobErrors';
import { z } from 'zod';
import type { Failure } from './failure.ts';

/** No sentence for a user is so long, and no trace that somebody reads. */
const text = z.string().max(10_000);

const failureSchema = z.union([
  z.literal('memory'),
  z.strictObject({
    code: z.enum(Object.keys(jobErrorCodes) as [JobErrorCode, ...JobErrorCode[]]),
    class: z.enum(jobErrorClasses),
    message: text,
    action: text.exactOptional(),
    retryAfterMs: z.number().min(0).exactOptional(),
    trace: text.exactOptional(),
  }),
]) satisfies z.ZodType<Failure>;

const id = z.int().min(0);

/**
 * What the process says to the one that started it. An `ask` and a `group` wait for the `answer` with their id. A process that was taken over says
 * anything: nothing is used before it has this form.
 */
export const childMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('event'), event: z.unknown() }),
  z.strictObject({ kind: z.literal('ask'), id, name: z.string(), argument: z.unknown() }),
  z.strictObject({ kind: z.literal('group'), id, pid: z.int().min(2) }),
  z.strictObject({ kind: z.literal('done'), result: z.unknown() }),
  z.strictObject({ kind: z.literal('failed'), failure: failureSchema }),
]);

export type ChildMessage = z.infer<typeof childMessageSchema>;

/** What it is told: the request, then the answers. */
export type ParentMessage = { kind: 'request'; work: string; request: unknown } | { kind: 'answer'; id: number; answer?: unknown };
