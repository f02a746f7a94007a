import type { DocumentBlock } from '@bindery/contract';

const names: Partial<Record<DocumentBlock['type'], string>> = {
  'heading-1': 'Heading 1',
  'heading-2': 'Heading 2',
  'heading-3': 'Heading 3',
  'list-ordered': 'Numbered list',
  'list-unordered': 'List',
  'list-tasks': 'Tasks',
  'list-item': 'Item',
  'tabs-item': 'Tab',
  images: 'Images',
  'openapi-operation': 'API operation',
  'openapi-schemas': 'API schemas',
  'openapi-webhook': 'API webhook',
  'content-ref': 'Link to a page',
  'reusable-content': 'Reusable content',
  'stepper-step': 'Step',
  if: 'Condition',
};

/** The type of a block in words. */
export function nameOfBlock({ type }: Pick<DocumentBlock, 'type'>): string {
  return names[type] ?? `${type.slice(0, 1).toUpperCase()}${type.slice(1).replaceAll('-', ' ')}`;
}
