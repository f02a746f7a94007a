import { z } from 'zod';
import {
  align,
  anyRef,
  flag,
  heading,
  icon,
  length,
  linkUrl,
  maybe,
  nothing,
  picture,
  ref,
  table,
  textColor,
  vertical,
  word,
} from './documentData.ts';
import type { BlockType, InlineType } from './documentStructure.ts';

/** The schema of `data` for each type of block. A type whose fields are all optional may omit it. */
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
  table: table,
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
} satisfies Record<BlockType, z.ZodType>;

/** The same for each type of inline. */
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
} satisfies Record<InlineType, z.ZodType>;

/** The schema of `data` for each mark of a text. */
export const markTypes = {
  bold: nothing.optional(),
  italic: nothing.optional(),
  code: nothing.optional(),
  keyboard: nothing.optional(),
  strikethrough: nothing.optional(),
  superscript: nothing.optional(),
  subscript: nothing.optional(),
  color: z.object({ text: textColor, background: textColor }),
};
export type MarkType = keyof typeof markTypes;
