import { z } from 'zod';
import { Id, text, WebUrl } from '../input/input.ts';

const backend = z.enum(['custom', 'integration']);

export const SitePublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend,
    privateKey: z.string().describe('The HS256 key of visitor tokens, used as plain text without decoding.'),
    fallbackURL: z.string().optional().describe('Where visitors sign in.'),
    logoutURL: z.string().optional(),
  })
  .meta({ id: 'SitePublishingAuth' });
export type SitePublishingAuth = z.infer<typeof SitePublishingAuth>;

export const UpdateSitePublishingAuth = z
  .strictObject({
    backend: backend.optional(),
    fallbackURL: WebUrl.nullable().optional(),
    logoutURL: WebUrl.nullable().optional(),
  })
  .meta({ id: 'SitePublishingAuthUpdate' });

export const SitePreviewQuery = z.object({
  siteSpace: Id.optional().describe('Id of the site space to show; by default the default site space.'),
  claims: text(1, 4096).optional().describe('Claims of the visitor, as JSON or Rison.'),
  changeRequest: Id.optional().describe(
    'Id of a change request whose content is shown in place of that of its space.',
  ),
});

export const SitePreview = z
  .object({ url: z.string().describe('Valid for one hour.') })
  .meta({ id: 'SitePreview' });
