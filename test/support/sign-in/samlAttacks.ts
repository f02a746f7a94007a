import type { SamlProblem } from '../../../packages/sign-in/src/saml/samlMessages.ts';
import type { IdpSettings } from './identityProvider.ts';

// Responses as strangers and wrong settings make them; `ada@example.org` is the person whom they name.

/** Responses of the provider itself that are refused, and why. */
export const refusedSettings: readonly [string, Partial<IdpSettings>, SamlProblem][] = [
  ['whose assertion alone is signed', { signResponse: false }, 'unsigned'],
  ['whose envelope alone is signed', { signAssertion: false }, 'unsigned'],
  ['without any signature', { signResponse: false, signAssertion: false }, 'unsigned'],
  ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1' }, 'weak_algorithm'],
  ['for another audience', { audience: 'https://other.example.org' }, 'other_recipient'],
  ['for another recipient', { recipient: 'https://other.example.org/acs' }, 'other_recipient'],
  ['of another issuer', { issuer: 'https://evil.example.org' }, 'other_issuer'],
  ['that has expired', { lifetimeInSeconds: -120 }, 'expired'],
  [
    'that says that nobody signed in',
    { samlStatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' },
    'denied',
  ],
];

/** Changes of the texts of a response, which anyone can make in their own browser. */
export const alteredTexts: readonly [RegExp, string][] = [
  [/ada@example\.org/, 'eve@example.org'],
  [/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="2999-01-01T00:00:00.000Z"'],
  [/InResponseTo="[^"]*"/g, 'InResponseTo="_other"'],
  [/Recipient="[^"]*"/, 'Recipient="https://docs.example.org/other"'],
  [/<saml:Audience>[^<]*/, '<saml:Audience>https://other.example.org'],
];

const signature = /<(?:ds:)?Signature[ >].*?<\/(?:ds:)?Signature>/s;
const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
const forged = (xml: string) =>
  assertionOf(xml).replace(signature, '').replaceAll('ada@example.org', 'eve@example.org');
const withNewId = (assertion: string) => assertion.replace(/ ID="[^"]*"/, ' ID="_forged"');
const withOuterId = (response: string) => response.replace(/ ID="[^"]*"/, ' ID="_outer"');

/** Signature wrapping: the signed parts stay intact, elsewhere, and an unsigned assertion is put in. */
export const wrappings: readonly [string, (xml: string) => string][] = [
  [
    'before the signed one',
    (xml) => xml.replace('<saml:Assertion', `${withNewId(forged(xml))}<saml:Assertion`),
  ],
  [
    'after the signed one',
    (xml) => xml.replace('</samlp:Response>', `${withNewId(forged(xml))}</samlp:Response>`),
  ],
  ['of the same id', (xml) => xml.replace('<saml:Assertion', `${forged(xml)}<saml:Assertion`)],
  [
    'around the signed one',
    (xml) =>
      xml.replace(
        assertionOf(xml),
        withNewId(forged(xml)).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
      ),
  ],
  [
    'in a response around the signed one',
    (xml) =>
      `${withOuterId(xml.replace(signature, '').replace(assertionOf(xml), withNewId(forged(xml)))).replace(
        '</samlp:Response>',
        '',
      )}${xml}</samlp:Response>`,
  ],
  [
    'with the signed response inside its signature',
    (xml) =>
      withOuterId(xml.replace(assertionOf(xml), withNewId(forged(xml)))).replace(
        /<\/(?:ds:)?Signature>/,
        (end) => `<Object>${xml}</Object>${end}`,
      ),
  ],
  [
    'with the signed one inside its own signature',
    (xml) => {
      const [own = ''] = signature.exec(assertionOf(xml)) ?? [];
      const inside = own.replace(
        /<\/(?:ds:)?Signature>/,
        (end) => `<Object>${assertionOf(xml)}</Object>${end}`,
      );
      const outer = withNewId(forged(xml)).replace(/(<\/saml:Issuer>)/, (end) => `${end}${inside}`);
      return xml.replace(assertionOf(xml), () => outer);
    },
  ],
  [
    'with the signed one in an extension',
    (xml) =>
      xml.replace(
        assertionOf(xml),
        () => `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${withNewId(forged(xml))}`,
      ),
  ],
];

/** Puts a comment into the name of a person, before the domain of the provider; no signature changes. */
export function commentedName(xml: string): string {
  return xml.replace('.evil.org</saml:NameID>', '<!---->.evil.org</saml:NameID>');
}
