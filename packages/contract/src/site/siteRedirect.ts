import { z } from 'zod';
import { fromWord, Id, text, WebUrl } from '../input/input.ts';

// Path segments as a URL writes them, with an optional `*` at the end for any continuation.
const sourceShape =
  /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/\*|\*)?$/;

const SiteRedirectSourcePath = text(1, 512)
  .regex(sourceShape, 'must be a path such as /old/page, percent-encoded, with `*` only at its end')
  .meta({ id: 'SiteRedirectSourcePath' });

const destinations = [
  z.object({ kind: z.literal('site-page'), siteSpaceId: Id, pageId: Id }),
  z.object({ kind: z.literal('site-section'), siteSectionId: Id }),
  z.object({ kind: z.literal('site-space'), siteSpaceId: Id }),
  z.object({ kind: z.literal('external'), url: WebUrl }),
] as const;
const Destination = z.discriminatedUnion('kind', destinations);
export type SiteRedirectDestination = z.output<typeof Destination>;

const DestinationInput = z.discriminatedUnion('kind', [
  ...destinations,
  z
    .object({ kind: z.literal('path'), spaceId: Id, path: text(0, 2048) })
    .describe('The page that is currently at this path of the space.'),
]);
export type SiteRedirectDestinationInput = z.output<typeof DestinationInput>;

export const SiteRedirect = z
  .object({
    object: z.literal('site-redirect'),
    id: z.string(),
    source: z.string(),
    draft: z.boolean().describe('Drafts are not followed until they are published.'),
    captureWildcard: z.boolean().describe('The text that `*` matched is appended to the destination.'),
    permanent: z.boolean(),
    destination: Destination,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'SiteRedirect' });
export type SiteRedirect = z.infer<typeof SiteRedirect>;

const flag = z.boolean().optional();

export const CreateSiteRedirect = z
  .object({
    source: SiteRedirectSourcePath,
    destination: DestinationInput,
    captureWildcard: z.boolean().default(false),
    draft: z.boolean().default(false),
    permanent: z.boolean().default(false),
  })
  .meta({ id: 'CreateSiteRedirect' });
export type CreateSiteRedirect = z.output<typeof CreateSiteRedirect>;

export const UpdateSiteRedirect = z
  .object({
    source: SiteRedirectSourcePath.optional(),
    destination: DestinationInput.optional(),
    captureWildcard: flag,
    draft: flag,
    permanent: flag,
  })
  .meta({ id: 'UpdateSiteRedirect' });
export type UpdateSiteRedirect = z.output<typeof UpdateSiteRedirect>;

const PublishRedirect = z.object({ source: SiteRedirectSourcePath, intent: z.literal('publish') });
const UpsertRedirect = z.object({
  source: SiteRedirectSourcePath,
  intent: z.enum(['live', 'draft']).default('live'),
  captureWildcard: z.boolean().default(false),
  permanent: flag,
  destination: DestinationInput.nullable().describe('null removes the redirect.'),
});

export const BulkUpsertSiteRedirects = z
  .object({
    redirects: z
      .array(z.union([PublishRedirect, UpsertRedirect]))
      .min(1)
      .max(500),
  })
  .meta({ id: 'BulkUpsertSiteRedirects' });
export type BulkSiteRedirect = z.output<typeof BulkUpsertSiteRedirects>['redirects'][number];

const done = { source: z.string(), draft: z.boolean(), id: z.string() };
const SiteRedirectResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('created'), ...done }),
  z.object({ status: z.literal('updated'), ...done }),
  z.object({ status: z.literal('published'), ...done }),
  z.object({ status: z.literal('deleted'), source: z.string(), draft: z.boolean() }),
  z.object({ status: z.literal('error'), source: z.string(), draft: z.boolean(), error: z.string() }),
]);
export type SiteRedirectResult = z.infer<typeof SiteRedirectResult>;
export const SiteRedirectResults = z
  .object({ results: z.array(SiteRedirectResult) })
  .meta({ id: 'SiteRedirectResults' });

export const SiteRedirectListQuery = z.object({
  search: text(0, 512).optional().describe('Only redirects whose source contains this text.'),
  draft: fromWord(z.boolean().default(false)).describe('true lists drafts, false lists live redirects.'),
  orderBy: z
    .enum(['createdAt', 'updatedAt', 'source'])
    .default('createdAt')
    .describe('Times descending, sources ascending.'),
});

export const SiteRedirectLookup = z
  .object({ redirect: SiteRedirect, target: z.string().describe('The URL that it leads to.') })
  .meta({ id: 'SiteRedirectLookup' });
export type SiteRedirectLookup = z.infer<typeof SiteRedirectLookup>;
