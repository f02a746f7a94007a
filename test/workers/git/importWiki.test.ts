import { createTreeBuilder, type TreeBuilder } from '@bindery/content';
import {
  acceptJob,
  closeJobs,
  connectJobs,
  openJobFeed,
  startWorker,
  wikiImportJobs,
  type JobFeed,
  type RunningWorker,
} from '@bindery/jobs';
import { createFirstUser, disconnectMongo, mongoDatabase, type SpaceRecord } from '@bindery/models';
import { createLogger, loadConfig, newId } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createImportWiki } from '../../../apps/worker-git/src/wiki/importWiki.ts';
import { wikiRepository } from '../../../apps/worker-git/src/wiki/wikiRepository.ts';
import { connectStores } from '../../support/apiServer.ts';
import { readContent, png } from '../../support/content/contentImporting.ts';
import { buildSpace } from '../../support/factories.ts';
import { startGitServer, type GitServer } from '../../support/git/gitServer.ts';
import { findLoggedJob, type LoggedJob } from '../../support/processes/loggedJob.ts';

// Each import starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let gitServer: GitServer;
let worker: RunningWorker;
let trees: TreeBuilder;
let feed: JobFeed;
let organization: Awaited<ReturnType<typeof createFirstUser>>['organization'];

beforeAll(async () => {
  gitServer = await startGitServer();
  const config = loadConfig({ ...process.env, BINDERY_OUTBOUND_ALLOW: gitServer.hostPort });
  await connectStores(config);
  const blobs = createBlobStore(mongoDatabase());
  await blobs.prepare();
  connectJobs(config);
  ({ organization } = await createFirstUser({
    email: `${newId()}@example.org`,
    displayName: 'Ada',
    organizationTitle: 'Wiki',
  }));
  const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
  trees = createTreeBuilder(config);
  worker = await startWorker(
    wikiImportJobs,
    { importWiki: createImportWiki({ config, blobs, trees }) },
    { app: 'test', concurrency: 2, config, logger },
  );
  feed = openJobFeed(config);
});
afterAll(async () => {
  await worker.stop(0);
  await trees.close();
  feed.close();
  await closeJobs();
  await disconnectMongo();
  await gitServer.close();
});

async function importWiki(space: SpaceRecord, url: string): Promise<LoggedJob> {
  const job = await acceptJob(wikiImportJobs.importWiki, {
    organization: organization._id,
    subject: { type: 'space', id: space._id },
    startedBy: 'ada',
    permission: 'space.edit',
    input: { spaceId: space._id, source: 'github-wiki', url },
  });
  for await (const { job: now } of feed.follow(job._id, AbortSignal.timeout(60_000)))
    if (now.finishedAt) return findLoggedJob(job._id);
  throw new Error('The import did not end.');
}

describe('a wiki', () => {
  it('is imported with Home first and then in the order of its sidebar, with links and images', async () => {
    await gitServer.createRepository('owner/name.wiki.git', {
      'Home.md':
        'Welcome. [[Second Page]] and [[the first|First-Page#top]], `[[code]]`, [[img/a.png|alt=A]] ![b](img/a.png)\n',
      'First-Page.md': '# The first\n\n[Home](Home) [Other](https://example.org)\n',
      'Second-Page.md': `[full](http://${gitServer.hostPort}/owner/name/wiki/First-Page)\n`,
      'Zed.md': 'z\n',
      'Alone.md': 'a\n',
      'Old.mediawiki': '= Old =\n',
      '_Sidebar.md': '* [[Second Page]]\n  * [First](First-Page)\n* [[Home]]\n',
      '_Footer.md': 'footer\n',
      'img/a.png': png,
      'img/unused.png': png,
    });
    const space = await buildSpace(organization, { title: 'Space' });
    const job = await importWiki(space, `http://${gitServer.hostPort}/owner/name/wiki/Home`);
    expect(job).toMatchObject({ state: 'succeeded', result: { importedResources: 6, totalResources: 7 } });
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual([
      'document Home /home',
      'document Second Page /second-page',
      '  document The first /second-page/the-first',
      'document Alone /alone',
      'document Zed /zed',
    ]);
    const id = (title: string) => content.page(title).id;
    const file = content.files[0]?.id;
    expect(content.textOf('Home')).toBe(
      `# Home\n\nWelcome. [Second Page](/pages/${id('Second Page')}) and [the first](/pages/${id('The first')}#top), \`[[code]]\`, ![A](/files/${file}) ![b](/files/${file})\n`.replaceAll(
        /\]\(<([^>]*)>\)/g,
        ']($1)',
      ),
    );
    expect(content.textOf('Second Page')).toBe(`# Second Page\n\n[full](/pages/${id('The first')})\n`);
    expect(content.textOf('The first')).toContain(`[Home](/pages/${id('Home')})`);
    expect(job.log).toEqual([expect.objectContaining({ path: 'Old.mediawiki' })]);
  });

  it.each([
    ['that is not there', 'nobody/nothing/wiki', 'not_found'],
    ['without a page', 'owner/empty/wiki', 'bad_content'],
  ])('%s is refused', async (_name, path, code) => {
    await gitServer.createRepository('owner/empty.wiki.git', { 'picture.png': png }).catch(() => {});
    const space = await buildSpace(organization, { title: 'Space' });
    const job = await importWiki(space, `http://${gitServer.hostPort}/${path}`);
    expect(job).toMatchObject({ state: 'failed', error: { code } });
    expect((await readContent(space)).revision._id).toBe(space.revision);
  });
});

it.each([
  ['https://github.com/o/r/wiki', 'https://github.com/o/r.wiki.git'],
  ['https://github.com/o/r/wiki/', 'https://github.com/o/r.wiki.git'],
  ['https://github.com/o/r/wiki/Some-Page', 'https://github.com/o/r.wiki.git'],
  ['https://github.com/o/r', 'https://github.com/o/r.wiki.git'],
  ['https://github.com/o/r.git', 'https://github.com/o/r.wiki.git'],
  ['https://github.com/o/r.wiki.git', 'https://github.com/o/r.wiki.git'],
  ['https://gitlab.com/g/s/r/-/wikis/home', 'https://gitlab.com/g/s/r.wiki.git'],
])('the wiki at %s is kept in %s', (url, repository) => {
  expect(wikiRepository(new URL(url)).repository.href).toBe(repository);
});
