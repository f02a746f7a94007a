import { z } from 'zod';
import { isSafeTarget } from './linkTarget.ts';

/**
 * The schema of `data` for each type of block or inline, one line for each schema of the published document.
 * A type whose fields are all optional may omit `data`.
 */

const word = z.string();
const maybe = z.string().optional();
const flag = z.boolean().optional();
const icon = z.string().regex(/^[\w-]{1,50}$/);
const align = z.enum(['start', 'center', 'end']).optional();
const vertical = z.enum(['top', 'middle', 'bottom']).optional();
const length = z.union([z.number(), z.object({ unit: word, value: z.number() })]).optional();
const nothing = z.strictObject({});
const refusal = 'must be a path, an anchor, or a URL that begins with http:, https:, mailto: or tel:';
const linkUrl = word.refine((url) => isSafeTarget(url), refusal);
const pictureUrl = word.refine((url) => isSafeTarget(url, 'picture'), refusal);

const ref = {
  file: z.object({ kind: z.literal('file'), file: word, space: maybe }),
  url: z.object({ kind: z.literal('url'), url: linkUrl }),
  picture: z.object({ kind: z.literal('url'), url: pictureUrl }),
  reusableContent: z.object({ kind: z.literal('reusable-content'), reusableContent: word, space: maybe }),
  tag: z.object({ kind: z.literal('tag'), tag: word, space: maybe }),
  openapi: z.object({ kind: z.literal('openapi'), spec: word }),
};
const anyRef = z.discriminatedUnion('kind', [
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
const picture = z.discriminatedUnion('kind', [ref.file, ref.picture]);

const textColor = z.enum(
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
const table = z.object({
  view,
  records: z.record(word, z.object({ orderIndex: word, values: z.record(word, cell) })),
  definition: z.record(word, column),
  cellMerges: z
    .array(z.object({ anchor: z.object({ record: word, column: word }), rowSpan: span, colSpan: span }))
    .optional(),
  fullWidth: flag,
  search: flag,
});

const heading = z.object({
  id: z
    .string()
    .regex(/^[-a-z0-9.+_]+$/)
    .optional(),
  align,
});

export const blockData = {
  paragraph: z.strictObject({ align }).optional(),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': z.object({ start: z.number().optional() }),
  'list-unordered': nothing.optional(),
  'list-tasks': nothing.optional(),
  'list-item': z.object({ checked: flag }).optional(),
  divider: nothing,
  blockquote: nothing.optional(),
  hint: z.object({ style: z.enum(['info', 'warning', 'danger', 'success']), icon: icon.optional() }),
  prompt: z.strictObject({
    description: word,
    icon: icon.optional(),
    openInAIProviders: flag,
    defaultExpanded: z.enum(['hidden', 'partial', 'full']).optional(),
  }),
  images: z.object({
    align: z.enum(['center', 'left', 'right']).optional(),
    fullWidth: flag,
    withFrame: flag,
  }),
  image: z.object({ ref: picture, refDark: picture.optional(), width: length, height: length, alt: maybe }),
  file: z.object({ ref: ref.file }),
  drawing: z.object({ ref: ref.file.optional() }),
  embed: z.object({ url: linkUrl, fullWidth: flag }),
  code: z.object({
    syntax: maybe,
    title: maybe,
    overflow: z.enum(['scroll', 'wrap']).optional(),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag,
    collapsedLineCount: z.int().min(1).optional(),
  }),
  'code-line': z.object({ highlighted: flag }),
  math: z.object({ formula: word }),
  expandable: z.strictObject({ defaultExpanded: flag }),
  tabs: z.strictObject({ fullWidth: flag }).optional(),
  'tabs-item': z.object({ title: maybe, icon: icon.optional(), slug: maybe }),
  table,
  swagger: z.object({ ref: picture, path: word, method: word, expanded: flag, fullWidth: flag }),
  'openapi-operation': z.object({ ref: ref.openapi, path: word, method: word, headless: flag }),
  'openapi-schemas': z.object({ ref: ref.openapi, schemas: z.array(word), grouped: flag, title: maybe }),
  'openapi-webhook': z.object({ ref: ref.openapi, name: word, method: word, headless: flag }),
  'content-ref': z.object({ ref: anyRef }),
  integration: z.object({
    integration: word,
    block: word,
    props: z.record(word, z.unknown()),
    action: z.looseObject({ action: word, url: linkUrl.optional() }).optional(),
    url: linkUrl.optional(),
    fullWidth: flag,
  }),
  'reusable-content': z.object({ ref: ref.reusableContent }),
  stepper: nothing.optional(),
  'stepper-step': z.object({ icon: maybe }),
  if: z.object({ expression: word }),
  columns: z.object({ fullWidth: flag }),
  column: z.strictObject({ width: length, verticalAlignment: vertical }),
  updates: z.strictObject({ format: z.enum(['numeric', 'full', 'short']) }),
  update: z.object({ date: z.iso.datetime({ offset: true }), tags: z.array(ref.tag).optional() }),
};
export type BlockType = keyof typeof blockData;

export const inlineData = {
  link: z.object({ ref: anyRef }),
  emoji: z.object({ code: word }),
  icon: z.object({ icon: word, color: textColor.optional() }),
  expression: z.object({ expression: word }),
  'inline-math': z.object({ formula: word }),
  'inline-image': z.object({
    ref: picture,
    refDark: picture.optional(),
    caption: maybe,
    alt: maybe,
    size: z.enum(['original', 'line']).optional(),
  }),
  annotation: nothing.optional(),
  mention: z.object({ ref: anyRef }),
  button: z.intersection(
    z.object({
      label: word,
      kind: z.enum(['primary', 'secondary']),
      size: z.enum(['small', 'medium', 'large']).optional(),
      icon: icon.optional(),
    }),
    z.union([
      z.object({ ref: anyRef }),
      z.object({ action: z.looseObject({ action: z.enum(['search', 'ask', 'select']) }) }),
    ]),
  ),
};
export type InlineType = keyof typeof inlineData;

export const markData = {
  bold: nothing.optional(),
  italic: nothing.optional(),
  code: nothing.optional(),
  keyboard: nothing.optional(),
  strikethrough: nothing.optional(),
  superscript: nothing.optional(),
  subscript: nothing.optional(),
  color: z.object({ text: textColor, background: textColor }),
};
export type MarkType = keyof typeof markData;
