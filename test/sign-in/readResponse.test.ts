import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSamlReader, type SamlIssuer, type SamlReader } from '@bindery/sign-in';
import { crewjamMissing, startCrewjamProvider } from '../support/sign-in/crewjamProvider.ts';
import {
  makeKeys,
  startIdentityProvider,
  type IdentityProvider,
  type IdpSettings,
} from '../support/sign-in/identityProvider.ts';
import { alteredTexts, commentedName, refusedSettings, wrappings } from '../support/sign-in/samlAttacks.ts';

const service = {
  entityId: 'https://docs.example.org/sso/saml/abc/metadata',
  acsUrl: 'https://docs.example.org/sso/saml/abc/acs',
};
const requestId = `_${randomBytes(16).toString('hex')}`;

if (crewjamMissing) console.log(`skipped: responses of crewjam/saml, because ${crewjamMissing}`);
const providers = [
  ['samlp', startIdentityProvider],
  ...(crewjamMissing ? [] : [['crewjam/saml', startCrewjamProvider] as const]),
] as const;

describe.each(providers)('a SAML response of %s', (name, startProvider) => {
  let idp: IdentityProvider;
  let issuer: SamlIssuer;
  let reader: SamlReader;
  beforeAll(async () => {
    idp = await startProvider(service.acsUrl);
    issuer = { entityId: idp.settings.issuer, ssoUrl: idp.ssoUrl, certificate: idp.keys.cert };
    reader = createSamlReader();
  });
  afterAll(async () => {
    await reader.close();
    await idp.close();
  });

  const answer = async (settings?: Partial<IdpSettings>, user = idp.user) => {
    const url = await reader.requestUrl(service, issuer, requestId);
    return (await idp.answer(url, { metadata: await reader.metadata(service), ...settings }, user)).response;
  };
  const read = async (response: string, from = issuer) => reader.read(response, { service, issuer: from });
  /** Changes the XML of a good response, as anyone can in their own browser. */
  const altered = async (change: (xml: string) => string) => {
    const xml = Buffer.from(await answer(), 'base64').toString();
    const changed = change(xml);
    expect(changed).not.toBe(xml);
    return Buffer.from(changed).toString('base64');
  };

  it('gives the person and the request that it answers', async () => {
    expect(await read(await answer())).toEqual({
      person: { email: 'ada@example.org', displayName: 'Ada Lovelace', inResponseTo: requestId },
    });
    const person = { id: 'U-1', displayName: 'Ada', email: 'Ada@Example.ORG' };
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
    expect(await read(await answer({ nameIdentifierFormat: format }, person))).toEqual({
      person: { email: 'ada@example.org', displayName: 'Ada', inResponseTo: requestId },
    });
  });

  it('is posted to the ACS URL in the metadata of the service', async () => {
    const url = new URL(await reader.requestUrl(service, issuer, requestId));
    expect(url.origin + url.pathname).toBe(idp.ssoUrl);
    const metadata = await reader.metadata(service);
    expect((await idp.answer(url.href, { metadata })).postUrl).toBe(service.acsUrl);
    expect(metadata).toContain(`entityID="${service.entityId}"`);
    expect(metadata).toContain(`Location="${service.acsUrl}"`);
    expect(metadata).toContain('WantAssertionsSigned="true"');
  });

  it('is accepted with a certificate in base64 without a PEM header', async () => {
    const base64 = idp.keys.cert.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    expect(await read(await answer(), { ...issuer, certificate: base64 })).toHaveProperty('person');
  });

  it.each([
    ...refusedSettings,
    ...(name === 'samlp'
      ? ([['with a digest of SHA-1', { digestAlgorithm: 'sha1' }, 'weak_algorithm']] as const)
      : ([
          ['of a clock that is far ahead', { clockOffsetInSeconds: 300 }, 'expired'],
          ['of a clock that is far behind', { clockOffsetInSeconds: -600 }, 'expired'],
        ] as const)),
  ])('is refused: one %s', async (_name, settings, problem) => {
    expect(await read(await answer(settings))).toEqual({ problem });
  });

  it('is refused when another key signed it, also with the key in the response', async () => {
    const other = await startProvider(service.acsUrl, makeKeys());
    try {
      const url = await reader.requestUrl(service, { ...issuer, ssoUrl: other.ssoUrl }, requestId);
      const metadata = await reader.metadata(service);
      expect(await read((await other.answer(url, { metadata })).response)).toEqual({ problem: 'unsigned' });
    } finally {
      await other.close();
    }
  });

  it('is refused without an e-mail address', async () => {
    const person = { id: 'U-1', displayName: 'Ada', email: '' };
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
    expect(await read(await answer({ nameIdentifierFormat: format }, person))).toEqual({
      problem: 'no_email',
    });
    for (const id of ['ada', 'a b@example.org', 'ada@example.org@evil.org', '<b>@example.org'])
      expect(await read(await answer({}, { ...idp.user, id }))).toEqual({ problem: 'no_email' });
  });

  it('is refused after a change of any of its texts', async () => {
    for (const [text, other] of alteredTexts) {
      const result = await read(await altered((xml) => xml.replace(text, other)));
      expect(result, String(text)).toEqual({ problem: 'unsigned' });
    }
  });

  it('keeps a name whole, also around an inserted comment', async () => {
    const evil = { ...idp.user, id: 'ada@example.org.evil.org' };
    const xml = Buffer.from(await answer({}, evil), 'base64').toString();
    const cut = commentedName(xml);
    expect(cut).not.toBe(xml);
    expect(await read(Buffer.from(cut).toString('base64'))).toEqual({
      person: { email: 'ada@example.org.evil.org', displayName: 'Ada Lovelace', inResponseTo: requestId },
    });
  });

  it.each(wrappings)('is refused with a wrapped assertion %s', async (_name, wrap) => {
    const result = await read(await altered(wrap));
    expect(result).toHaveProperty('problem');
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'not_xml'],
    ['another text', 'hello', 'not_xml'],
    ['invalid UTF-8', '<a>\xff</a>', 'not_xml'],
    ['XML of something else', '<html/>', 'not_requested'],
    ['half of it', '<samlp:Response', 'invalid'],
    [
      'an external entity',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
      'declares_entities',
    ],
    [
      'a billion laughs',
      '<!doctype r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;</r>',
      'declares_entities',
    ],
    ['20,000 elements inside each other', '<a>'.repeat(20_000) + '</a>'.repeat(20_000), 'not_requested'],
    ['an encrypted assertion', '<r><saml:EncryptedAssertion>x</saml:EncryptedAssertion></r>', 'encrypted'],
  ])('is refused: %s', async (_name, text, problem) => {
    const response = Buffer.from(text, 'latin1').toString('base64');
    const result = await read(response);
    expect(result).toEqual({ problem });
    // The thread still works.
    expect(await read(await answer())).toHaveProperty('person');
  });

  it('is refused above 256 KB', async () => {
    expect(await read('A'.repeat(256 * 1024 + 1))).toEqual({ problem: 'too_large' });
  });
});
