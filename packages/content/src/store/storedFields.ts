import type { PageFields } from '@bindery/dialect/repository-format';
import type { DocumentPage } from './items.ts';

/** Selects the fields that a page's item stores: only values that differ from the default. */
export function storedFields({
  title,
  linkTitle,
  emoji,
  icon,
  description,
  hidden,
  noIndex,
  noRobotsIndex,
  layout,
  variables,
  tags,
  condition,
}: Omit<PageFields, 'git'>): Pick<DocumentPage, 'title'> & Partial<DocumentPage> {
  return {
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
    ...(hidden && { hidden: true as const }),
    ...(noIndex && { noIndex: true as const }),
    ...(noRobotsIndex && { noRobotsIndex: true as const }),
    ...(Object.keys(layout).length > 0 && { layout }),
    ...(variables && variables.length > 0 && { variables }),
    ...(tags && tags.length > 0 && { tags }),
    ...(condition !== undefined && { condition }),
  };
}
