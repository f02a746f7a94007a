import { z } from 'zod';
import { JsonObject, text } from '../input/input.ts';
import { Site } from './site.ts';
import { SiteCustomizationSettings } from './siteCustomization.ts';
import { SiteStructure } from './siteStructure.ts';

/**
 * A published site's request for the content at a URL and for a given visitor. Unknown fields are ignored.
 */
export const ResolvePublishedContent = z
  .object({
    url: text(1, 2048).describe('The requested URL, or a prefix of it.'),
    redirectOnError: z
      .boolean()
      .optional()
      .describe('Whether an invalid visitor token also leads to the fallback URL.'),
    visitor: z
      .object({
        type: z.enum(['human', 'agent']).optional(),
        jwtToken: text(1, 8192).optional().describe('Signed with the visitor key of the site.'),
        unsignedClaims: JsonObject.optional(),
      })
      .optional(),
  })
  .meta({ id: 'ResolvePublishedContent' });
export type ResolvePublishedContent = z.infer<typeof ResolvePublishedContent>;

/**
 * The content at a URL. Paths are those of the URL as given, without a trailing slash.
 *
 * `apiToken` reads this content for up to an hour; `complete` says that a longer URL would not lead to
 * another part of the site.
 */
const PublishedSiteContent = z
  .object({
    organization: z.string(),
    site: z.string(),
    siteSection: z.string().optional(),
    siteSpace: z.string(),
    space: z.string(),
    pathname: z.string().describe('The remaining path, which names the page.'),
    basePath: z.string().describe('The part of the path that names the site space.'),
    siteBasePath: z.string().describe('The part of the path that names the site.'),
    apiToken: z.string(),
    shareKey: z.string().optional(),
    complete: z.boolean(),
    canonicalUrl: z.string(),
    contextId: z.string().optional().describe('Changes with the claims of the visitor.'),
    preview: z.boolean().optional(),
  })
  .meta({ id: 'PublishedSiteContent' });

const PublishedContentRedirect = z
  .union([
    z.object({ target: z.enum(['content', 'application']), redirect: z.string() }),
    z.object({ target: z.literal('external'), site: z.string(), redirect: z.string() }),
  ])
  .meta({ id: 'PublishedContentRedirect' });

export const PublishedContent = z
  .union([PublishedContentRedirect, PublishedSiteContent])
  .meta({ id: 'PublishedSiteContentLookup' });
export type PublishedContent = z.infer<typeof PublishedContent>;

/**
 * Everything that the reader of a published site loads first: the site, its parts and their customization. No
 * third-party scripts run in it.
 */
export const PublishedContentSite = z
  .object({
    object: z.literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({
      site: SiteCustomizationSettings,
      siteSpaces: z.record(z.string(), SiteCustomizationSettings).describe('By the id of the site space.'),
    }),
    scripts: z.array(z.never()),
  })
  .meta({ id: 'PublishedContentSite' });
export type PublishedContentSite = z.infer<typeof PublishedContentSite>;
