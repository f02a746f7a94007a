import { z } from 'zod';
import { Id, JsonObject, text } from './input.ts';
import { GitSync } from './git.ts';
import { Role } from './role.ts';

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

/** Languages that content can be written in. */
const Language = z
  .enum(
    'en fr de es it pt pt-br ru ja zh zh-tw yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'.split(
      ' ',
    ) as [string, ...string[]],
  )
  .meta({ id: 'TranslationLanguage' });

/** An emoji as its characters or as hexadecimal code points joined by hyphens; it is kept as it was given. */
const Emoji = text(1, 50)
  .refine(
    (value) => /^\p{RGI_Emoji}$/v.test(qualified(emojiOf(value))),
    'must be one emoji, as its characters or as hexadecimal code points joined by hyphens',
  )
  .meta({ id: 'Emoji' });

function emojiOf(value: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,15}$/i.test(value)) return value;
  const points = value.split('-').map((hex) => Number.parseInt(hex, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : value;
}

/** The form in which Unicode lists an emoji: U+FE0F behind each character that would be drawn as text without it. Many programs leave it out. */
function qualified(emoji: string): string {
  return emoji.replaceAll('\uFE0F', '').replaceAll(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\uFE0F');
}

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
    revision: z.string(),
    defaultLevel: Role.nullable(),
    comments: z.int(),
    changeRequests: z.int(),
    changeRequestsOpen: z.int(),
    changeRequestsDraft: z.int(),
    mergeRules: z.object({ type: z.literal('inherit') }),
    permissions: z.object(Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<SpacePermission, z.ZodBoolean>),
  })
  .meta({ id: 'Space' });
export type Space = z.infer<typeof Space>;

export const CreateSpace = z
  .object({
    title: text(0, 50).optional(),
    emoji: Emoji.optional(),
    parent: Id.optional().describe('Id of a parent collection.'),
    language: Language.optional(),
    editMode: z.enum(['live', 'locked']).optional(),
    template: z.object({ id: text(1, 100), params: JsonObject.optional() }).optional(),
    computedSource: JsonObject.optional(),
    empty: z.boolean().optional().describe('Without a first page.'),
  })
  .meta({ id: 'CreateSpace' });
export type CreateSpace = z.infer<typeof CreateSpace>;
