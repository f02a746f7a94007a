import { z } from 'zod';

export const User = z
  .object({
    object: z.literal('user'),
    id: z.string(),
    displayName: z.string(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

/** What the platform is, for clients that ask before they begin. */
export const ApiInformation = z.object({ version: z.string(), build: z.string() }).meta({ id: 'ApiInformation' });
