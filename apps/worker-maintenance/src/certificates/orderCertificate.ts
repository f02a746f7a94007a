import { X509Certificate } from 'node:crypto';
import {
  AcmeChallenge,
  certificateContext,
  databaseNow,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { faultPoint, sealSecret, type SecretKeys } from '@bindery/runtime';
import acme from 'acme-client';

/**
 * Orders a certificate for a hostname. The authority fetches the answer to its challenge from the hostname,
 * where any process of the app `site` gives it from the database.
 *
 * @throws Error when the authority refuses, or does not reach the hostname
 */
export async function orderCertificate(
  hostname: string,
  { client, secrets }: { client: acme.Client; secrets: SecretKeys },
): Promise<
  Required<Pick<HostnameCertificateRecord, 'sealedKey' | 'chain' | 'expiresAt'>> & { nextAttemptAt: Date }
> {
  const begunAt = databaseNow();
  const [key, csr] = await acme.crypto.createCsr(
    { commonName: hostname, altNames: [hostname] },
    await acme.crypto.createPrivateEcdsaKey(),
  );
  const chain = await client.auto({
    csr,
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // From here the hostname may lead elsewhere than from the authority.
    skipChallengeVerification: true,
    challengeCreateFn: async (_authorization, { token }, keyAuthorization) => {
      await faultPoint('certificate.ordered');
      await AcmeChallenge.create({ _id: token, hostname, keyAuthorization, createdAt: databaseNow() });
      await faultPoint('certificate.challenged');
    },
    challengeRemoveFn: async (_authorization, { token }) => {
      await faultPoint('certificate.validated');
      await AcmeChallenge.deleteOne({ _id: token });
      // Those of an order that died before. Another process may have begun the next one.
      await AcmeChallenge.deleteMany({ hostname, createdAt: { $lt: begunAt } });
    },
  });
  await faultPoint('certificate.issued');
  const certificate = new X509Certificate(chain);
  const [from, to] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text));
  if (certificate.checkHost(hostname) === undefined || from === undefined || to === undefined)
    throw new Error('The authority gave a certificate for another name.');
  return {
    sealedKey: sealSecret(secrets, String(key), certificateContext(hostname)),
    chain,
    expiresAt: new Date(to),
    nextAttemptAt: new Date(from + ((to - from) * 2) / 3),
  };
}
