import { z } from 'zod';
import { User } from './briefContent.ts';
import { text, id, time, url, count, flag, Role, TeamRole, flags, kind, condition } from './briefWords.ts';

// Organizations and what belongs to them. briefFields.ts explains these tables.

export const Collection = kind('collection', {
  id,
  title: text.max(50),
  description: text.max(100).optional(),
  organization: id,
  parent: id.optional(),
  defaultLevel: Role,
  urls: z.looseObject({ location: url, app: url }),
  permissions: flags('view', 'admin', 'viewInviteLinks', 'create'),
});

export const GitInfo = z.looseObject({
  repoName: text.optional(),
  installationProvider: text.optional(),
  integration: text.optional(),
  url: url.optional(),
  updatedAt: time.optional(),
});

export const Space = kind('space', {
  id,
  title: text.max(50),
  emoji: text,
  visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private']),
  createdAt: time,
  updatedAt: time,
  deletedAt: time.optional(),
  editMode: z.enum(['live', 'locked']),
  urls: z.looseObject({
    location: url,
    app: url,
    published: url.optional(),
    public: url.optional(),
    icon: url.optional(),
  }),
  organization: id,
  parent: id.optional(),
  language: text.optional(),
  gitSync: GitInfo.optional(),
  visitorAuth: z.looseObject({ backend: text }).optional(),
  revision: id,
  defaultLevel: Role,
  comments: count,
  changeRequests: count,
  changeRequestsOpen: count,
  changeRequestsDraft: count,
  permissions: flags(
    'view',
    'access',
    'admin',
    'viewInviteLinks',
    'edit',
    'triggerGitSync',
    'comment',
    'merge',
    'review',
  ),
});

const SiteVisibility = z.enum(['public', 'unlisted', 'share-link', 'visitor-auth']);

export const Site = kind('site', {
  id,
  type: z.enum(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium']),
  title: text.min(2).max(128),
  icon: z.looseObject({}).nullish(),
  hostname: text
    .max(512)
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/)
    .optional(),
  basename: text.min(1).max(100).optional(),
  proxy: z.looseObject({ origin: text.max(512), target: text }).optional(),
  visibility: SiteVisibility,
  published: flag,
  siteSpaces: count,
  createdAt: time,
  adaptiveContent: z.looseObject({ enabled: flag }).optional(),
  ads: z.looseObject({ status: z.enum(['pending', 'in-review', 'live', 'rejected', 'disabled']) }).optional(),
  agentsContext: z.enum(['excluded', 'included']),
  features: z.array(
    z.looseObject({ id: text, plan: text, frozen: flag, customizations: z.array(text).optional() }),
  ),
  urls: z.looseObject({ location: url, app: url, published: url.optional() }),
});

export const SiteSpace = kind('site-space', {
  id,
  path: text.min(1).max(100),
  section: id.optional(),
  space: Space,
  title: text,
  default: flag,
  condition: condition.optional(),
  hasAdvancedCustomizationFeature: flag.optional(),
  urls: z.looseObject({ published: url.optional() }),
});

export const SiteSection = kind('site-section', {
  id,
  title: text.min(2).max(128),
  description: text.max(256).optional(),
  default: flag,
  path: text.min(1).max(100),
  condition: condition.optional(),
  sectionGroup: id.optional(),
  siteSpaces: z.array(SiteSpace),
  urls: z.looseObject({ published: url.optional() }),
  icon: text.max(50).optional(),
});

export const SiteSectionGroup = kind('site-section-group', {
  id,
  title: text.min(1).max(100),
  icon: text.max(50).optional(),
  sections: z.array(SiteSection),
});

export const SiteStructure = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('sections'),
    structure: z.array(z.union([SiteSection, SiteSectionGroup])),
  }),
  z.looseObject({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
]);

export const Organization = kind('organization', {
  id,
  title: text,
  createdAt: time,
  emailDomains: z.array(text),
  hostname: text.min(3).max(32).optional(),
  type: z.enum(['business', 'community']),
  useCase: text.optional(),
  communityType: text.optional(),
  defaultRole: Role.optional(),
  defaultContent: z.looseObject({ type: z.literal('site'), site: id }).optional(),
  sso: flag.optional(),
  ai: flag.optional(),
  inviteLinks: flag,
  plan: text,
  billing: z.looseObject({}).optional(),
  urls: z.looseObject({ location: url, app: url, logo: url.optional() }),
  trial: z.looseObject({ status: z.enum(['notapplicable', 'none', 'active', 'ended', 'expired']) }),
  customHostname: text.optional(),
  blocked: z.looseObject({ reason: text }).optional(),
  internal_isOnNewTrial: z.literal(true),
  permissions: flags(
    ...['view', 'admin', 'ownTeam', 'createContent', 'createOpenAPISpec', 'ingestConversations'],
    ...['viewBilling', 'listMembers', 'listTeams', 'listIntegrations', 'listInstallations'],
  ),
});

export const Member = kind('member', {
  id,
  role: Role,
  user: User,
  disabled: flag,
  joinedAt: time,
  lastSeenAt: time.optional(),
  sso: flag,
  spaces: count,
  teams: count,
});

export const Team = kind('team', {
  id,
  title: text.min(1).max(64),
  members: count,
  spaces: count,
  createdAt: time,
  permissions: flags('admin', 'view'),
});

export const TeamMember = z.looseObject({
  organization: Member,
  team: z.looseObject({ role: TeamRole }),
  permissions: flags('view'),
});

export const SamlProvider = kind('saml-provider', {
  id,
  label: text.min(1).max(30),
  ssoURL: url.max(2048).optional(),
  entityID: text.max(1024),
  certificate: text.max(10_000),
  defaultTeam: Team.optional(),
  defaultRole: Role,
  createdAt: time,
  status: z.enum(['active', 'pending']),
  service: z.looseObject({ acsURL: url, startURL: url, entityID: text }),
  urls: z.looseObject({ location: url }),
});

export const Translation = kind('translation', {
  id,
  status: z.enum(['pending', 'running', 'completed']),
  source: z.looseObject({ space: id, language: text }),
  language: text,
  instructions: z.looseObject({
    object: z.literal('document'),
    data: z.looseObject({ schemaVersion: z.number() }),
    nodes: z.array(z.looseObject({ object: z.literal('block'), type: text })),
  }),
  result: z.looseObject({ space: id, revision: id }).optional(),
  createdAt: time,
  updatedAt: time,
  stats: z.looseObject({
    runs: count,
    totalWords: count,
    totalPages: count,
    totalDuration: z.number(),
    latestRunDuration: z.number(),
    latestPages: count,
    latestWords: count,
  }),
  permissions: flags('view', 'edit'),
  urls: z.looseObject({ location: url }),
});

export const OpenApiSpec = kind('openapi-spec', {
  id,
  createdAt: time,
  updatedAt: time,
  slug: text
    .min(1)
    .max(100)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  sourceURL: url.optional(),
  processingState: z.enum(['pending', 'progress', 'complete']),
  visibility: z.enum(['private', 'public']),
  lastVersion: id.optional(),
  lastProcessedAt: time.optional(),
  lastProcessErrorCode: z.enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR']).optional(),
  permissions: flags('view', 'edit'),
  urls: z.looseObject({ location: url, app: url, published: url.optional() }),
});

export const OpenApiSpecVersion = kind('openapi-spec-version', {
  id,
  createdAt: time,
  url,
  urls: z.looseObject({ location: url }),
});
