import { z } from 'zod';
import { ContentTitle } from './collection.ts';
import { SpaceTemplate } from './contentImport.ts';
import { Emoji } from '../document/emoji.ts';
import { changesOf, Id, JsonObject, WebUrl } from '../input/input.ts';
import { GitSync } from './git.ts';
import { ImportConflictRule } from './gitMerge.ts';
import { DefaultLevel, Role } from '../user/role.ts';

const permissionNames = [
  'view',
  'access',
  'admin',
  'viewInviteLinks',
  'edit',
  'triggerGitSync',
  'comment',
  'merge',
  'review',
  'installIntegration',
] as const;
export type SpacePermission = (typeof permissionNames)[number];

/** The languages of content. */
export const Language = z
  .enum(
    'en fr de es it pt pt-br ru ja zh zh-tw yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'.split(
      ' ',
    ) as [string, ...string[]],
  )
  .meta({ id: 'TranslationLanguage' });

export const Space = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    title: z.string(),
    emoji: z.string(),
    visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private']),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().optional(),
    editMode: z.enum(['live', 'locked']),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z.string().optional(),
      public: z.string().optional(),
      icon: z.string().optional(),
    }),
    organization: z.string(),
    parent: z.string().optional(),
    language: z.string().optional(),
    gitSync: GitSync.optional(),
    gitOnConflict: ImportConflictRule.optional().describe('Absent for the default, `branch`.'),
    gitHistory: z.boolean().optional().describe('Absent for the default, true.'),
    visitorAuth: z
      .object({ backend: z.literal('custom') })
      .optional()
      .describe('How visitors authenticate, where that is required.'),
    revision: z.string(),
    defaultLevel: Role.nullable(),
    comments: z.int(),
    changeRequests: z.int(),
    changeRequestsOpen: z.int(),
    changeRequestsDraft: z.int(),
    mergeRules: z.object({ type: z.literal('inherit') }),
    permissions: z.object(
      Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<
        SpacePermission,
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: 'Space' });
export type Space = z.infer<typeof Space>;

export const CreateSpace = z
  .strictObject({
    title: ContentTitle.optional(),
    emoji: Emoji.optional(),
    parent: Id.optional().describe('Id of a parent collection.'),
    language: Language.optional(),
    editMode: z.enum(['live', 'locked']).optional(),
    template: SpaceTemplate.optional().describe('Creates the space with the pages of this template.'),
    computedSource: JsonObject.optional(),
    empty: z.boolean().optional().describe('Creates the space without a page.'),
  })
  .meta({ id: 'CreateSpace' });
export type CreateSpace = z.infer<typeof CreateSpace>;

const updateSpaceFields = {
  editMode: z.enum(['live', 'locked']).optional(),
  title: ContentTitle.optional(),
  defaultLevel: DefaultLevel.optional(),
  language: Language.optional(),
  emoji: Emoji.nullable().optional().describe('Replaces an icon; null restores the default emoji.'),
  icon: WebUrl.nullable().optional().describe('URL of an image, which replaces an emoji; null removes it.'),
  gitOnConflict: ImportConflictRule.nullable()
    .optional()
    .describe(
      'The version that git imports take where the branch and the space both changed the same lines; null restores the default, `branch`.',
    ),
  gitHistory: z
    .boolean()
    .nullable()
    .optional()
    .describe('Whether git syncs read who changed the pages; null restores the default, true.'),
};

export const UpdateSpace = changesOf(
  z
    .object(updateSpaceFields)
    .refine(({ emoji, icon }) => !emoji || !icon, {
      path: ['icon'],
      message: 'cannot be set together with `emoji`: a space has one of the two',
    })
    .meta({ id: 'UpdateSpace' }),
  { known: Object.keys(updateSpaceFields), shown: Space },
);
export type UpdateSpace = z.infer<typeof UpdateSpace>;
