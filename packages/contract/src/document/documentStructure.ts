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
export type NodeStructure = {
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
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-1': {
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-2': {
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'heading-3': {
    group: 'essential',
    contains: { of: ['inline'] },
  },
  'list-ordered': {
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-unordered': {
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-tasks': {
    group: 'essential',
    contains: { of: ['list-item'] },
  },
  'list-item': {
    contains: { of: ['essential', 'code', 'hint', 'blockquote', 'math', 'table'] },
  },
  divider: {
    group: 'essential',
  },
  blockquote: {
    group: 'common',
    contains: { of: ['essential', 'blockquote'] },
  },
  hint: {
    group: 'common',
    contains: { of: ['essential', 'embed', 'integration', 'table'] },
  },
  prompt: {
    group: 'common',
    contains: { of: ['code'], min: 1, max: 1 },
  },
  images: {
    group: 'common',
    contains: { of: ['image'] },
    saysNotVoid: true,
  },
  image: {
    fragments: { caption: { of: ['paragraph'], named: ['fragment'] } },
  },
  file: {
    group: 'common',
  },
  drawing: {
    group: 'common',
  },
  embed: {
    group: 'common',
  },
  code: {
    group: 'common',
    contains: { of: ['code-line'] },
  },
  'code-line': {
    contains: { of: ['text', 'annotation', 'expression'] },
  },
  math: {
    group: 'common',
  },
  expandable: {
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
    group: 'top-level',
    contains: { of: ['tabs-item'] },
  },
  'tabs-item': {
    contains: { of: ['essential', 'common'] },
  },
  table: {
    group: 'top-level',
    fragments: 'any',
  },
  swagger: {
    group: 'top-level',
  },
  'openapi-operation': {
    group: 'top-level',
  },
  'openapi-schemas': {
    group: 'top-level',
  },
  'openapi-webhook': {
    group: 'top-level',
  },
  'content-ref': {
    group: 'common',
  },
  integration: {
    group: 'common',
  },
  'reusable-content': {
    group: 'top-level',
  },
  stepper: {
    group: 'top-level',
    contains: { of: ['stepper-step'] },
  },
  'stepper-step': {
    contains: { of: ['essential', 'common', 'expandable'] },
  },
  if: {
    group: 'top-level',
    contains: { of: ['top-level'] },
  },
  columns: {
    group: 'top-level',
    contains: { of: ['column'] },
    saysNotVoid: true,
  },
  column: {
    contains: { of: ['essential', 'common', 'table', 'expandable', 'stepper'] },
  },
  updates: {
    group: 'top-level',
    contains: { of: ['update'] },
  },
  update: {
    contains: { of: ['essential', 'common', 'tabs', 'expandable'] },
  },
} satisfies Record<string, NodeStructure>;
export type BlockType = keyof typeof blockTypes;

export const inlineTypes = {
  link: {
    contains: { of: ['text', 'inline-image'] },
  },
  emoji: {},
  icon: {},
  expression: {},
  'inline-math': {},
  'inline-image': {},
  annotation: {
    contains: { of: ['text'] },
    fragments: { 'annotation-body': { of: ['essential', 'code'], min: 1, named: ['type'] } },
    saysNotVoid: true,
  },
  mention: {},
  button: {},
} satisfies Record<string, NodeStructure>;
export type InlineType = keyof typeof inlineTypes;
