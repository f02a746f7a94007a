import { describe, expect, it } from 'vitest';
import { webhookHeaders } from './signatures.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};

describe('webhookHeaders', () => {
  // The example of the reference implementations.
  it('signs by the Standard Webhooks specification', () => {
    expect(webhookHeaders({ ...message, secrets: [secret] })).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('signs with both secrets during a rotation', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const [both, first, second] = [[other, secret], [other], [secret]].map(
      (secrets) => webhookHeaders({ ...message, secrets })['webhook-signature'],
    );
    expect(both).toBe(`${first} ${second}`);
  });

  it('refuses a secret of another kind, without revealing it', () => {
    expect(() => webhookHeaders({ ...message, secrets: ['canary'] })).toThrow(
      /^A webhook has a secret of another kind than ours\.$/,
    );
  });
});
