import { z } from 'zod';
import { EmailDomain } from './emailDomain.ts';
import { changesOf, Id, text, WebUrl } from '../input/input.ts';
import { Role } from '../user/role.ts';

const permissionNames = [
  'view',
  'access',
  'admin',
  'ownTeam',
  'createContent',
  'createOpenAPISpec',
  'ingestConversations',
  'viewBilling',
  'listMembers',
  'listTeams',
  'listIntegrations',
  'listInstallations',
  'installIntegration',
] as const;
export type OrganizationPermission = (typeof permissionNames)[number];

/** The first page that members see: a site of the organization. */
const DefaultContent = z.strictObject({ type: z.literal('site'), site: Id });

const EmailDomainVerification = z
  .object({
    domain: z.string(),
    status: z.enum(['pending', 'verified']).describe('Until the domain is verified, it has no effect.'),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The DNS record that verifies the domain.'),
  })
  .meta({ id: 'EmailDomainVerification' });
export type EmailDomainVerification = z.infer<typeof EmailDomainVerification>;

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: z.string(),
    title: z.string(),
    createdAt: z.iso.datetime(),
    emailDomains: z.array(z.string()),
    emailDomainVerification: z
      .array(EmailDomainVerification)
      .optional()
      .describe('Only for admins: whether and how each e-mail domain is verified.'),
    hostname: z.string().optional(),
    type: z.enum(['business', 'community']),
    defaultRole: Role.nullable(),
    defaultContent: DefaultContent.optional(),
    sso: z.boolean(),
    ai: z.boolean(),
    inviteLinks: z.boolean(),
    plan: z.literal('enterprise_2024'),
    mergeRules: z.object({ type: z.literal('none') }),
    trial: z.object({ status: z.literal('notapplicable'), count: z.int() }),
    internal_isOnNewTrial: z.literal(true),
    urls: z.object({ location: z.string(), app: z.string(), logo: z.string().optional() }),
    permissions: z.object(
      Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<
        OrganizationPermission,
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

/** Trimmed before it is stored. */
const OrganizationTitle = text(2, 255)
  .refine(
    (title) => [...title.trim()].length >= 2,
    'must have 2 to 255 characters, not counting white space around them',
  )
  .meta({ pattern: '\\S.*\\S' });

/**
 * Domains whose addresses allow joining, once the organization has proven the domain. Duplicates are dropped,
 * regardless of case.
 */
const EmailDomains = z
  .array(EmailDomain)
  .max(100)
  .overwrite((domains) => [...new Set(domains)]);

/**
 * First path segments of the platform itself. The hostname of an organization must differ from them, because
 * it is the first path segment of its sites.
 */
const ownPaths = new Set(
  'admin api app assets auth docs favicon files healthz login logout metrics openapi orgs public readyz robots sites spaces sso static well-known www'.split(
    ' ',
  ),
);

const Hostname = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/,
    'must be 3 to 32 lower case letters, digits and hyphens, no hyphen at either end',
  )
  // The prefix xn-- encodes letters of other scripts, which may look like those of another organization.
  .refine(
    (hostname) => !/^..--/.test(hostname),
    'must not have two hyphens as its third and fourth character',
  )
  .refine((hostname) => !ownPaths.has(hostname), 'is reserved by the platform; choose another one')
  .meta({ minLength: 3, maxLength: 32 });

export const CreateOrganization = z
  .strictObject({ title: OrganizationTitle, emailDomains: EmailDomains.optional() })
  .meta({ id: 'CreateOrganization' });

const updateOrganizationFields = {
  title: OrganizationTitle.optional(),
  emailDomains: EmailDomains.optional().describe(
    'Users with an e-mail address in one of these domains can join. Each domain must be verified: see `emailDomainVerification` of the organization.',
  ),
  hostname: Hostname.optional().describe(
    'First segment of the paths of its published sites; unique among organizations.',
  ),
  defaultRole: Role.nullable()
    .optional()
    .describe('Role of users who join by e-mail domain or single sign-on; null makes them guests.'),
  defaultContent: DefaultContent.nullable().optional(),
  logo: WebUrl.nullable().optional(),
  sso: z
    .boolean()
    .optional()
    .describe(
      'Whether members with `sso` must sign in through a SAML provider of the organization. Needs an active one; an admin with `sso` must have signed in through it.',
    ),
  ai: z.boolean().optional(),
  inviteLinks: z.boolean().optional().describe('false disables all link invites of the organization.'),
};

export const UpdateOrganization = changesOf(
  z.object(updateOrganizationFields).meta({ id: 'UpdateOrganization' }),
  {
    known: Object.keys(updateOrganizationFields),
    shown: Organization,
  },
);
export type UpdateOrganization = z.infer<typeof UpdateOrganization>;

export const OrganizationsForEmailDomain = z
  .object({ organizations: z.array(Organization) })
  .meta({ id: 'OrganizationsForEmailDomain' });
