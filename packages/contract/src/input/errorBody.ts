import { z } from 'zod';

/**
 * The body of every response with a status of 400 or more.
 *
 * `code` equals the HTTP status; `type` says the same as a word (`not_found`); `requestId` identifies the
 * request to the operator; `action` says how the caller can proceed; `details` names each invalid field, on
 * `invalid_request` only.
 */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.int(),
      type: z.string(),
      message: z.string(),
      requestId: z.string(),
      action: z.string().optional(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
