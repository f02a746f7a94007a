import { gitJobs, startWorker } from '@bindery/jobs';
import { GitSyncPoint, jobCollection, mongoDatabase, Space, type SpaceRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { describe, expect } from 'vitest';
import { createExportRepository } from '../../apps/worker-git/src/sync/export/exportRepository.ts';
import { createImportRepository } from '../../apps/worker-git/src/sync/import/importRepository.ts';
import { startConsole } from '../support/console/consoleServer.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';
import { openKeyboardUser, type KeyboardUser, type Mode } from '../support/console/keyboardUser.ts';
import { buildJob } from '../support/factories.ts';
import { buildRevision } from '../support/factories/content.ts';
import { startGitServer } from '../support/git/gitServer.ts';
import { createLeavingReader } from '../support/git/readHere.ts';
import { bound } from '../support/machine.ts';
import { startHostnameApps, startHostnameNetwork } from '../support/site/servedHostnames.ts';
import { startTestBrowser } from '../support/testBrowser.ts';
import { it as base } from '../support/translation/translating.ts';

// The ways of a person through the console in Chromium: by keyboard alone, in a window of 320 pixels, with
// and without scripts, in light and dark colours.

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('gitServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startGitServer();
    onCleanup(server.close);
    return server;
  })
  .extend('network', { scope: 'file' }, async ({ gitServer }, { onCleanup }) => {
    const network = await startHostnameNetwork({ allow: gitServer.hostPort });
    onCleanup(network.close);
    return network;
  })
  .extend('environment', { scope: 'file' }, ({ network }) => network.environment)
  .extend('siteApps', { scope: 'file' }, async ({ api: _started, network }, { onCleanup }) => {
    onCleanup(await startHostnameApps(network));
    return true;
  })
  .extend('server', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('browser', { scope: 'file' }, async ({ network }, { onCleanup }) => {
    const { tlsPort: port, authority } = network;
    const { browser, close } = await startTestBrowser(undefined, { names: '*.example.org', port, authority });
    onCleanup(close);
    return browser;
  })
  .extend('gitWorker', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const { config } = api;
    const parts = {
      config,
      reader: createLeavingReader(undefined),
      blobs: createBlobStore(mongoDatabase(), {}),
    };
    const worker = await startWorker(
      gitJobs,
      {
        importRepository: createImportRepository(parts),
        exportRepository: createExportRepository(parts),
      },
      {
        app: 'test',
        concurrency: 1,
        config,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
      },
    );
    onCleanup(async () => {
      await worker.stop(1_000);
      await parts.reader.close();
    });
    return worker;
  })
  .extend('world', async ({ api, organization, admin }) =>
    buildConsoleWorld(api, { organization: organization._id, user: admin }),
  )
  /** Signs in by the form, and ends on the overview. */
  .extend('signIn', ({ browser, server, admin }, { onCleanup }) => async (mode: Mode) => {
    const user = await openKeyboardUser(browser, { origin: server.origin, ...mode });
    onCleanup(async () => {
      expect(user.complaints).toEqual([]);
      await user.close();
    });
    await user.open('/sign-in');
    await user.write('API token', admin.token);
    await user.follow('Sign in');
    return user;
  });

const modes = [
  ['with scripts', { hasScripts: true, theme: 'light' }],
  ['without scripts, in dark colours', { hasScripts: false, theme: 'dark' }],
] as const;

/** Loads a page until it has a text. */
const awaitText = async (user: KeyboardUser, text: string) =>
  expect
    .poll(
      async () => {
        await user.page.reload();
        return user.read();
      },
      { timeout: bound(60_000), interval: 500 },
    )
    .toContain(text);

describe.for(modes)('a person %s', { timeout: bound(180_000) }, ([, mode]) => {
  it('resolves a conflict of a change request, and merges it', async ({
    signIn,
    api,
    admin,
    world,
    organization,
  }) => {
    const { space, page } = world;
    const call = async (path: string, json: object) =>
      api.call('POST', `/v1/spaces/${space}/change-requests${path}`, { token: admin.token, json });
    const { number } = (await call('', { subject: 'Meanwhile' })).body;
    await changePage(api, {
      token: admin.token,
      space,
      page,
      changeRequest: number,
      markdown: 'Read these.',
    });
    expect((await call(`/${number}/merge`, {})).status).toBe(200);

    const user = await signIn(mode);
    await user.follow(organization.title);
    await user.follow('Handbook');
    await user.follow(`#${world.changeRequest} Change <it>`);
    await user.follow('Settle one conflict');
    expect(await user.violations()).toEqual([]);
    await user.tick('Take the main content');
    await user.page.keyboard.press('ArrowDown');
    await user.follow('Settle the conflicts');
    expect(await user.read()).not.toContain('Settle one conflict');
    await user.follow('Merge');
    expect(await user.read()).toContain('merged');
    await user.open(`/spaces/${space}/pages/${page}`);
    expect(await user.read()).toContain('Read that.');
  });

  it('tries a git import as a dry run, and then imports', async ({
    signIn,
    gitServer,
    gitWorker: _started,
    world,
    organization,
  }) => {
    const name = `tour-${mode.theme}.git`;
    const { url } = await gitServer.createRepository(name, {
      'README.md': '# From git\n\nA page of the branch.\n',
    });
    const user = await signIn(mode);
    await user.follow(organization.title);
    await user.follow('Handbook');
    await user.follow('Import or export');
    expect(await user.violations()).toEqual([]);
    await user.write('URL of the repository', url);
    await user.follow('Start');
    await awaitText(user, 'succeeded');
    expect(await user.read()).toContain('From git');
    const shown = async () => {
      await user.open(`/spaces/${world.space}`);
      return user.read();
    };
    expect(await shown()).not.toContain('From git');
    await user.follow('Import or export');
    await user.write('URL of the repository', url);
    await user.tick('Dry run');
    await user.follow('Start');
    await awaitText(user, 'succeeded');
    expect(await shown()).toContain('From git');
    expect(await GitSyncPoint.countDocuments({ space: world.space })).toBe(1);
  });

  it('finds a failed job, reads its error, and runs it again', async ({ signIn, world, organization }) => {
    const space = await Space.findById(world.space).orFail().lean<SpaceRecord>();
    const { _id } = await buildJob(space, {
      state: 'failed',
      startedAt: new Date(),
      finishedAt: new Date(),
      error: {
        class: 'auth',
        code: 'auth',
        message: 'The server refused the login.',
        action: 'Check the token.',
      },
    });
    const user = await signIn(mode);
    await user.follow(organization.title);
    await user.follow('Jobs');
    await user.choose('State', 'failed');
    await user.follow('Filter');
    expect(await user.violations()).toEqual([]);
    expect(await user.read()).toContain('The server refused the login.');
    await user.follow('git-import');
    expect(await user.read()).toContain('Check the token.');
    await user.follow('Run again');
    // A worker may have run it by now.
    const { state, error } = (await jobCollection().findOne({ _id }))!;
    expect([state, error?.message]).not.toEqual(['failed', 'The server refused the login.']);
  });

  it('translates a space, and corrects a text', async ({ signIn, worker: _started, world, organization }) => {
    const space = await Space.findById(world.space).orFail().lean<SpaceRecord>();
    await buildRevision(space, { pages: [{ id: 'page', title: 'Page', source: 'A text for the tour.\n' }] });
    const user = await signIn(mode);
    await user.follow(organization.title);
    await user.follow('Handbook');
    await user.follow('Translations');
    await user.follow('Translate a space');
    await user.choose('Into', 'Spanish');
    await user.follow('Translate it');
    await awaitText(user, 'has a result');
    await user.follow('All texts');
    expect(await user.violations()).toEqual([]);
    const texts = async () => user.read();
    expect(await texts()).toContain('A text for the tour.');
    await user.page.keyboard.press('Tab');
    await user.write('Spanish', 'Un texto para el viaje.');
    await user.follow('Save');
    expect(await texts()).toContain('Un texto para el viaje.');
  });

  it('publishes a site, changes its look, and serves it at a hostname', async ({
    signIn,
    siteApps: _started,
    network,
    world: _written,
    organization,
  }) => {
    const user = await signIn(mode);
    await user.follow(organization.title);
    await user.follow('Create a site');
    await user.write('Title', `Tour in ${mode.theme}`);
    await user.follow('Create the site');
    await user.follow('Publish');
    expect(await user.read()).toContain('published');
    expect(await user.violations()).toEqual([]);
    await user.follow('Structure');
    await user.choose('Space', 'Handbook');
    await user.follow('Add the space');
    await user.follow('Customization');
    await user.choose('Theme', 'gradient');
    await user.write('Copyright in the footer', 'The authors');
    await user.follow('Save the customization');
    await user.follow('Hostname');
    const hostname = `tour-${mode.theme}-${organization._id.toLowerCase()}.example.org`;
    await user.write('Hostname', hostname);
    await user.follow('Claim it');
    const [, name = '', value = ''] = /TXT record(\S+): (\S+?)(?=CNAME|\s)/.exec(await user.read()) ?? [];
    network.point(hostname, { name, value });
    await user.follow('Check it now');
    await awaitText(user, 'live, with a certificate');
    expect(await user.violations()).toEqual([]);
    await user.follow('Site');
    await user.follow(`https://${hostname}`);
    expect(user.page.url()).toBe(`https://${hostname}/`);
    expect(await user.page.title()).toContain(`Tour in ${mode.theme}`);
    expect(await user.page.content()).toContain('The authors');
    expect(await user.violations()).toEqual([]);
  });
});
