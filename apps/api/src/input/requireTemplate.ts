import { isTemplate, templateIds, type TemplateId } from '@bindery/content';
import { invalid } from '@bindery/contract';

/** @throws invalid_request that lists the existing templates */
export function requireTemplate(id: string, path: string): TemplateId {
  if (!isTemplate(id)) throw invalid(path, `must be one of ${templateIds.join(', ')}.`);
  return id;
}
