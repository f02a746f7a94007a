import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/**
 * Returns the headers by which a receiver verifies a request, as specified by Standard Webhooks:
 * https://www.standardwebhooks.com
 *
 * @param id  the same for all attempts, so that a receiver can detect duplicates
 * @param at  time of the attempt; receivers refuse requests older than some minutes, against replays
 * @param secrets  `whsec_` and the base64 of a key: one, or two during a rotation
 */
export function webhookHeaders({
  id,
  at,
  body,
  secrets,
}: {
  id: string;
  at: Date;
  body: string;
  secrets: readonly string[];
}) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function sign(secret: string, text: string): string {
  if (!secret.startsWith(secretPrefix)) throw new Error('A webhook has a secret of another kind than ours.');
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
