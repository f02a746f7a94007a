import { createLogger } from '@bindery/runtime';
import { expect } from 'vitest';
import { startWebhooks } from '../../../apps/worker-maintenance/src/webhooks/startWebhooks.ts';
import type { GitRepository } from '../../support/git/gitRepository.ts';
import { startGitServer } from '../../support/git/gitServer.ts';
import { startGitWorker } from '../../support/git/gitWorker.ts';
import { until } from '../../support/until.ts';
import { startWebhookReceiver } from '../../support/http/webhookReceiver.ts';
import { it as base, type ClientHarness } from './clientHarness.ts';

// What GitBook's GitHub and GitLab integrations do, with the client that they use: they import when something
// was pushed, and export when the content changed, unless it came from git.

type Event = {
  type: string;
  eventId: string;
  spaceId: string;
  revisionId?: string;
  commitId?: string;
  state?: string;
  timestamp: string;
};

type Change = { subject: string; page: string; markdown: string };

/** The part of the integration that is installed for one space. */
function installIntegration(
  client: ClientHarness,
  space: string,
  repository: GitRepository & { url: string },
) {
  const project = 'https://gitlab.example.org/me/docs';
  const config = {
    url: repository.url.replace('://', '://oauth2:token@'),
    ref: 'refs/heads/main',
    repoTreeURL: `${project}/-/blob/main`,
    repoCommitURL: `${project}/-/commit`,
    repoProjectDirectory: 'docs',
    repoCacheID: 'made-when-it-was-saved',
  };
  const first = { force: true, gitInfo: { provider: 'gitlab', url: config.repoTreeURL } };
  const messageOf = ({ mergedFrom }: { mergedFrom?: { number: number; subject: string } }) =>
    mergedFrom
      ? `GITLAB-${mergedFrom.number}: ${mergedFrom.subject || 'No subject'}`
      : 'GitLab: No commit message';

  return {
    importFirst: () => client.call('importGitRepository', [space, { ...config, ...first }]),
    onPush: (timestamp: string) => client.call('importGitRepository', [space, { ...config, timestamp }]),
    /** @returns whether it exported */
    onContentUpdated: async ({ revisionId }: Event): Promise<boolean> => {
      const { data: revision } = await client.call('getRevisionById', [space, revisionId]);
      if (revision.git?.oid) return false;
      const { data: latest } = await client.call('getCurrentRevision', [space]);
      const commitMessage = messageOf(latest);
      await client.call('exportToGitRepository', [
        space,
        { ...config, commitMessage, timestamp: revision.createdAt },
      ]);
      return true;
    },
  };
}

async function mergeChange(
  client: ClientHarness,
  space: string,
  { subject, page, markdown }: Change,
): Promise<number> {
  const { data: changeRequest } = await client.call('createChangeRequest', [space, { subject }]);
  const changes = [{ operation: 'update_page', page, document: { markdown } }];
  const path = `/v1/spaces/${space}/change-requests/${changeRequest.id}/content`;
  expect((await client.api.call('POST', path, { token: client.admin.token, json: { changes } })).status).toBe(
    200,
  );
  await client.call('mergeChangeRequest', [space, changeRequest.id]);
  return changeRequest.number as number;
}

const it = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startGitServer();
    onCleanup(() => server.close());
    return server;
  })
  // oxlint-disable-next-line no-empty-pattern -- as above
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startWebhookReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  .extend('environment', { scope: 'file' }, ({ server, receiver }) => ({
    BINDERY_OUTBOUND_ALLOW: `${server.hostPort},${receiver.hostPort}`,
  }))
  .extend('workers', { scope: 'file', auto: true }, async ({ api }, { onCleanup }) => {
    const worker = await startGitWorker(api);
    const stopSending = startWebhooks({
      config: api.config,
      logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
    });
    onCleanup(async () => {
      await stopSending();
      await worker.stop();
    });
    return true;
  });

it('lets integrations sync a space and a branch in both directions without a loop', async ({
  client,
  server,
  receiver,
}) => {
  const { data: created } = await client.call('createSpace', [client.organization._id, { title: 'Docs' }]);
  const space: string = created.id;
  const webhooks = `/v1/orgs/${client.organization._id}/webhooks`;
  await client.api.call('POST', webhooks, {
    token: client.admin.token,
    json: { url: `${receiver.origin}/events`, spaces: [space] },
  });
  const events = () => receiver.receivedAt('/events').map(({ body }): Event => JSON.parse(body));
  /** The next events of a type, in the order in which they happened. */
  const told = async (type: string, count: number) => {
    await until(
      `${count} events ${type}`,
      () => events().filter((event) => event.type === type).length >= count,
      { timeoutMs: 30_000 },
    );
    return events()
      .filter((event) => event.type === type)
      .toSorted((one, other) => one.timestamp.localeCompare(other.timestamp));
  };

  const repository = await server.createRepository('integration.git', {
    'docs/README.md': '# Home\n',
    'docs/SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
    'docs/guide.md': '# Guide\n\nWords.\n',
    'code.c': 'int x;\n',
  });
  const integration = installIntegration(client, space, repository);
  expect(await client.refused('getSpaceGitInfo', [space])).toMatchObject({ code: 404 });

  // The first sync, after the configuration was saved: what it brings comes from git, and does not go back
  // there.
  expect((await integration.importFirst()).status).toBe(204);
  expect(await told('space_gitsync_completed', 1)).toMatchObject([
    { state: 'success', commitId: await repository.oid('main') },
  ]);
  const [imported] = await told('space_content_updated', 1);
  expect(await integration.onContentUpdated(imported!)).toBe(false);
  const { data: info } = await client.call('getSpaceGitInfo', [space]);
  expect(info).toMatchObject({
    installationProvider: 'gitlab',
    operation: { state: 'success', direction: 'import' },
  });
  expect(info.url).toBe('https://gitlab.example.org/me/docs/-/blob/main');

  // A merge goes to the branch, as one commit that says which change request it was.
  const { data: before } = await client.call('listPages', [space]);
  const guide = before.pages.find(({ title }: { title: string }) => title === 'Guide');
  expect(guide.git.path).toBe('docs/guide.md');
  const number = await mergeChange(client, space, {
    subject: 'Better words',
    page: guide.id,
    markdown: '# Guide\n\nBetter words.\n',
  });
  const [, merged] = await told('space_content_updated', 2);
  expect(await integration.onContentUpdated(merged!)).toBe(true);
  const [, afterExport] = await told('space_gitsync_completed', 2);
  const commit = await repository.oid('main');
  expect(afterExport).toMatchObject({ state: 'success', commitId: commit });
  expect((await repository.git(['show', '--name-only', '--format=%s', 'main'])).toString()).toBe(
    `GITLAB-${number}: Better words\n\ndocs/guide.md\n`,
  );

  // The integration knows the echoes of both sides: the event of its revision, and the push of its commit.
  const [, , exported] = await told('space_content_updated', 3);
  expect(exported?.revisionId).toBe(afterExport?.revisionId);
  expect(await integration.onContentUpdated(exported!)).toBe(false);
  expect(await integration.onContentUpdated(merged!)).toBe(false);
  await integration.onPush(
    (await repository.git(['show', '--no-patch', '--format=%cI', 'main'])).toString().trim(),
  );
  const { data: current } = await client.call('getCurrentRevision', [space]);
  expect(current).toMatchObject({ id: exported?.revisionId, git: { oid: commit, createdByGitBook: true } });

  // Somebody pushes; it comes in once, and leaves the branch alone.
  const pushed = await repository.commit({ 'docs/guide.md': '# Guide\n\nThe best words.\n' });
  await integration.onPush(new Date().toISOString());
  const [, , , second] = await told('space_content_updated', 4);
  expect(await integration.onContentUpdated(second!)).toBe(false);
  const { data: page } = await client.call('getPageById', [space, guide.id, { format: 'markdown' }]);
  expect(page.markdown).toBe('# Guide\n\nThe best words.\n');
  expect(await repository.oid('main')).toBe(pushed);
  expect(events().filter(({ type }) => type === 'space_content_updated')).toHaveLength(4);

  client.expectValid(
    'importGitRepository',
    'exportToGitRepository',
    'getSpaceGitInfo',
    'getRevisionById',
    'getCurrentRevision',
    'listPages',
    'getPageById',
    'mergeChangeRequest',
  );
});
