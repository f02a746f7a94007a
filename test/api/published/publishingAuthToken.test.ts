import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SiteRecord } from '@bindery/models';
import { loadPublishingAuth, privateKeyOf, verifyVisitorToken } from '@bindery/publishing';
import type { SecretKeys } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { signVisitorToken } from '../../support/http/visitorToken.ts';

const now = () => Math.floor(Date.now() / 1000);

const boolean = { type: 'boolean', description: '' };
const jsonSchema = JSON.stringify({
  type: 'object',
  properties: {
    beta: boolean,
    plan: { type: 'string', description: '', enum: ['free', 'pro'] },
    text: { type: 'string', description: '' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { beta: boolean },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
});

type Header = { alg?: string | undefined } & Record<string, unknown>;
type Signing = {
  /** The key of the site, and that of another. */
  key: Buffer;
  otherKey: Buffer;
  sign: (payload: object | string, header?: Header, signingKey?: Buffer | KeyObject) => string;
};

const keyOf = async (secrets: SecretKeys, site: SiteRecord) =>
  Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));

const it = base
  .extend('site', { scope: 'file' }, ({ organization }) =>
    buildSite(organization, {
      visibility: 'visitor-auth',
      adaptiveSchema: { jsonSchema, updatedAt: new Date() },
    }),
  )
  .extend('key', { scope: 'file' }, ({ api, site }) => keyOf(api.config.secrets, site))
  .extend('otherKey', { scope: 'file' }, async ({ api, organization }) =>
    keyOf(api.config.secrets, await buildSite(organization)),
  )
  .extend(
    'sign',
    ({ key }): Signing['sign'] =>
      (payload, header = {}, signingKey = key) =>
        signVisitorToken(payload, { key: signingKey, header }),
  )
  .extend(
    'verify',
    ({ api, site }) =>
      async (token: string | undefined) =>
        verifyVisitorToken(api.config.secrets, { site, token }),
  );

describe('a visitor token is accepted', () => {
  it('with the claims that the site declares', async ({ sign, verify }) => {
    const claims = {
      beta: true,
      plan: 'gold',
      sub: 'ann',
      email: 'ann@example.org',
      unsigned: { beta: true },
    };
    expect(await verify(sign({ ...claims, exp: now() + 60 }))).toEqual({ beta: true });
    expect(await verify(sign({ beta: 'true', plan: 'pro', exp: now() + 60 }))).toEqual({ plan: 'pro' });
    expect(await verify(sign({ exp: now() + 60 }))).toEqual({});
  });

  it.for<[string, () => object]>([
    ['that ends in 24 hours', () => ({ exp: now() + 24 * 3600 - 5 })],
    ['that ends 24 hours after it was made', () => ({ iat: now(), exp: now() + 24 * 3600 })],
    ['that was made 10 seconds from now, by another clock', () => ({ iat: now() + 10, exp: now() + 60 })],
    ['that ended 20 seconds ago, by another clock', () => ({ exp: now() - 20 })],
    ['that is good since now', () => ({ nbf: now(), exp: now() + 60 })],
    ['with audience and issuer', () => ({ aud: 'us', iss: 'them', exp: now() + 60 })],
    ['with a time of half a second', () => ({ exp: now() + 60.5 })],
  ])('%s', async ([, payload], { sign, verify }) => {
    expect(await verify(sign({ beta: true, ...payload() }))).toEqual({ beta: true });
  });

  it('with a key id and another type', async ({ sign, verify }) => {
    expect(await verify(sign({ beta: true, exp: now() + 60 }, { kid: '1', typ: 'at+jwt' }))).toEqual({
      beta: true,
    });
  });
});

describe('a visitor token is refused', () => {
  const good = { beta: true };

  it.for<[string, (signing: Signing) => string | undefined]>([
    ['that is none', () => undefined],
    ['that is empty', () => ''],
    ['that is not a token', () => 'abc'],
    ['of dots', () => '..'],
    ['without a signature', ({ sign }) => sign({ ...good, exp: now() + 60 }).replace(/[^.]*$/, '')],
    ['with a changed signature', ({ sign }) => sign({ ...good, exp: now() + 60 }).replace(/.{4}$/, 'AAAA')],
    [
      'with changed claims',
      ({ sign }) => swapPayload(sign({ exp: now() + 60 }), { ...good, exp: now() + 60 }),
    ],
    ['with alg none and no signature', () => unsigned({ alg: 'none' }, { ...good, exp: now() + 60 })],
    ['with alg none and a signature', ({ sign }) => sign({ ...good, exp: now() + 60 }, { alg: 'none' })],
    ['with alg NONE', () => unsigned({ alg: 'NONE' }, { ...good, exp: now() + 60 })],
    ['without alg', ({ sign }) => sign({ ...good, exp: now() + 60 }, { alg: undefined })],
    ['with HS384 and the right key', ({ sign }) => sign({ ...good, exp: now() + 60 }, { alg: 'HS384' })],
    ['with HS512 and the right key', ({ sign }) => sign({ ...good, exp: now() + 60 }, { alg: 'HS512' })],
    [
      'with RS256 and a key of its own',
      ({ sign }) => sign({ ...good, exp: now() + 60 }, { alg: 'RS256' }, ownKey),
    ],
    ['of another site', ({ sign, otherKey }) => sign({ ...good, exp: now() + 60 }, {}, otherKey)],
    [
      'signed with what the key decodes to',
      ({ sign, key }) => sign({ ...good, exp: now() + 60 }, {}, Buffer.from(key.toString(), 'hex')),
    ],
    [
      'with an extension that must be understood',
      ({ sign }) => sign({ ...good, exp: now() + 60 }, { crit: ['exp'], exp: 1 }),
    ],
    ['that ended 31 seconds ago', ({ sign }) => sign({ ...good, exp: now() - 31 })],
    ['that is good in an hour', ({ sign }) => sign({ ...good, nbf: now() + 3600, exp: now() + 7200 })],
    ['without an end', ({ sign }) => sign(good)],
    ['without an end, made now', ({ sign }) => sign({ ...good, iat: now() })],
    ['made in the future', ({ sign }) => sign({ ...good, iat: now() + 120, exp: now() + 180 })],
    ['with its end as text', ({ sign }) => sign({ ...good, exp: `${now() + 60}` })],
    ['with its time as text', ({ sign }) => sign({ ...good, iat: `${now()}`, exp: now() + 60 })],
    ['with null as its end', ({ sign }) => sign({ ...good, exp: null })],
    ['that ends in the year 9999', ({ sign }) => sign({ ...good, exp: 253_370_764_800 })],
    ['that ends in 25 hours', ({ sign }) => sign({ ...good, exp: now() + 25 * 3600 })],
    [
      'that ends 25 hours after it was made',
      ({ sign }) => sign({ ...good, iat: now() - 3600, exp: now() + 24 * 3600 }),
    ],
    ['that never ends', ({ sign }) => sign('{"beta":true,"exp":1e999}')],
    ['with a list as claims', ({ sign }) => sign('[]')],
    ['with null as claims', ({ sign }) => sign('null')],
    ['with broken claims', ({ sign }) => sign('{')],
    ['with 5 KB of claims', ({ sign }) => sign({ ...good, text: 'x'.repeat(5000), exp: now() + 60 })],
    ['of 9 KB', ({ sign }) => sign({ ...good, exp: now() + 60 }, { kid: 'x'.repeat(9000) })],
    ['with a space behind it', ({ sign }) => `${sign({ ...good, exp: now() + 60 })} `],
  ])('%s', async ([, token], { key, otherKey, sign, verify }) => {
    expect(await verify(token({ key, otherKey, sign }))).toBeUndefined();
  });

  it('while the site has no key', async ({ api, sign }) => {
    const token = sign({ ...good, exp: now() + 60 });
    expect(await verifyVisitorToken(api.config.secrets, { site: { _id: 'unknown' }, token })).toBeUndefined();
  });
});

const { privateKey: ownKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

function unsigned(header: object, payload: object): string {
  return `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}

function swapPayload(token: string, payload: object): string {
  const [header, , signature] = token.split('.');
  return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
}
