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

/** Blocks that containers name together; every block of a group may also stand at the top level. */
export type BlockGroup = 'essential' | 'common' | 'top-level';

export type Content = {
  /**
   * The types that it may contain, or groups of types: `top-level` is the blocks of all groups, `any` is
   * every block, `inline` is text and every inline, `text` is text.
   */
  of: readonly string[];
  min?: number;
  max?: number;
};

export type FragmentRule = Content & {
  /** The fields of a fragment that must carry its name. */
  named: readonly ('fragment' | 'type')[];
};

/** A type of block or inline. */
export type NodeType = {
  /** One schema of the published document. A type whose fields are all optional may omit `data`. */
  data: z.ZodType;
  /** A block without a group stands only in containers that name it. */
  group?: BlockGroup;
  /** Its permitted children; void without them. */
  contains?: Content;
  /** Its named fragments. A table's fragments belong to its cells and may have any name. */
  fragments?: Readonly<Record<string, FragmentRule>> | 'any';
  /** Must state `isVoid: false`; other types may omit it. */
  saysNotVoid?: true;
};

export const blockTypes = {
  paragraph: {
    data: z.strictObject({ align }).optional(),
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-1': {
    data: heading,
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-2': {
    data: heading,
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-3': {
    data: heading,
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'list-ordered': {
    data: z.object({ start: z.number().optional() }),
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-unordered': {
    data: nothing.optional(),
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-tasks': {
    data: nothing.optional(),
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-item': {
    data: z.object({ checked: flag }).optional(),
    contains: { of: ['essential', 'code', 'hint', 'blockquote', 'math', 'table'] },
  },
  divider: {
    data: nothing,
    group: 'essential',
  },
  blockquote: {
    data: nothing.optional(),
    group: 'common',
    contains: { of: ['essential', 'blockquote'] },
  },
  hint: {
    data: z.object({ style: z.enum(['info', 'warning', 'danger', 'success']), icon: icon.optional() }),
    group: 'common',
    contains: { of: ['essential', 'embed', 'integration', 'table'] },
  },
  prompt: {
    data: z.strictObject({
      description: word,
      icon: icon.optional(),
      openInAIProviders: flag,
      defaultExpanded: z.enum(['hidden', 'partial', 'full']).optional(),
    }),
    group: 'common',
    contains: { of: ['code'], min: 1, max: 1 },
  },
  images: {
    data: z.object({
      align: z.enum(['center', 'left', 'right']).optional(),
      fullWidth: flag,
      withFrame: flag,
    }),
    group: 'common',
    contains: { of: ['image'] },
    saysNotVoid: true,
  },
  image: {
    data: z.object({ ref: picture, refDark: picture.optional(), width: length, height: length, alt: maybe }),
    fragments: { caption: { of: ['paragraph'], named: ['fragment'] } },
  },
  file: {
    data: z.object({ ref: ref.file }),
    group: 'common',
  },
  drawing: {
    data: z.object({ ref: ref.file.optional() }),
    group: 'common',
  },
  embed: {
    data: z.object({ url: linkUrl, fullWidth: flag }),
    group: 'common',
  },
  code: {
    data: z.object({
      syntax: maybe,
      title: maybe,
      overflow: z.enum(['scroll', 'wrap']).optional(),
      lineNumbers: flag,
      fullWidth: flag,
      expandable: flag,
      collapsedLineCount: z.int().min(1).optional(),
    }),
    group: 'common',
    contains: { of: ['code-line'] },
  },
  'code-line': {
    data: z.object({ highlighted: flag }),
    contains: { of: ['text', 'annotation', 'expression'] },
  },
  math: {
    data: z.object({ formula: word }),
    group: 'common',
  },
  expandable: {
    data: z.strictObject({ defaultExpanded: flag }),
    group: 'top-level',
    fragments: {
      'expandable-title': { of: ['paragraph'], min: 1, max: 1, named: ['fragment', 'type'] },
      'expandable-body': {
        of: [
          'essential',
          'file',
          'images',
          'code',
          'table',
          'hint',
          'prompt',
          'blockquote',
          'reusable-content',
          'integration',
        ],
        min: 1,
        named: ['fragment', 'type'],
      },
    },
  },
  tabs: {
    data: z.strictObject({ fullWidth: flag }).optional(),
    group: 'top-level',
    contains: { of: ['tabs-item'] },
  },
  'tabs-item': {
    data: z.object({ title: maybe, icon: icon.optional(), slug: maybe }),
    contains: { of: ['essential', 'common'] },
  },
  table: {
    data: table,
    group: 'top-level',
    fragments: 'any',
  },
  swagger: {
    data: z.object({ ref: picture, path: word, method: word, expanded: flag, fullWidth: flag }),
    group: 'top-level',
  },
  'openapi-operation': {
    data: z.object({ ref: ref.openapi, path: word, method: word, headless: flag }),
    group: 'top-level',
  },
  'openapi-schemas': {
    data: z.object({ ref: ref.openapi, schemas: z.array(word), grouped: flag, title: maybe }),
    group: 'top-level',
  },
  'openapi-webhook': {
    data: z.object({ ref: ref.openapi, name: word, method: word, headless: flag }),
    group: 'top-level',
  },
  'content-ref': {
    data: z.object({ ref: anyRef }),
    group: 'common',
  },
  integration: {
    data: z.object({
      integration: word,
      block: word,
      props: z.record(word, z.unknown()),
      action: z.looseObject({ action: word, url: linkUrl.optional() }).optional(),
      url: linkUrl.optional(),
      fullWidth: flag,
    }),
    group: 'common',
  },
  'reusable-content': {
    data: z.object({ ref: ref.reusableContent }),
    group: 'top-level',
  },
  stepper: {
    data: nothing.optional(),
    group: 'top-level',
    contains: { of: ['stepper-step'] },
  },
  'stepper-step': {
    data: z.object({ icon: maybe }),
    contains: { of: ['essential', 'common', 'expandable'] },
  },
  if: {
    data: z.object({ expression: word }),
    group: 'top-level',
    contains: { of: ['top-level'] },
  },
  columns: {
    data: z.object({ fullWidth: flag }),
    group: 'top-level',
    contains: { of: ['column'] },
    saysNotVoid: true,
  },
  column: {
    data: z.strictObject({ width: length, verticalAlignment: vertical }),
    contains: { of: ['essential', 'common', 'table', 'expandable', 'stepper'] },
  },
  updates: {
    data: z.strictObject({ format: z.enum(['numeric', 'full', 'short']) }),
    group: 'top-level',
    contains: { of: ['update'] },
  },
  update: {
    data: z.object({ date: z.iso.datetime({ offset: true }), tags: z.array(ref.tag).optional() }),
    contains: { of: ['essential', 'common', 'tabs', 'expandable'] },
  },
} satisfies Record<string, NodeType>;
export type BlockType = keyof typeof blockTypes;

export const inlineTypes = {
  link: {
    data: z.object({ ref: anyRef }),
    contains: { of: ['text', 'inline-image'] },
  },
  emoji: {
    data: z.object({ code: word }),
  },
  icon: {
    data: z.object({ icon: word, color: textColor.optional() }),
  },
  expression: {
    data: z.object({ expression: word }),
  },
  'inline-math': {
    data: z.object({ formula: word }),
  },
  'inline-image': {
    data: z.object({
      ref: picture,
      refDark: picture.optional(),
      caption: maybe,
      alt: maybe,
      size: z.enum(['original', 'line']).optional(),
    }),
  },
  annotation: {
    data: nothing.optional(),
    contains: { of: ['text'] },
    fragments: { 'annotation-body': { of: ['essential', 'code'], min: 1, named: ['type'] } },
    saysNotVoid: true,
  },
  mention: {
    data: z.object({ ref: anyRef }),
  },
  button: {
    data: z.intersection(
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
  },
} satisfies Record<string, NodeType>;
export type InlineType = keyof typeof inlineTypes;

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
