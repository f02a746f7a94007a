import { createHmac, createSign, type KeyObject } from 'node:crypto';

/**
 * Signs a JWT like the service of an organization, but without a library, so that tests can make tokens that
 * no library would.
 */
export function signVisitorToken(
  payload: object | string,
  { key, header = {} }: { key: Buffer | KeyObject; header?: { alg?: string } & Record<string, unknown> },
): string {
  const whole = { alg: 'HS256', typ: 'JWT', ...header };
  const parts = [JSON.stringify(whole), typeof payload === 'string' ? payload : JSON.stringify(payload)];
  const text = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${text}.${signature(text, whole.alg, key)}`;
}

function signature(text: string, alg: string | undefined, key: Buffer | KeyObject): string {
  if (!Buffer.isBuffer(key)) return createSign('sha256').update(text).sign(key, 'base64url');
  const hash = { HS384: 'sha384', HS512: 'sha512' }[alg ?? ''] ?? 'sha256';
  return createHmac(hash, key).update(text).digest('base64url');
}
