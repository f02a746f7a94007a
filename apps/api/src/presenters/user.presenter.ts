import type { User } from '@bindery/contract';
import type { Actor } from '../http/actor.ts';
import { apiUrl } from '../platform.ts';

export function presentUser({ id, displayName, email, photoURL }: Omit<Actor['user'], 'isOperator'>): User {
  return {
    object: 'user',
    id,
    displayName,
    ...(email !== undefined && { email }),
    ...(photoURL !== undefined && { photoURL }),
    urls: { location: apiUrl(`/users/${id}`) },
  };
}
