import { z } from 'zod';
import { Id, text } from '../input/input.ts';
import { SitePath, SiteTitle } from './site.ts';
import { Space } from '../space/space.ts';

/** An expression over the visitor's claims; visitors for whom it is false do not see the object. */
export const Condition = text(1, 1024).meta({ id: 'Expression' });

/** The name of an icon. */
const Icon = text(1, 50).meta({ id: 'Icon' });

const shownAt = z.object({ published: z.string().optional() });

export const SiteSpace = z
  .object({
    object: z.literal('site-space'),
    id: z.string(),
    path: z.string(),
    section: z.string().optional(),
    space: Space,
    title: z.string().describe('The title of the space.'),
    default: z.boolean().describe('The default site space of the site, or of its section.'),
    condition: z.string().optional(),
    draft: z.literal(false),
    hasAdvancedCustomizationFeature: z.literal(true),
    urls: shownAt,
  })
  .meta({ id: 'SiteSpace' });
export type SiteSpace = z.infer<typeof SiteSpace>;

export const SiteSection = z
  .object({
    object: z.literal('site-section'),
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    default: z.boolean(),
    draft: z.literal(false),
    path: z.string(),
    condition: z.string().optional(),
    sectionGroup: z.string().optional().describe('Its group.'),
    siteSpaces: z.array(SiteSpace),
    urls: shownAt,
  })
  .meta({ id: 'SiteSection' });
export type SiteSection = z.infer<typeof SiteSection>;

export const SiteSectionGroup = z
  .object({
    object: z.literal('site-section-group'),
    id: z.string(),
    title: z.string(),
    icon: z.string().optional(),
    draft: z.literal(false),
    sections: z.array(SiteSection),
    children: z.array(SiteSection).describe('The same as `sections`.'),
  })
  .meta({ id: 'SiteSectionGroup' });
export type SiteSectionGroup = z.infer<typeof SiteSectionGroup>;

const SiteRootItem = z.discriminatedUnion('object', [SiteSection, SiteSectionGroup]);

/**
 * The content of a site in order: sections and section groups once it has a section, otherwise site spaces.
 */
export const SiteStructure = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('sections'), structure: z.array(SiteRootItem) }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: 'SiteStructure' });
export type SiteStructure = z.infer<typeof SiteStructure>;

export const SiteStructureItem = z
  .discriminatedUnion('object', [SiteSpace, SiteSection, SiteSectionGroup])
  .meta({ id: 'SiteStructureItem' });
export type SiteStructureItem = z.infer<typeof SiteStructureItem>;

/** A position `before` one entry, `after` another, or between the two. */
function positionOf<P extends z.ZodType>(pointer: P) {
  return z
    .object({ before: pointer.optional(), after: pointer.optional() })
    .refine(
      ({ before, after }) => before !== undefined || after !== undefined,
      'must name what it goes `before`, what `after`, or both',
    );
}

const SiteSpacePointer = z
  .object({ type: z.literal('site-space'), siteSpace: Id })
  .meta({ id: 'SiteSpacePointer' });
const SiteSectionPointer = z
  .object({ type: z.literal('site-section'), siteSection: Id })
  .meta({ id: 'SiteSectionPointer' });
const SiteSectionGroupPointer = z
  .object({ type: z.enum(['site-section', 'site-section-group']), id: Id })
  .meta({ id: 'SiteSectionGroupPointer' });
const SiteStructureItemPointer = z
  .object({ type: z.enum(['site-space', 'site-section', 'site-section-group']), id: Id })
  .meta({ id: 'SiteStructureItemPointer' });
export type SiteStructureItemPointer = z.infer<typeof SiteStructureItemPointer>;

export const MoveSiteSpace = z
  .object({ position: positionOf(SiteSpacePointer).optional() })
  .meta({ id: 'MoveSiteSpace' });
export const MoveSiteSection = z
  .object({ position: positionOf(SiteSectionPointer).optional() })
  .meta({ id: 'MoveSiteSection' });
export const MoveSiteSectionGroup = z
  .object({ position: positionOf(SiteSectionGroupPointer).optional() })
  .meta({ id: 'MoveSiteSectionGroup' });
export const SortSiteStructure = z
  .object({ item: SiteStructureItemPointer, position: positionOf(SiteStructureItemPointer) })
  .meta({ id: 'SortSiteStructure' });

export const AddSpaceToSite = z
  .object({
    spaceId: Id,
    sectionId: Id.optional().describe(
      'By default the default section, or the root of a site without sections.',
    ),
  })
  .meta({ id: 'AddSpaceToSite' });
export type AddSpaceToSite = z.infer<typeof AddSpaceToSite>;

export const UpdateSiteSpace = z
  .object({
    path: SitePath.optional(),
    condition: Condition.nullable().optional(),
    spaceId: Id.optional().describe('Replaces its space by another one.'),
  })
  .meta({ id: 'UpdateSiteSpace' });
export type UpdateSiteSpace = z.infer<typeof UpdateSiteSpace>;

export const AddSectionToSite = z
  .object({
    spaceId: Id,
    title: SiteTitle.nullable().optional().describe('By default the title of the space.'),
    icon: Icon.nullable().optional(),
  })
  .meta({ id: 'AddSectionToSite' });
export type AddSectionToSite = z.infer<typeof AddSectionToSite>;

export const UpdateSiteSection = z
  .object({
    title: SiteTitle.optional(),
    path: SitePath.optional(),
    defaultSiteSpace: Id.optional(),
    condition: Condition.nullable().optional(),
    icon: Icon.nullable().optional(),
    description: text(0, 256).nullable().optional(),
  })
  .meta({ id: 'UpdateSiteSection' });
export type UpdateSiteSection = z.infer<typeof UpdateSiteSection>;

/** Trimmed before it is stored. */
const GroupTitle = text(1, 100)
  .refine(
    (title) => title.trim() !== '',
    'must have 1 to 100 characters, not counting white space around them',
  )
  .meta({ id: 'SiteSectionGroupTitle', pattern: '\\S' });

export const AddSectionGroupToSite = z
  .object({
    title: GroupTitle,
    icon: Icon.nullable().optional(),
    sections: z.array(Id).max(1000).optional().describe('Ids of its first sections, in this order.'),
  })
  .meta({ id: 'AddSectionGroupToSite' });
export type AddSectionGroupToSite = z.infer<typeof AddSectionGroupToSite>;

export const UpdateSiteSectionGroup = z
  .object({ title: GroupTitle.optional(), icon: Icon.nullable().optional() })
  .meta({ id: 'UpdateSiteSectionGroup' });
export type UpdateSiteSectionGroup = z.infer<typeof UpdateSiteSectionGroup>;

export const AddSectionToGroup = z.object({ sectionId: Id }).meta({ id: 'AddSectionToGroup' });
