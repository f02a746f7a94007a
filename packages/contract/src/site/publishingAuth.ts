import { z } from 'zod';
import { Id, text, WebUrl } from '../input/input.ts';

const backend = z.enum(['custom', 'integration']);

export const SitePublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend,
    privateKey: z
      .string()
      .describe('The key of the HS256 signature of visitor tokens: the characters themselves, not what they may encode.'),
    fallbackURL: z.string().optional().describe('Where a visitor goes who has not signed in.'),
    logoutURL: z.string().optional(),
  })
  .meta({ id: 'SitePublishingAuth' });
export type SitePublishingAuth = z.infer<typeof SitePublishingAuth>;

export const UpdateSitePublishingAuth = z
  .strictObject({ backend: backend.optional(), fallbackURL: WebUrl.nullable().optional(), logoutURL: WebUrl.nullable().optional() })
  .meta({ id: 'SitePublishingAuthUpdate' });

export const SitePreviewQuery = z.object({
  siteSpace: Id.optional().describe('Id of the site space to look at; without it, the default.'),
  claims: text(1, 4096).optional().describe('What is known of the visitor, as JSON or in Rison.'),
});

export const SitePreview = z.object({ url: z.string().describe('Good for one hour.') }).meta({ id: 'SitePreview' });
