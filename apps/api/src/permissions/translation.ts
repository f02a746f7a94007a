import type { Role, TranslationPermission } from '@bindery/contract';
import { hasRole } from './role.ts';

/** What a member may do with the translations of its organization, and with its glossary. */
export function translationPermissions({ role }: { role: Role | null }): Record<TranslationPermission, boolean> {
  return { view: true, edit: hasRole(role, 'create') };
}
