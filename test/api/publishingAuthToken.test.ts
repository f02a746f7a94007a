import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Site, type SiteRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPublishingAuth, privateKeyOf } from '../../apps/api/src/resources/publishing-auth/publishingAuth.ts';
import { verifyVisitorToken } from '../../apps/api/src/resources/publishing-auth/verifyVisitorToken.ts';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildOrganization, buildSite } from '../support/factories.ts';
import { signVisitorToken } from '../support/visitorToken.ts';

let api: TestApi;
let site: SiteRecord;
let key: Buffer;
let otherKey: Buffer;

beforeAll(async () => {
  api = await startApi();
  const { organization } = await buildOrganization();
  const built = await buildSite(organization, { visibility: 'visitor-auth' });
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
  await Site.updateOne({ _id: built._id }, { $set: { adaptiveSchema: { jsonSchema, updatedAt: new Date() } } });
  site = (await Site.findById(built._id).lean<SiteRecord>()) as SiteRecord;
  key = Buffer.from(privateKeyOf(await loadPublishingAuth(site)));
  otherKey = Buffer.from(privateKeyOf(await loadPublishingAuth(await buildSite(organization))));
});
afterAll(() => api.close());

const now = () => Math.floor(Date.now() / 1000);
const sign = (
  payload: object | string,
  header: { alg?: string | undefined } & Record<string, unknown> = {},
  signingKey: Buffer | KeyObject = key,
) => signVisitorToken(payload, { key: signingKey, header });
const verify = async (token: string | undefined) => verifyVisitorToken(site, token);

describe('a visitor token is taken', () => {
  it('with its claims as far as the site declares them', async () => {
    const claims = { beta: true, plan: 'gold', sub: 'ann', email: 'ann@example.org', unsigned: { beta: true } };
    expect(await verify(sign({ ...claims, exp: now() + 60 }))).toEqual({ beta: true });
    expect(await verify(sign({ beta: 'true', plan: 'pro', exp: now() + 60 }))).toEqual({ plan: 'pro' });
    expect(await verify(sign({ exp: now() + 60 }))).toEqual({});
  });

  it.each<[string, () => object]>([
    ['that ends in 24 hours', () => ({ exp: now() + 24 * 3600 - 5 })],
    ['that ends 24 hours after it was made', () => ({ iat: now(), exp: now() + 24 * 3600 })],
    ['that was made 10 seconds from now, by another clock', () => ({ iat: now() + 10, exp: now() + 60 })],
    ['that ended 20 seconds ago, by another clock', () => ({ exp: now() - 20 })],
    ['that is good since now', () => ({ nbf: now(), exp: now() + 60 })],
    ['with audience and issuer', () => ({ aud: 'us', iss: 'them', exp: now() + 60 })],
    ['with a time of half a second', () => ({ exp: now() + 60.5 })],
  ])('%s', async (_name, payload) => {
    expect(await verify(sign({ beta: true, ...payload() }))).toEqual({ beta: true });
  });

  it('with a key id and another type', async () => {
    expect(await verify(sign({ beta: true, exp: now() + 60 }, { kid: '1', typ: 'at+jwt' }))).toEqual({ beta: true });
  });
});

describe('a visitor token is refused', () => {
  const good = { beta: true };

  it.each<[string, () => string | undefined]>([
    ['that is none', () => undefined],
    ['that is empty', () => ''],
    ['that is not a token', () => 'abc'],
    ['of dots', () => '..'],
    ['without a signature', () => sign({ ...good, exp: now() + 60 }).replace(/[^.]*$/, '')],
    ['with a changed signature', () => sign({ ...good, exp: now() + 60 }).replace(/.{4}$/, 'AAAA')],
    ['with changed claims', () => swapPayload(sign({ exp: now() + 60 }), { ...good, exp: now() + 60 })],
    ['with alg none and no signature', () => unsigned({ alg: 'none' }, { ...good, exp: now() + 60 })],
    ['with alg none and a signature', () => sign({ ...good, exp: now() + 60 }, { alg: 'none' })],
    ['with alg NONE', () => unsigned({ alg: 'NONE' }, { ...good, exp: now() + 60 })],
    ['without alg', () => sign({ ...good, exp: now() + 60 }, { alg: undefined })],
    ['with HS384 and the right key', () => sign({ ...good, exp: now() + 60 }, { alg: 'HS384' })],
    ['with HS512 and the right key', () => sign({ ...good, exp: now() + 60 }, { alg: 'HS512' })],
    ['with RS256 and a key of its own', () => sign({ ...good, exp: now() + 60 }, { alg: 'RS256' }, ownKey)],
    ['of another site', () => sign({ ...good, exp: now() + 60 }, {}, otherKey)],
    ['signed with what the key decodes to', () => sign({ ...good, exp: now() + 60 }, {}, Buffer.from(key.toString(), 'hex'))],
    ['with an extension that must be understood', () => sign({ ...good, exp: now() + 60 }, { crit: ['exp'], exp: 1 })],
    ['that ended 31 seconds ago', () => sign({ ...good, exp: now() - 31 })],
    ['that is good in an hour', () => sign({ ...good, nbf: now() + 3600, exp: now() + 7200 })],
    ['without an end', () => sign(good)],
    ['without an end, made now', () => sign({ ...good, iat: now() })],
    ['made in the future', () => sign({ ...good, iat: now() + 120, exp: now() + 180 })],
    ['with its end as text', () => sign({ ...good, exp: `${now() + 60}` })],
    ['with its time as text', () => sign({ ...good, iat: `${now()}`, exp: now() + 60 })],
    ['with null as its end', () => sign({ ...good, exp: null })],
    ['that ends in the year 9999', () => sign({ ...good, exp: 253_370_764_800 })],
    ['that ends in 25 hours', () => sign({ ...good, exp: now() + 25 * 3600 })],
    ['that ends 25 hours after it was made', () => sign({ ...good, iat: now() - 3600, exp: now() + 24 * 3600 })],
    ['that never ends', () => sign('{"beta":true,"exp":1e999}')],
    ['with a list as claims', () => sign('[]')],
    ['with null as claims', () => sign('null')],
    ['with broken claims', () => sign('{')],
    ['with 5 KB of claims', () => sign({ ...good, text: 'x'.repeat(5000), exp: now() + 60 })],
    ['of 9 KB', () => sign({ ...good, exp: now() + 60 }, { kid: 'x'.repeat(9000) })],
    ['with a space behind it', () => `${sign({ ...good, exp: now() + 60 })} `],
  ])('%s', async (_name, token) => {
    expect(await verify(token())).toBeUndefined();
  });

  it('while the site has no key', async () => {
    expect(await verifyVisitorToken({ _id: 'unknown' }, sign({ ...good, exp: now() + 60 }))).toBeUndefined();
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
