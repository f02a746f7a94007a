import type { ApiToken } from '@bindery/contract';
import type { ApiTokenRecord } from '@bindery/models';

export function presentApiToken({ _id: id, label, createdAt, expiresAt, lastUsedAt }: ApiTokenRecord): ApiToken {
  return {
    id,
    label,
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
