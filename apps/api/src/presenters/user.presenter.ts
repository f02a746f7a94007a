import type { User } from '@bindery/contract';
import type { Actor } from '../http/actor.ts';
import type { Links } from './links.ts';

export function presentUser(
  { id, displayName, email, photoURL }: Omit<Actor['user'], 'isOperator'>,
  links: Links,
): User {
  return {
    object: 'user',
    id,
    displayName,
    email,
    photoURL,
    urls: { location: links.api(`/users/${id}`) },
  };
}
