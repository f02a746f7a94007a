import { z } from 'zod';

/** What a user may do, from most to least. */
export const Role = z.enum(['admin', 'create', 'review', 'edit', 'comment', 'read']).meta({ id: 'MemberRole' });
export type Role = z.infer<typeof Role>;
