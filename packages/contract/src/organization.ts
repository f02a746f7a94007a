import { z } from 'zod';
import { text } from './input.ts';
import { Role } from './role.ts';

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

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: z.string(),
    title: z.string(),
    createdAt: z.iso.datetime(),
    emailDomains: z.array(z.string()),
    hostname: z.string().optional(),
    type: z.enum(['business', 'community']),
    defaultRole: Role.nullable(),
    sso: z.boolean(),
    ai: z.boolean(),
    inviteLinks: z.boolean(),
    plan: z.literal('enterprise_2024'),
    mergeRules: z.object({ type: z.literal('none') }),
    trial: z.object({ status: z.literal('notapplicable'), count: z.int() }),
    internal_isOnNewTrial: z.literal(true),
    urls: z.object({ location: z.string(), app: z.string(), logo: z.string().optional() }),
    permissions: z.object(
      Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<OrganizationPermission, z.ZodBoolean>,
    ),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

/** White space around it does not count, and is dropped when it is stored. */
const OrganizationTitle = text(2, 255)
  .refine((title) => [...title.trim()].length >= 2, 'must have 2 to 255 characters, not counting white space around them')
  .meta({ pattern: '\\S.*\\S' });

export const CreateOrganization = z.object({ title: OrganizationTitle }).meta({ id: 'CreateOrganization' });
