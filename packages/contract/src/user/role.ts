import { z } from 'zod';

/** The roles of a user, from most to fewest rights. */
export const Role = z
  .enum(['admin', 'create', 'review', 'edit', 'comment', 'read'])
  .meta({ id: 'MemberRole' });
export type Role = z.infer<typeof Role>;

/** The role of a member in a team: an owner manages its members. */
export const TeamRole = z.enum(['owner', 'member']).meta({ id: 'TeamMemberRole' });
export type TeamRole = z.infer<typeof TeamRole>;

/**
 * The default role of members in a space or a collection; `inherit` takes the parent's, null grants no access
 * by default.
 */
export const DefaultLevel = z
  .union([Role, z.literal('inherit')])
  .nullable()
  .meta({ id: 'DefaultLevel' });
