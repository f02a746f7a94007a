import type { BlockType } from '@bindery/contract';
import type { Block } from './block.ts';
import { blockquote } from './blockquote.ts';
import { code, codeLine } from './code/code.ts';
import { column, columns } from './columns.ts';
import { contentRef } from './contentRef.ts';
import { divider } from './divider.ts';
import { embed } from './embed.ts';
import { expandable } from './expandable.ts';
import { file } from './file.ts';
import { heading1, heading2, heading3 } from './heading.ts';
import { hint } from './hint.ts';
import { conditional } from './if.ts';
import { drawing, image, images } from './images.ts';
import { integration } from './integration.ts';
import { listItem, orderedList, taskList, unorderedList } from './list.ts';
import { math } from './math.ts';
import { openapiOperation, openapiSchemas, openapiWebhook, swagger } from './openapi/openapi.ts';
import { paragraph } from './paragraph.ts';
import { prompt } from './prompt.ts';
import { reusableContent } from './reusableContent.ts';
import { stepper, stepperStep } from './stepper.ts';
import { table } from './table/table.ts';
import { tabs, tabsItem } from './tabs.ts';
import { update, updates } from './updates.ts';

/** Every block type. The tags, elements and containers of the dialect are derived from these. */
export const blocks = {
  paragraph,
  'heading-1': heading1,
  'heading-2': heading2,
  'heading-3': heading3,
  'list-ordered': orderedList,
  'list-unordered': unorderedList,
  'list-tasks': taskList,
  'list-item': listItem,
  divider,
  blockquote,
  hint,
  prompt,
  images,
  image,
  file,
  drawing,
  embed,
  code,
  'code-line': codeLine,
  math,
  expandable,
  tabs,
  'tabs-item': tabsItem,
  table,
  swagger,
  'openapi-operation': openapiOperation,
  'openapi-schemas': openapiSchemas,
  'openapi-webhook': openapiWebhook,
  'content-ref': contentRef,
  integration,
  'reusable-content': reusableContent,
  stepper,
  'stepper-step': stepperStep,
  if: conditional,
  columns,
  column,
  updates,
  update,
} satisfies Record<BlockType, Block>;

/** Returns the types of the blocks with a property. */
export function blockTypesWith(property: 'isContainer' | 'needsContent'): ReadonlySet<BlockType> {
  return new Set((Object.keys(blocks) as BlockType[]).filter((type) => blocks[type][property] === true));
}
