import type { ApiToken } from '@bindery/contract';
import type { ApiTokenRecord } from '@bindery/models';

export function presentApiToken(token: ApiTokenRecord): ApiToken {
  const { _id: id, label, scopes, organizations, spaces, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    label,
    scopes,
    organizations,
    spaces,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString(),
  };
}
