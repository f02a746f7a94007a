import { z } from 'zod';
import { Id, text, WebUrl } from '../input/input.ts';
import { Role } from '../user/role.ts';
import { Team } from './team.ts';

/**
 * A SAML identity provider of an organization; until they are set, `entityID` and `certificate` are empty and
 * `ssoURL` is absent.
 */
export const SamlProvider = z
  .object({
    object: z.literal('saml-provider'),
    id: z.string(),
    label: z.string(),
    ssoURL: z.string().optional(),
    entityID: z.string(),
    certificate: z.string(),
    warnings: z
      .array(z.string())
      .optional()
      .describe('Weakness or expiry of the certificate, and what to do about it; absent if there is none.'),
    defaultTeam: Team.optional(),
    defaultRole: Role.nullable(),
    createdAt: z.iso.datetime(),
    status: z.enum(['active', 'pending']),
    service: z.object({ acsURL: z.string(), startURL: z.string(), entityID: z.string() }),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'OrganizationSAMLProvider' });
export type SamlProvider = z.infer<typeof SamlProvider>;

const settings = {
  entityID: text(0, 1024).describe('Entity ID of the provider; empty if not set.'),
  certificate: text(0, 10_000).describe(
    'X.509 certificate of its signatures, PEM or base64; empty if not set.',
  ),
  ssoURL: WebUrl.nullable().describe('Sign-in URL of the provider; null if not set.'),
  defaultTeam: Id.nullable().describe('Id of the team that users join at their first sign-in.'),
  defaultRole: Role.nullable().describe('Role of users after their first sign-in; null makes them guests.'),
};

const Label = text(1, 30)
  .refine((label) => label.trim() !== '', 'must not be blank')
  .meta({ pattern: '\\S' });

export const CreateSamlProvider = z
  .strictObject({ label: Label, ...z.object(settings).partial().shape })
  .meta({ id: 'CreateSAMLProvider' });
export type CreateSamlProvider = z.infer<typeof CreateSamlProvider>;

export const UpdateSamlProvider = CreateSamlProvider.partial().meta({ id: 'UpdateSAMLProvider' });
export type UpdateSamlProvider = z.infer<typeof UpdateSamlProvider>;

/** A provider as shown before sign-in. */
export const SsoLogin = z
  .object({ id: z.string(), label: z.string(), startURL: z.string() })
  .meta({ id: 'OrganizationSSOProviderLogin' });
export type SsoLogin = z.infer<typeof SsoLogin>;
