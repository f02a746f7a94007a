import { SAML, ValidateInResponseTo, type Profile, type SamlConfig } from '@node-saml/node-saml';
import { readEmail } from '../readEmail.ts';
import type { SamlIssuer, SamlProblem, SamlService, VerifiedResponse } from './samlMessages.ts';

/** Between the clocks of the provider and of this platform. */
const clockSkewMs = 60_000;
const maxAgeMs = 300_000;

const digital = 'http://www.w3.org/2000/09/xmldsig#';
const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const trusted: ReadonlySet<string> = new Set([
  canonical,
  `${canonical}WithComments`,
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  `${digital}enveloped-signature`,
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  ...['rsa-sha256', 'rsa-sha384', 'rsa-sha512', 'ecdsa-sha256'].map(
    (name) => `http://www.w3.org/2001/04/xmldsig-more#${name}`,
  ),
]);

/** The attributes in which providers send an address, and a name. */
const emailNames = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const displayNames = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'name',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  // cn, which some providers send alone.
  'urn:oid:2.5.4.3',
];
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Verifies a response that an identity provider made a browser post: both the response and its one assertion
 * are signed by the provider's certificate with SHA-256 or better, meant for this platform, recent, and an
 * answer to a request. Only what the signatures cover is read.
 *
 * Parses text from anyone: run it on a thread of its own.
 *
 * @param response  the form field `SAMLResponse`, base64
 */
export async function readResponse(
  response: string,
  { service, issuer }: { service: SamlService; issuer: SamlIssuer },
): Promise<{ person: VerifiedResponse } | { problem: SamlProblem }> {
  const xml = decode(response);
  const problem = xml === undefined ? 'not_xml' : problemBeforeParsing(xml);
  if (problem) return { problem };
  try {
    const { profile } = await new SAML(configOf(service, issuer)).validatePostResponseAsync({
      SAMLResponse: response,
    });
    return profile ? readProfile(profile, { service, issuer }) : { problem: 'denied' };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** Settings for node-saml, whose defaults accept more. */
export function configOf(service: SamlService, issuer: SamlIssuer): SamlConfig {
  return {
    issuer: service.entityId,
    audience: service.entityId,
    callbackUrl: service.acsUrl,
    entryPoint: issuer.ssoUrl,
    idpCert: issuer.certificate,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    acceptedClockSkewMs: clockSkewMs,
    maxAssertionAgeMs: maxAgeMs,
    identifierFormat: emailFormat,
    disableRequestedAuthnContext: true,
    validateInResponseTo: ValidateInResponseTo.always,
    // It accepts each id, and compares that of the response with that of the assertion. The caller knows
    // whether the request is open.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async () => new Date().toISOString(),
      removeAsync: async () => null,
    },
  };
}

function decode(response: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(response, 'base64'));
  } catch {
    return undefined;
  }
}

function problemBeforeParsing(xml: string): SamlProblem | undefined {
  if (!/^\s*</.test(xml)) return 'not_xml';
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return 'declares_entities';
  if (/<(?:[\w.-]{1,64}:)?EncryptedAssertion[\s>]/.test(xml)) return 'encrypted';
  // node-saml would also take SHA-1, and any status beside an assertion. Values are compared as they are
  // written: with entities in them, they are refused.
  if (!valuesOf(xml, 'Algorithm').every((value) => trusted.has(value))) return 'weak_algorithm';
  const statuses = valuesOf(xml, 'StatusCode\\b[^>]{0,1000}?\\sValue');
  return statuses.every((value) => value === success) ? undefined : 'denied';
}

/** All values that an attribute has in the text, also in comments. */
function valuesOf(xml: string, name: string): string[] {
  const attributes = xml.matchAll(new RegExp(`${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g'));
  return [...attributes].map(([, double, single]) => double ?? single ?? '');
}

type Assertion = {
  Issuer?: { _?: string }[];
  Subject?: {
    NameID?: { _?: string; $?: { Format?: string } }[];
    SubjectConfirmation?: {
      $?: Record<string, string | undefined>;
      SubjectConfirmationData?: { $?: Record<string, string | undefined> }[];
    }[];
  }[];
};

/** The checks that node-saml leaves to its caller, on the verified assertion. */
function readProfile(
  profile: Profile,
  { service, issuer }: { service: SamlService; issuer: SamlIssuer },
): { person: VerifiedResponse } | { problem: SamlProblem } {
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { Assertion?: Assertion };
  const [subject] = assertion?.Subject ?? [];
  if (assertion?.Issuer?.[0]?._ !== issuer.entityId) return { problem: 'other_issuer' };
  // All must fit: node-saml takes the times of one, and another could name another recipient.
  const confirmations = subject?.SubjectConfirmation ?? [];
  const data = confirmations.map(
    ({ $, SubjectConfirmationData: [one] = [] }): Record<string, string | undefined> => ({ ...$, ...one?.$ }),
  );
  const inResponseTo = data[0]?.['InResponseTo'];
  const isOurs = data.every((one) => one['Method'] === bearer && one['Recipient'] === service.acsUrl);
  if (data.length === 0 || !isOurs) return { problem: 'other_recipient' };
  if (!inResponseTo || data.some((one) => one['InResponseTo'] !== inResponseTo || !one['NotOnOrAfter']))
    return { problem: 'not_requested' };
  const attributes = new Map(Object.entries((profile['attributes'] ?? {}) as Record<string, unknown>));
  const nameId = subject?.NameID?.[0];
  const named = nameId?.$?.Format === emailFormat ? nameId._ : undefined;
  const email = readEmail(named ?? firstText(attributes, emailNames));
  if (email === undefined) return { problem: 'no_email' };
  const name = firstText(attributes, displayNames)?.slice(0, 64);
  // Some providers send the address as the name too.
  const displayName = name?.includes('@') ? undefined : name;
  return { person: { email, displayName, inResponseTo } };
}

/** The first attribute with exactly one value, which is text. */
function firstText(attributes: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  const texts = names.map((name) => attributes.get(name));
  return texts.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
}

const problems: readonly [RegExp, SamlProblem][] = [
  [/^SAML provider returned /, 'denied'],
  [/InResponseTo/, 'not_requested'],
  [/expired|not yet valid|subject confirmation/i, 'expired'],
  [/audience/i, 'other_recipient'],
  [/signature/i, 'unsigned'],
];

/** node-saml tells its errors apart by their text only. */
function problemOf(error: unknown): SamlProblem {
  const text = error instanceof Error ? error.message : '';
  return problems.find(([pattern]) => pattern.test(text))?.[1] ?? 'invalid';
}
