import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endSharedApi } from '../support/apiServer.ts';
import { expectOrderlyEnd, namedStores, projectFolder, useLaunchers } from '../support/processes/launcher.ts';
import { until } from '../support/until.ts';

const { folder, launch } = useLaunchers();

it('queues translations while Apertium is missing, reports the reason, and starts everything else', async () => {
  await endSharedApi();
  const up = [process.execPath, join(projectFolder, 'apps/cli/src/main.ts'), 'up', '--data', folder()];
  const one = launch([...up, '--no-demo', '--port', '0', '--only', 'api,worker-translation'], {
    ...namedStores('untranslated'),
    BINDERY_APERTIUM_ROOT: '/nowhere',
  });
  const { apiUrl, token } = await one.ready();
  const call = async <T>(path: string, json?: unknown) => {
    const response = await fetch(`${apiUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    });
    return { headers: response.headers, body: (await response.json()) as T };
  };
  const { items } = (await call<{ items: { id: string }[] }>('/v1/orgs')).body;
  const organization = `/v1/orgs/${items[0]?.id}`;
  const space = (await call<{ id: string }>(`${organization}/spaces`, { title: 'Handbook' })).body;
  const translation = await call(`${organization}/translations`, {
    language: 'es',
    source: { space: space.id, language: 'en' },
  });

  const reason = 'Apertium is not installed; `bindery doctor` says how to install it';
  await until('reason in /readyz', async () => {
    const { body } = await call<{ workers: Record<string, string> }>('/readyz');
    return body.workers['worker-translation'] === `not started yet: ${reason}`;
  });
  const job = await call<{ waiting: unknown }>(`/v1/jobs/${translation.headers.get('x-job-id')}`);
  expect(job.body.waiting).toMatchObject({
    reason: 'no_worker',
    message: `No worker for translation-run is running: worker-translation is not started yet (${reason}); the job starts when one does.`,
  });
  expect(one.output().match(/Translation: There is no Apertium here/g)).toHaveLength(1);
  expect(one.output()).toContain('apt-get install apertium apertium-eng-spa');
  expect(one.output()).not.toContain('worker-translation died');
  one.child.kill('SIGTERM');
  await expectOrderlyEnd(one);
});
