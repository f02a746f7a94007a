import { z } from 'zod';
import { changesOf, Id, text } from '../input/input.ts';
import { DefaultLevel, Role } from '../user/role.ts';

const permissionNames = ['view', 'admin', 'viewInviteLinks', 'create'] as const;
export type CollectionPermission = (typeof permissionNames)[number];

export const Collection = z
  .object({
    object: z.literal('collection'),
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    organization: z.string(),
    parent: z.string().optional(),
    defaultLevel: Role.nullable(),
    urls: z.object({ location: z.string(), app: z.string() }),
    permissions: z.object(
      Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<
        CollectionPermission,
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: 'Collection' });
export type Collection = z.infer<typeof Collection>;

const maxTitleLength = 50;

/** The title of a space or a collection in a request; `storedTitle` converts it for storage. */
export const ContentTitle = text(0, maxTitleLength).describe('Trimmed; "Untitled" by default.');

/**
 * Converts a given or composed title for storage: trimmed, cut to the maximum length, "Untitled" when empty.
 */
export function storedTitle(given: string): string {
  return [...given.trim()].slice(0, maxTitleLength).join('').trimEnd() || 'Untitled';
}

export const CreateCollection = z
  .strictObject({
    title: ContentTitle.optional(),
    parent: Id.optional().describe('Id of a parent collection.'),
  })
  .meta({ id: 'CreateCollection' });
export type CreateCollection = z.infer<typeof CreateCollection>;

const updateCollectionFields = {
  title: ContentTitle.optional(),
  description: text(0, 100).optional().describe('Empty removes it.'),
  defaultLevel: DefaultLevel.optional(),
};

export const UpdateCollection = changesOf(z.object(updateCollectionFields).meta({ id: 'UpdateCollection' }), {
  known: Object.keys(updateCollectionFields),
  shown: Collection,
});
export type UpdateCollection = z.infer<typeof UpdateCollection>;

const SpacePointer = z.strictObject({ type: z.literal('space'), space: Id }).meta({ id: 'SpacePointer' });
const CollectionPointer = z
  .strictObject({ type: z.literal('collection'), collection: Id })
  .meta({ id: 'CollectionPointer' });
const ContentPointer = z.discriminatedUnion('type', [SpacePointer, CollectionPointer]);
export type ContentPointer = z.infer<typeof ContentPointer>;

/** The target position of a space or a collection; collections and spaces share one order. */
const ContentPosition = z
  .strictObject({
    before: ContentPointer.optional().describe('The sibling that directly follows.'),
    after: ContentPointer.optional().describe('The sibling that directly precedes.'),
  })
  .meta({ id: 'ContentPosition' });

export const MoveContent = z
  .strictObject({
    parent: Id.nullable()
      .optional()
      .describe(
        'Id of the new parent collection; null is the root of the organization. Unchanged by default.',
      ),
    position: ContentPosition.optional().describe('Position among its new siblings, by default the last.'),
  })
  .meta({ id: 'MoveContent' });
export type MoveContent = z.infer<typeof MoveContent>;

export const TransferContent = z
  .strictObject({ organization: Id.describe('Id of the target organization.') })
  .meta({ id: 'TransferContent' });
