/** The templates for new spaces. Each is a folder beside this file, in the format of a repository. */
export const templateIds = ['blank', 'product-docs', 'api-reference', 'knowledge-base', 'changelog'] as const;
export type TemplateId = (typeof templateIds)[number];

export function isTemplate(id: string): id is TemplateId {
  return (templateIds as readonly string[]).includes(id);
}
