import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/**
 * The headers by which a receiver knows that a request is ours, as Standard Webhooks lays down: https://www.standardwebhooks.com
 *
 * @param id       the same at every attempt, so that a receiver can tell one that comes twice
 * @param at       time of the attempt; receivers refuse what is older than some minutes, so that nobody can play it back
 * @param secrets  `whsec_` and the base64 of a key: one, or two while one takes the place of the other
 */
export function webhookHeaders({ id, at, body, secrets }: { id: string; at: Date; body: string; secrets: readonly string[] }) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function sign(secret: string, text: string): string {
  if (!secret.startsWith(secretPrefix)) throw new Error('A webhook has a secret of another kind than ours.');
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
