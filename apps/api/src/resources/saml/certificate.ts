import { X509Certificate } from 'node:crypto';
import { invalid, trimmedEnd } from '@bindery/contract';

/**
 * Checks that a text is a valid certificate of a SAML provider: one X.509 certificate, PEM or base64, with a
 * key strong enough to trust its signatures.
 *
 * @throws invalid_request that describes the problem and never repeats the text, which may be a private key
 */
export function checkCertificate(text: string): void {
  const problem = problemOf(text);
  if (problem) throw invalid('body.certificate', problem);
}

/**
 * Warnings about a certificate accepted by `checkCertificate` whose signatures should not be trusted for
 * long, each with advice.
 */
export function warningsOf(text: string): string[] {
  const certificate = parse(Buffer.from(unframed(text).base64, 'base64'));
  if (!certificate) return [];
  const { signatureAlgorithm = '', validToDate } = certificate;
  const weak = /md5|sha1/i.exec(signatureAlgorithm)?.[0].toUpperCase();
  return [
    ...(weak
      ? [
          `The certificate is signed with ${weak}, which can be forged. Ask the identity provider for one that is signed with SHA-256.`,
        ]
      : []),
    ...(validToDate < new Date()
      ? [
          `The certificate expired on ${validToDate.toISOString().slice(0, 10)}. Ask the identity provider for its current one.`,
        ]
      : []),
  ];
}

/** The base64 inside a PEM frame, with the word in the frame as `kind`; without a frame the whole text. */
function unframed(text: string): { kind?: string | undefined; base64: string } {
  const pem = /^-----BEGIN ([A-Z0-9 ]{1,40})-----([\s\S]*)-----END \1-----$/.exec(text.trim());
  return { kind: pem?.[1], base64: (pem?.[2] ?? text).replaceAll(/[\t\n\r ]/g, '') };
}

function problemOf(text: string): string | undefined {
  const { kind, base64 } = unframed(text);
  if (kind !== undefined && kind !== 'CERTIFICATE') {
    return kind.includes('PRIVATE KEY')
      ? 'is a private key; give the certificate that belongs to it, and treat this key as compromised.'
      : 'is not a certificate: its first line must be -----BEGIN CERTIFICATE-----.';
  }
  if (base64.includes('-----BEGIN')) return 'must be one certificate, and nothing else.';
  const bytes = Buffer.from(base64, 'base64');
  // The decoder skips characters that are not base64.
  if (bytes.length === 0 || trimmedEnd(bytes.toString('base64'), '=') !== trimmedEnd(base64, '='))
    return notOne;
  const certificate = parse(bytes);
  // The parser stops after the first certificate.
  if (!certificate || certificate.raw.length !== bytes.length) return notOne;
  return isStrong(certificate)
    ? undefined
    : 'must have an RSA key of at least 2048 bits or a key on the curve P-256.';
}

const notOne = 'must be one X.509 certificate, in PEM or in base64.';

function parse(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

function isStrong(certificate: X509Certificate): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve } = {} } =
      certificate.publicKey;
    return type === 'rsa' ? modulusLength >= 2048 : type === 'ec' && namedCurve === 'prime256v1';
  } catch {
    // Unknown kind of key.
    return false;
  }
}
