import type { PageFields } from '@bindery/dialect/repository-format';
import { compact } from '@bindery/runtime';
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
  return compact({
    title,
    linkTitle,
    emoji,
    icon,
    description,
    hidden: hidden || undefined,
    noIndex: noIndex || undefined,
    noRobotsIndex: noRobotsIndex || undefined,
    layout: Object.keys(layout).length > 0 ? layout : undefined,
    variables: variables?.length ? variables : undefined,
    tags: tags?.length ? tags : undefined,
    condition,
  });
}
