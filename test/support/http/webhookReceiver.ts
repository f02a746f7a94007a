import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webcrypto } from 'node:crypto';

export type ReceivedWebhook = {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
};

/** A status, or a function that handles the response; `'never'` leaves it unanswered. */
export type WebhookAnswer = number | 'never' | ((response: ServerResponse, request: ReceivedWebhook) => void);

/** A real webhook receiver on loopback. Its answers are set by path; the default is 204. */
export type WebhookReceiver = {
  origin: string;
  hostPort: string;
  answers: Map<string, WebhookAnswer>;
  received: ReceivedWebhook[];
  /** The requests received at a path, in order. */
  receivedAt(path: string): ReceivedWebhook[];
  close(): Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const answers = new Map<string, WebhookAnswer>();
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url!.split('?')[0]!;
      const webhook = {
        path,
        method: request.method!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        atMs: Date.now(),
      };
      received.push(webhook);
      const answer = answers.get(path) ?? 204;
      if (answer === 'never') return;
      if (typeof answer === 'function') answer(response, webhook);
      else response.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    answers,
    received,
    receivedAt: (path) => received.filter((webhook) => webhook.path === path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Whether one of the signatures of a request was made with a secret; verified by another implementation than
 * ours, WebCrypto.
 */
export async function isSignedWith(
  secret: string,
  { headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>,
): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  const key = await webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const text = new TextEncoder().encode(
    `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`,
  );
  const signatures = String(headers['webhook-signature']).split(' ');
  for (const signature of signatures) {
    const [version, base64 = ''] = signature.split(',');
    if (version === 'v1' && (await webcrypto.subtle.verify('HMAC', key, Buffer.from(base64, 'base64'), text)))
      return true;
  }
  return false;
}
