import type { Route } from '../../http/route.ts';
import { membershipRoutes } from './memberships.ts';
import { tokenRoutes } from './tokens.ts';

/** The pages of what belongs to a user alone. */
export const accountRoutes: readonly Route[] = [...tokenRoutes, ...membershipRoutes];
