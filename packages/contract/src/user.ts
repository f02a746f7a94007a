import { z } from 'zod';
import { text, WebUrl } from './input.ts';

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

export const UpdateUser = z
  .object({
    displayName: text(1, 64)
      .refine((name) => name.trim() !== '', 'must not be blank')
      .optional(),
    photoURL: WebUrl.nullable().optional().describe('null removes it.'),
  })
  .meta({ id: 'UpdateUser' });

/** An e-mail address, in lower case: the same address in another case is the same user. */
export const Email = z.email('must be an e-mail address').max(254).toLowerCase();

const ApiTokenFields = z.object({
  id: z.string(),
  label: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  lastUsedAt: z.iso.datetime().optional().describe('To the minute.'),
});

/** A personal API token, without the token itself: that is shown once, when it is made. */
export const ApiToken = ApiTokenFields.meta({ id: 'UserAPIToken' });
export type ApiToken = z.infer<typeof ApiToken>;

export const NewApiToken = ApiTokenFields.extend({ token: z.string() }).meta({ id: 'UserAPITokenExtended' });

export const CreateApiToken = z
  .object({
    label: text(1, 50).refine((label) => label.trim() !== '', 'must not be blank'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((time) => Date.parse(time) > Date.now(), 'must be in the future')
      .optional()
      .describe('When it stops working; without it, never.'),
  })
  .meta({ id: 'CreateUserAPIToken' });

/** What the platform is, for clients that ask before they begin. */
export const ApiInformation = z.object({ version: z.string(), build: z.string() }).meta({ id: 'ApiInformation' });
