import { AcmeAccount, acmeAccountContext, sealedSecretOf, type AcmeAccountRecord } from '@bindery/models';
import type { Outbound } from '@bindery/outbound';
import { openSecret, sealSecret, type Config } from '@bindery/runtime';
import acme from 'acme-client';

/** Answers of an authority are documents of a few kB. */
const maxBytes = 256 * 1024;
const limits = {
  connectMs: 5_000,
  headersMs: 20_000,
  idleMs: 10_000,
  totalMs: 30_000,
  maxBytes,
  maxDecodedBytes: maxBytes,
};

/**
 * Creates the client of an authority, whose requests all go through `outbound`. The account of the
 * installation there is made at the first call; nothing is stored before it exists.
 */
export async function createAcmeClient(
  { secrets, hostnames: { acme: settings } }: Pick<Config, 'secrets' | 'hostnames'>,
  outbound: Outbound,
): Promise<acme.Client> {
  const { directoryUrl = '', email } = settings;
  sendThrough(outbound);
  const context = acmeAccountContext(directoryUrl);
  const known = await AcmeAccount.findById(directoryUrl).lean<AcmeAccountRecord>();
  if (known) {
    const key = openSecret(secrets, sealedSecretOf(known.sealedKey), context);
    return clientOf({ directoryUrl, accountKey: key, accountUrl: known.url });
  }
  const key = String(await acme.crypto.createPrivateEcdsaKey());
  const client = clientOf({ directoryUrl, accountKey: key });
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
  });
  const sealedKey = sealSecret(secrets, key, context);
  await AcmeAccount.create({ _id: directoryUrl, url: client.getAccountUrl(), sealedKey });
  return client;
}

function clientOf(account: { directoryUrl: string; accountKey: string; accountUrl?: string }): acme.Client {
  return new acme.Client({ ...account, backoffAttempts: 12, backoffMin: 1_000, backoffMax: 10_000 });
}

/** Replaces the transport of the client, which has one for the whole process. */
function sendThrough(outbound: Outbound): void {
  const { defaults } = acme.axios as unknown as {
    defaults: { adapter: unknown; acmeSettings: Record<string, number> };
  };
  // A failed order is repeated after its pause; the client would wait for as long as the authority says.
  defaults.acmeSettings['retryMaxAttempts'] = 0;
  defaults.adapter = async (config: SentRequest) => {
    const response = await outbound.request({
      url: outbound.checkUrl(config.url),
      // Also GET gives a nonce (RFC 8555, 7.2); there is no HEAD in `outbound`.
      method: config.method.toUpperCase() === 'POST' ? 'POST' : 'GET',
      headers: headersOf(config),
      ...(config.data !== undefined && { body: Buffer.from(config.data) }),
      limits,
      redirects: 'none',
    });
    const { status, headers } = response;
    const data = Buffer.concat(await Array.fromAsync(response.body)).toString();
    return { status, statusText: '', headers, data, config, request: undefined };
  };
}

/** The parts of a request of the client that are sent. */
type SentRequest = { url: string; method: string; headers: object; data?: string };

function headersOf({ headers }: SentRequest): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(sent.filter(([name]) => !/^(host|accept-encoding)$/i.test(name)));
}
