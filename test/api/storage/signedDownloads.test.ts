import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { fileUrl } from '../../../apps/api/src/presenters/fileUrl.ts';
import { itWithS3, keyOf, missingS3, streamOf } from '../../support/stores/blobStores.ts';

const MB = 1024 * 1024;

const it = itWithS3
  .extend('environment', { scope: 'file' }, ({ server }) => ({
    ...server.environment,
    BINDERY_S3_PUBLIC_ENDPOINT: server.endpoint,
  }))
  .extend('bytes', () => randomBytes(2 * MB))
  .extend('urlOf', ({ api, organization }) => async (bytes: Buffer, name: string, until?: number) => {
    await api.blobs.put(keyOf(organization._id, bytes), streamOf(bytes));
    const blob = createHash('sha256').update(bytes).digest('hex');
    const of = { organization: organization._id, blob, name, ...(until !== undefined && { until }) };
    return fileUrl(api.config, of);
  });

describe.skipIf(missingS3)('a large file, when readers can reach S3', () => {
  it.for([
    ['a.png', undefined, 'inline'],
    ['a.mp4', undefined, 'inline'],
    ['a (1).zip', undefined, 'attachment'],
    ['a.svg', undefined, 'attachment'],
    ['a.html', undefined, 'attachment'],
    ['a.pdf', 60, 'attachment'],
  ] as const)(
    'is sent from S3 with the headers of the API: %s',
    async ([name, seconds, disposition], { api, server, bytes, urlOf }) => {
      const until = seconds === undefined ? undefined : Math.floor(Date.now() / 1_000) + seconds;
      const answer = await api.call('GET', await urlOf(bytes, name, until));
      expect(answer.status).toBe(307);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      const location = answer.headers.get('location')!;
      expect(location.startsWith(`${server.endpoint}/bindery-tests/docs/`)).toBe(true);
      expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('300');
      const sent = await fetch(location);
      expect(sent.status).toBe(200);
      expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true);
      const head = await api.call('HEAD', await urlOf(bytes, name, until));
      expect(sent.headers.get('content-type')).toBe(head.headers.get('content-type')?.split(';', 1)[0]);
      expect(sent.headers.get('content-disposition')).toBe(head.headers.get('content-disposition'));
      expect(sent.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}`));
      expect(sent.headers.get('cache-control')).toBe(head.headers.get('cache-control'));
      // The URL is good for these bytes and headers only.
      for (const [from, to] of [
        ['attachment', 'inline'],
        ['inline', 'attachment'],
        ['/docs/', '/docs/x'],
      ] as const)
        if (location.includes(from)) expect((await fetch(location.replace(from, to))).status).not.toBe(200);
      expect(api.logLines.join('\n')).not.toContain('X-Amz-Signature=');
    },
  );

  it.for(['a.pdf', 'a.txt'])(
    'is sent from the API if a browser interprets it: %s',
    async (name, { api, bytes, urlOf }) => {
      const answer = await api.call('GET', await urlOf(bytes, name));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    },
  );

  it('is sent from the API if it is small, and for a HEAD request', async ({ api, bytes, urlOf }) => {
    const small = bytes.subarray(0, 1000);
    expect((await api.call('GET', await urlOf(small, 'a.png'))).bytes.equals(small)).toBe(true);
    expect((await api.call('HEAD', await urlOf(bytes, 'a.png'))).status).toBe(200);
  });
});
