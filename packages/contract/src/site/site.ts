import { z } from 'zod';
import { changesOf, Id, text } from '../input/input.ts';
import { Role } from '../user/role.ts';

const permissionNames = [
  'view',
  'access',
  'edit',
  'create',
  'admin',
  'installIntegration',
  'viewAdaptiveSchema',
  'editAdaptiveSchema',
] as const;
export type SitePermission = (typeof permissionNames)[number];

export const SiteType = z
  .enum(['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'])
  .meta({ id: 'SiteType' });

/**
 * The audience of a published site: everyone, including search engines; everyone; users of a link with a
 * secret; visitors who have signed in there.
 */
const SiteVisibility = z
  .enum(['public', 'unlisted', 'share-link', 'visitor-auth'])
  .meta({ id: 'SiteVisibility' });

const SiteAgentsContext = z.enum(['excluded', 'included']).meta({ id: 'SiteAgentsContext' });
const SiteAdaptiveContent = z.object({ enabled: z.boolean() }).meta({ id: 'SiteAdaptiveContent' });

/** The features of a site. None depends on the type of the site. */
export const siteFeatures = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-advanced-insights',
  'sites-ads',
  'sites-ai-search',
  'sites-ai-assistant',
  'sites-api-playground',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-fonts',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-no-custom-domain',
  'sites-page-feedback',
  'sites-page-traffic-insights',
  'sites-pdf-export',
  'sites-preview-deployments',
  'sites-public-visibility',
  'sites-redirects',
  'sites-search-insights',
  'sites-sections',
  'sites-seo',
  'sites-share-links',
  'sites-unlisted-visibility',
  'sites-user-contribution',
  'sites-visitor-authentication',
  'sites-visitors',
] as const;

const SiteFeature = z
  .object({ id: z.enum(siteFeatures).meta({ id: 'SiteFeatureKey' }), plan: SiteType, frozen: z.boolean() })
  .meta({ id: 'SiteFeature' });

const SiteProxyVerification = z
  .object({
    status: z
      .enum(['pending', 'verified'])
      .describe('Until the host is verified, its URLs do not resolve to the site.'),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The DNS record that verifies the host.'),
    url: z
      .string()
      .describe('Instead of the DNS record: a file at this URL with the value on a line of its own.'),
  })
  .meta({ id: 'SiteProxyVerification' });

/** An image for light and one for dark backgrounds, an emoji, or neither. */
const SiteIcon = z.union([
  z.object({ icon: z.object({ light: z.string(), dark: z.string() }) }),
  z.object({ emoji: z.string() }),
  z.strictObject({}),
]);

export const Site = z
  .object({
    object: z.literal('site'),
    id: z.string(),
    type: SiteType,
    appliedType: SiteType,
    title: z.string(),
    icon: SiteIcon.optional(),
    hostname: z.string().optional().describe('The custom hostname that serves it.'),
    basename: z.string().describe('Its segment of the URL, below that of the organization.'),
    proxy: z
      .object({
        origin: z.string(),
        target: z.string(),
        verification: SiteProxyVerification.optional().describe(
          'Only with the permission `site.edit`: whether and how the host is verified.',
        ),
      })
      .optional()
      .describe('The host and path where a proxy serves it, and the URL that the proxy requests.'),
    visibility: SiteVisibility,
    published: z.boolean(),
    siteSpaces: z.int().describe('Number of site spaces.'),
    createdAt: z.iso.datetime(),
    adaptiveContent: SiteAdaptiveContent.optional(),
    agentsContext: SiteAgentsContext,
    defaultLevel: Role.nullable(),
    features: z.array(SiteFeature),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z.string().optional(),
      preview: z.string(),
    }),
    permissions: z.object(
      Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<
        SitePermission,
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: 'Site' });
export type Site = z.infer<typeof Site>;

/** Trimmed before it is stored. */
export const SiteTitle = text(2, 128)
  .refine(
    (title) => [...title.trim()].length >= 2,
    'must have 2 to 128 characters, not counting white space around them',
  )
  .meta({ id: 'SiteTitle', pattern: '\\S.*\\S' });

/**
 * One segment of a URL's path: letters and digits of any script, with dots, hyphens and underscores between
 * them. Combining marks count as part of their letters, because words of Hindi need them.
 */
export const SitePath = text(1, 100)
  .refine(
    (path) => isPath(path.normalize('NFC')),
    'must be letters and digits, with points, hyphens and underscores between them',
  )
  .meta({ pattern: '^[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}._-]*[\\p{L}\\p{M}\\p{N}])?$' });

// Normalization may lengthen a path, so the stored form is checked again.
const isPath = (path: string) => pathShape.test(path) && [...path].length <= 100;
const pathShape = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u;

/** A host with at least one path segment, without a scheme: `www.example.com/docs`. */
const SiteProxyOrigin = text(1, 512)
  .refine(
    (origin) => proxyShape.test(origin),
    'must be a host and a path without a scheme, such as www.example.com/docs',
  )
  .meta({ id: 'SiteProxyOrigin', pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$' });

const proxyShape = /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/;

export const CreateSite = z
  .strictObject({
    type: SiteType.optional(),
    title: SiteTitle.optional(),
    visibility: SiteVisibility.optional(),
    spaces: z
      .union([z.array(Id).max(100), z.enum(['sample', 'empty'])])
      .optional()
      .describe('Ids of its first spaces, or one new space with example pages or with an empty one.'),
  })
  .meta({ id: 'CreateSite' });
export type CreateSite = z.infer<typeof CreateSite>;

const updateSiteFields = {
  title: SiteTitle.optional(),
  visibility: SiteVisibility.optional(),
  basename: SitePath.optional(),
  agentsContext: SiteAgentsContext.optional(),
  adaptiveContent: z.strictObject(SiteAdaptiveContent.shape).optional(),
  defaultSiteSpace: Id.optional().describe(
    'The default site space: at the root, or in the default section when there are sections.',
  ),
  defaultSiteSection: Id.optional().describe('The default section.'),
  proxy: SiteProxyOrigin.nullable()
    .optional()
    .describe(
      'Host and path where a proxy serves the site; null for none. The host must be verified: see `proxy.verification` of the site.',
    ),
};

export const UpdateSite = changesOf(z.object(updateSiteFields).meta({ id: 'UpdateSite' }), {
  known: Object.keys(updateSiteFields),
  shown: Site,
});
export type UpdateSite = z.infer<typeof UpdateSite>;
