import { z } from 'zod';
import { Id, text, WebUrl } from '../input/input.ts';

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
  .strictObject({
    displayName: text(1, 64)
      .refine((name) => name.trim() !== '', 'must not be blank')
      .optional(),
    photoURL: WebUrl.nullable().optional().describe('null removes it.'),
  })
  .meta({ id: 'UpdateUser' });

/** An e-mail address, in lower case: the same address in another case is the same user. */
export const Email = z.email('must be an e-mail address').max(254).toLowerCase();

/** The scopes that narrow a token to a part of its user's rights. */
export const TokenScope = z.enum(['read', 'write', 'jobs', 'admin']);
export type TokenScope = z.infer<typeof TokenScope>;

/** Maximum number of organizations, and of spaces, that a token can be narrowed to. */
const maxTargets = 100;

const limits = {
  scopes:
    '`read`: read. `write`: also change content and sites. `jobs`: also start, cancel and retry jobs. `admin`: everything. By default, everything.',
  organizations: 'Ids of the organizations that the token can access; without it and `spaces`, all.',
  spaces: 'Ids of single spaces that the token can access, without the rest of their organizations.',
};

const ApiTokenFields = z.object({
  id: z.string(),
  label: z.string(),
  scopes: z.array(TokenScope).optional().describe(limits.scopes),
  organizations: z.array(z.string()).optional().describe(limits.organizations),
  spaces: z.array(z.string()).optional().describe(limits.spaces),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  lastUsedAt: z.iso.datetime().optional().describe('To the minute.'),
});

/** A personal API token, without its secret, which is shown only when the token is made. */
export const ApiToken = ApiTokenFields.meta({ id: 'UserAPIToken' });
export type ApiToken = z.infer<typeof ApiToken>;

export const NewApiToken = ApiTokenFields.extend({ token: z.string() }).meta({ id: 'UserAPITokenExtended' });

const places = z
  .array(Id)
  .min(1)
  .max(maxTargets)
  .transform((ids) => [...new Set(ids)]);

/**
 * Omitted fields are copied from the token that makes the new one: a token never has more rights or a longer
 * life than its maker.
 */
export const CreateApiToken = z
  .strictObject({
    label: text(1, 50).refine((label) => label.trim() !== '', 'must not be blank'),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((time) => Date.parse(time) > Date.now(), 'must be in the future')
      .optional()
      .describe('When the token expires, by default never. Not later than the token that creates it.'),
    scopes: z
      .array(TokenScope)
      .min(1)
      .max(20)
      .transform((scopes) => TokenScope.options.filter((scope) => scopes.includes(scope)))
      .optional()
      .describe(limits.scopes),
    organizations: places.optional().describe(limits.organizations),
    spaces: places.optional().describe(limits.spaces),
  })
  .meta({ id: 'CreateUserAPIToken' });
export type CreateApiToken = z.output<typeof CreateApiToken>;

/** Identifies the platform to clients before their first request. */
export const ApiInformation = z
  .object({ version: z.string(), build: z.string() })
  .meta({ id: 'ApiInformation' });
