import { z } from 'zod';
import { isSafeTarget } from './linkTarget.ts';

/** The schemas that make up the `data` of several types of blocks and inlines, or a large one. */

export const word = z.string();
export const maybe = z.string().optional();
export const flag = z.boolean().optional();
export const icon = z.string().regex(/^[\w-]{1,50}$/);
export const align = z.enum(['start', 'center', 'end']).optional();
export const vertical = z.enum(['top', 'middle', 'bottom']).optional();
export const length = z.union([z.number(), z.object({ unit: word, value: z.number() })]).optional();
export const nothing = z.strictObject({});
const refusal = 'must be a path, an anchor, or a URL that begins with http:, https:, mailto: or tel:';
export const linkUrl = word.refine((url) => isSafeTarget(url), refusal);
const pictureUrl = word.refine((url) => isSafeTarget(url, 'picture'), refusal);

export const ref = {
  file: z.object({ kind: z.literal('file'), file: word, space: maybe }),
  url: z.object({ kind: z.literal('url'), url: linkUrl }),
  picture: z.object({ kind: z.literal('url'), url: pictureUrl }),
  reusableContent: z.object({ kind: z.literal('reusable-content'), reusableContent: word, space: maybe }),
  tag: z.object({ kind: z.literal('tag'), tag: word, space: maybe }),
  openapi: z.object({ kind: z.literal('openapi'), spec: word }),
};
export const anyRef = z.discriminatedUnion('kind', [
  ref.file,
  ref.url,
  z.object({ kind: z.literal('page'), page: word, space: maybe }),
  z.object({ kind: z.literal('anchor'), anchor: word, page: maybe, space: maybe }),
  z.object({ kind: z.literal('user'), user: word }),
  z.object({ kind: z.literal('collection'), collection: word }),
  z.object({ kind: z.literal('space'), space: word }),
  ref.reusableContent,
  ref.tag,
  ref.openapi,
]);
export const picture = z.discriminatedUnion('kind', [ref.file, ref.picture]);

export const textColor = z.enum(
  'default green blue red orange yellow purple pink violet cyan $primary $info $success $warning $danger $tint'.split(
    ' ',
  ) as [string],
);

const cell = z.union([
  z.number(),
  z.string().nullable(),
  z.boolean(),
  z.array(word),
  anyRef,
  ref.picture,
  z.object({ ref: picture, objectFit: z.enum(['contain', 'fill', 'cover']).optional(), alt: maybe }),
]);
const column = z.intersection(
  z.object({ id: word, title: word }),
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      textAlignment: z.enum(['center', 'right', 'left']),
      verticalAlignment: vertical,
    }),
    z.object({ type: z.enum(['number', 'checkbox', 'files', 'content-ref', 'image']) }),
    z.object({ type: z.literal('users'), multiple: z.boolean() }),
    z.object({ type: z.literal('rating'), max: z.number() }),
    z.object({
      type: z.literal('select'),
      multiple: z.boolean(),
      options: z.array(z.object({ value: word, label: word, color: word })),
    }),
  ]),
);
const view = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('grid'),
    columns: z.array(word),
    columnWidths: z.record(word, z.number()).optional(),
    hideHeader: z.boolean(),
    stickyHeader: flag,
    stickyFirstColumn: flag,
    useNewSizing: flag,
  }),
  z.object({
    type: z.literal('cards'),
    cardSize: z.enum(['medium', 'large']),
    columns: z.array(word),
    targetDefinition: maybe,
    coverDefinition: maybe,
    coverDefinitionDark: maybe,
    hideColumnTitle: flag,
    wrap: flag,
  }),
]);
const span = z.int().min(1).max(50);
export const table = z.object({
  view,
  records: z.record(word, z.object({ orderIndex: word, values: z.record(word, cell) })),
  definition: z.record(word, column),
  cellMerges: z
    .array(z.object({ anchor: z.object({ record: word, column: word }), rowSpan: span, colSpan: span }))
    .optional(),
  fullWidth: flag,
  search: flag,
});

export const heading = z.object({
  id: z
    .string()
    .regex(/^[-a-z0-9.+_]+$/)
    .optional(),
  align,
});
