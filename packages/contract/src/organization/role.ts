import { z } from 'zod';

/** What a user may do, from most to least. */
export const Role = z.enum(['admin', 'create', 'review', 'edit', 'comment', 'read']).meta({ id: 'MemberRole' });
export type Role = z.infer<typeof Role>;

/** What a member is in a team: an owner manages who is in it. */
export const TeamRole = z.enum(['owner', 'member']).meta({ id: 'TeamMemberRole' });
export type TeamRole = z.infer<typeof TeamRole>;

/** What members may do by default in a space or a collection; `inherit` takes what stands above it, null is open to nobody by default. */
export const DefaultLevel = z
  .union([Role, z.literal('inherit')])
  .nullable()
  .meta({ id: 'DefaultLevel' });
