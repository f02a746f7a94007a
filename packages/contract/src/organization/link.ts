import { z } from 'zod';
import { ChangeRequest } from '../space/changeRequest.ts';
import { Collection } from '../space/collection.ts';
import { File, Page, ReusableContent, Revision } from '../space/content.ts';
import { OpenAPISpec } from './openapi.ts';
import { Organization } from './organization.ts';
import { Space } from '../space/space.ts';
import { User } from '../user/user.ts';

/** The state of the content that a location belongs to; absent for the main content of its space. */
const VersionContext = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('revision'), revision: Revision })
    .meta({ id: 'ContentLocationRevisionContext' }),
  z
    .object({ type: z.literal('changeRequest'), changeRequest: ChangeRequest })
    .meta({ id: 'ContentLocationChangeRequestContext' }),
]);
export type VersionContext = z.infer<typeof VersionContext>;

const InternalLocation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('anchor'), anchor: z.string() }).meta({ id: 'ContentLocationPageAnchor' }),
  z
    .object({ type: z.literal('node'), node: z.string().describe('Key of a node of the document.') })
    .meta({ id: 'ContentLocationPageNode' }),
]);

const inSpace = { organization: Organization, space: Space, versionContext: VersionContext.optional() };

/** The target or the source of a link, with its objects. A page is shown without its subpages. */
export const ContentLocation = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }).meta({ id: 'ContentLocationURL' }),
    z.object({ kind: z.literal('file'), ...inSpace, file: File }).meta({ id: 'ContentLocationFile' }),
    z
      .object({
        kind: z.literal('page'),
        ...inSpace,
        page: Page,
        internalLocation: InternalLocation.optional(),
      })
      .meta({ id: 'ContentLocationPage' }),
    z
      .object({ kind: z.literal('reusable-content'), ...inSpace, reusableContent: ReusableContent })
      .meta({ id: 'ContentLocationReusableContent' }),
    z
      .object({ kind: z.literal('space'), organization: Organization, space: Space })
      .meta({ id: 'ContentLocationSpace' }),
    z
      .object({ kind: z.literal('collection'), organization: Organization, collection: Collection })
      .meta({ id: 'ContentLocationCollection' }),
    z.object({ kind: z.literal('user'), user: User }).meta({ id: 'ContentLocationUser' }),
    z
      .object({ kind: z.literal('openapi'), organization: Organization, openAPISpec: OpenAPISpec })
      .meta({ id: 'ContentLocationOpenAPI' }),
  ])
  .meta({ id: 'ContentLocation' });
export type ContentLocation = z.infer<typeof ContentLocation>;

export const LinkStatus = z.enum(['ok', 'broken', 'in-app']).meta({ id: 'ContentReferenceStatus' });
export type LinkStatus = z.infer<typeof LinkStatus>;

/** One target with all its occurrences. A missing target has the URL as written. */
export const Link = z
  .object({
    status: LinkStatus.describe(
      '`broken`: the target does not exist. `in-app`: a URL of the application that names no content.',
    ),
    relation: z
      .enum(['reference', 'dependsOn'])
      .describe('`dependsOn`: the content shows or includes the target, and is incomplete without it.')
      .meta({ id: 'ContentReferenceRelation' }),
    targetReference: ContentLocation,
    locationReferences: z.array(ContentLocation).min(1),
  })
  .meta({ id: 'ContentReferenceUsage' });
export type Link = z.infer<typeof Link>;

export const LinkStats = z
  .object({
    total: z.int().describe('Number of targets over all pages of the list, with any status.'),
    broken: z.object({
      total: z.int(),
      changeRequest: z
        .int()
        .optional()
        .describe('Links that are broken in the change request but not in the main content.'),
    }),
  })
  .meta({ id: 'ContentReferencesStats' });
export type LinkStats = z.infer<typeof LinkStats>;

export const LinkQuery = z.object({ status: LinkStatus.optional().describe('Only links with this status.') });
