import { generateKeyPairSync } from 'node:crypto';
import { ApiError } from '@bindery/contract';
import { describe, expect, it, vi } from 'vitest';
import { certificates, pemOf } from '../../../../../test/support/http/certificates.ts';
import { checkCertificate, warningsOf } from './certificate.ts';

const { rsa2048, rsa2048md5, rsa1024, p256, p384, ed25519, csr } = certificates;

describe('a certificate', () => {
  it.each([
    ['RSA in PEM', pemOf(rsa2048)],
    ['RSA in base64', rsa2048],
    ['P-256 in PEM', pemOf(p256)],
    ['P-256 in base64', p256],
    ['in lines that end as on Windows', pemOf(rsa2048).replaceAll('\n', '\r\n')],
    ['in one line', pemOf(rsa2048).replaceAll('\n', '')],
    ['with empty lines around it', `\n\n${pemOf(p256)}\n \n`],
    ['base64 in lines', rsa2048.replaceAll(/.{1,76}/g, '$&\n')],
    ['base64 without its padding', p256.replace(/=+$/, '')],
  ])('is accepted: %s', (_name, text) => {
    expect(() => checkCertificate(text)).not.toThrow();
  });

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cut = Buffer.from(rsa2048, 'base64').subarray(0, -20).toString('base64');
  const twice = Buffer.concat([Buffer.from(p256, 'base64'), Buffer.from(p256, 'base64')]).toString('base64');

  it.each([
    ['nothing but spaces', '   '],
    ['garbage', 'this is no certificate'],
    ['a frame around AAAA', pemOf('AAAA')],
    ['an empty frame', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'],
    ['half of a frame', pemOf(p256).replace(/-----END.*/s, '')],
    ['a certificate that was cut', cut],
    ['a character that is not base64', `${rsa2048.slice(0, 40)}!${rsa2048.slice(40)}`],
    ['two certificates', pemOf(p256) + pemOf(p256)],
    ['two certificates in one base64', twice],
    ['two certificates in one frame', pemOf(twice)],
    ['text before it', `Subject: CN=idp\n${pemOf(p256)}`],
    [
      'a certificate and its key',
      pemOf(p256) + privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['a private key in the old form', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['a private key in base64', privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')],
    [
      'a private key in the frame of a certificate',
      pemOf(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')),
    ],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['a signing request', pemOf(csr, 'CERTIFICATE REQUEST')],
    ['a signing request in base64', csr],
    ['an RSA key of 1024 bits', rsa1024],
    ['another curve', p384],
    ['another kind of key', pemOf(ed25519)],
    ['NUL', '\0'],
    ['10,000 characters of base64', 'A'.repeat(10_000)],
  ])('is refused without being repeated: %s', (_name, text) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'invalid_request', details: [{ path: 'body.certificate' }] });
    const said = JSON.stringify([refusal.message, refusal.details, refusal.action, String(refusal.cause)]);
    for (const line of text.split(/\s+/).filter((part) => part.length > 20))
      expect(said).not.toContain(line.slice(0, 20));
  });

  it('is distinguished from a private key', () => {
    expect(refusalOf(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()).message).toContain(
      'private key',
    );
  });
});

describe('a warning', () => {
  it('names a certificate that is signed with MD5, in PEM and in base64, and the remedy', () => {
    for (const text of [rsa2048md5, pemOf(rsa2048md5)]) {
      expect(() => checkCertificate(text)).not.toThrow();
      expect(warningsOf(text)).toEqual([
        'The certificate is signed with MD5, which can be forged. Ask the identity provider for one that is signed with SHA-256.',
      ]);
    }
  });

  it('is absent for a strong certificate, and while no certificate is set', () => {
    for (const text of [rsa2048, pemOf(p256), '']) expect(warningsOf(text)).toEqual([]);
  });

  it('names the day on which a certificate expired', () => {
    vi.setSystemTime(new Date('2200-01-01'));
    try {
      expect(warningsOf(rsa2048)).toEqual([
        'The certificate expired on 2126-10-28. Ask the identity provider for its current one.',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

function refusalOf(text: string): ApiError {
  try {
    checkCertificate(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was taken.');
}
