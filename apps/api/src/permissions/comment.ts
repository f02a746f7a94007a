import type { CommentPermission, Role } from '@bindery/contract';
import { hasRole } from './role.ts';

/**
 * Permissions on a comment or a reply. Only its author may edit it; the admins of the space may delete it.
 */
export function commentPermissions({
  role,
  user,
  postedBy,
}: {
  role: Role | null;
  user: string;
  postedBy: string;
}): Record<CommentPermission, boolean> {
  const isAuthor = user === postedBy;
  return {
    view: hasRole(role, 'read'),
    reply: hasRole(role, 'comment'),
    edit: isAuthor && hasRole(role, 'comment'),
    delete: isAuthor || hasRole(role, 'admin'),
  };
}
