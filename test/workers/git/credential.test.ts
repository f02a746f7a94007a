import { randomBytes } from 'node:crypto';
import { GitCredential } from '@bindery/models';
import { loadConfig, newId, sealSecret } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { openCredential } from '../../../apps/worker-git/src/sync/credential.ts';
import { it } from '../../support/it.ts';

describe('the login of a git job', () => {
  it('ends the job with a remedy when no configured key opens it', async ({ api: _started }) => {
    const config = loadConfig();
    const former = { key: randomBytes(32) };
    const login = { username: 'me', password: newId() };
    const _id = newId();
    const sealed = sealSecret(former, JSON.stringify(login), `git-credential:${_id}`);
    await GitCredential.create({ _id, space: newId(), sealed, expireAt: new Date(Date.now() + 60_000) });
    await expect(openCredential(config, _id)).rejects.toMatchObject({
      ...{ name: 'JobError', code: 'credentials_expired', class: 'auth' },
      action: expect.stringContaining('BINDERY_SECRET_KEY_PREVIOUS'),
    });
    const secrets = { ...config.secrets, previousKey: former.key };
    expect(await openCredential({ ...config, secrets }, _id)).toEqual(login);
  });
});
