import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { loadWebhookExample, type SignedRequest } from '../support/http/webhookExample.ts';

let isGenuine: (request: SignedRequest) => boolean;
beforeAll(async () => {
  isGenuine = await loadWebhookExample();
});

/** The example of the Standard Webhooks libraries. */
const vector = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  nowMs: 1614265330_000,
};
const withHeaders = (headers: object): SignedRequest => ({
  ...vector,
  headers: { ...vector.headers, ...headers },
});

it('the example accepts a request that is signed with the secret', () => {
  expect(isGenuine(vector)).toBe(true);
  const secret = randomBytes(32);
  const body = '{"title":"ä 🌲"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`id.${timestamp}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'id',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,AAAA v1,${signature}`,
  };
  expect(isGenuine({ headers, body, secret: `whsec_${secret.toString('base64')}` })).toBe(true);
});

it.each<[string, SignedRequest]>([
  ['another body', { ...vector, body: '{"test": 2432232315}' }],
  ['another secret', { ...vector, secret: `whsec_${randomBytes(32).toString('base64')}` }],
  ['another id', withHeaders({ 'webhook-id': 'msg_other' })],
  ['another time', withHeaders({ 'webhook-timestamp': '1614265331' })],
  ['an old one', { ...vector, nowMs: vector.nowMs + 301_000 }],
  ['one of the future', { ...vector, nowMs: vector.nowMs - 301_000 }],
  [
    'another version of signatures',
    withHeaders({ 'webhook-signature': vector.headers['webhook-signature'].replace('v1', 'v2') }),
  ],
  ['a part of the signature', withHeaders({ 'webhook-signature': 'v1,g0hM9SsE' })],
  ['a version without a signature', withHeaders({ 'webhook-signature': 'v1' })],
  ['no headers', { ...vector, headers: {} }],
])('the example refuses %s', (_name, request) => {
  expect(isGenuine(request)).toBe(false);
});
