import type { User } from '@bindery/contract';
import type { Actor } from '../../http/actor.ts';
import { apiUrl } from '../../platform.ts';

export function presentUser({ id, displayName, email, photoURL }: Actor['user']): User {
  return {
    object: 'user',
    id,
    displayName,
    ...(email !== undefined && { email }),
    ...(photoURL !== undefined && { photoURL }),
    urls: { location: apiUrl(`/users/${id}`) },
  };
}
