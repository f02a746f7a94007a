import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { dropUnusedFiles, pdfJobs, startWorker, type Processor, type RunningWorker } from '@bindery/jobs';
import { JobError, UpdateSiteCustomization } from '@bindery/contract';
import { jobCollection, Site, Space } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect, vi } from 'vitest';
import { createLinks } from '../../../apps/api/src/presenters/links.ts';
import { expireJobs } from '../../support/stores/expireJobs.ts';
import {
  buildChangeRequest,
  buildFile,
  buildJob,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { until } from '../../support/until.ts';

/** A busy machine needs longer for a job that prints while its request waits. */
const waitMs = 1_000 * Math.round(Math.min(10, bound(1)));

const kinds = [
  ['a space', 'space-pdf'],
  ['a change request', 'change-request-pdf'],
] as const;
type Kind = (typeof kinds)[number][1];

/** The smallest document that is one. */
const pdfBytes = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

type Work = Processor<typeof pdfJobs.printSpace>;

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_PDF_WAIT_SECONDS: String(waitMs / 1_000) })
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Guide: a/b "ü"' });
    const pages = [
      { id: 'page1', title: 'One', source: 'One', pages: [{ id: 'page2', title: 'Two', source: 'Two' }] },
      {
        id: 'link1',
        title: 'Link',
        type: 'link' as const,
        target: { kind: 'url' as const, url: 'https://example.org' },
      },
    ];
    const { _id: revision } = await buildRevision(space, { pages });
    return { ...space, revision };
  })
  .extend('changeRequest', ({ space }) => buildChangeRequest(space, { subject: 'Better words' }))
  .extend(
    'pathOf',
    ({ space: { _id }, changeRequest }) =>
      (kind: Kind) =>
        kind === 'space-pdf'
          ? `/v1/spaces/${_id}/pdf`
          : `/v1/spaces/${_id}/change-requests/${changeRequest._id}/pdf`,
  )
  .extend(
    'get',
    ({ api, reader }) =>
      (path: string, { token } = reader) =>
        api.call('GET', path, { token }),
  )
  /** A worker of the job layer that stores a small PDF, after what a test has it do before. */
  .extend('startPrinting', ({ api }, { onCleanup }) => {
    const workers: RunningWorker[] = [];
    onCleanup(async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
    });
    return async (
      before: Work | (() => Promise<void>) = async () => {},
      outputVersion?: string,
    ): Promise<{ runs: () => number; stop: () => Promise<void> }> => {
      let runs = 0;
      const print: Work = async (input, run) => {
        runs += 1;
        const outcome = await before(input, run);
        if (outcome) return outcome;
        const bytes = Buffer.concat([pdfBytes, Buffer.from(`%${run.job._id}\n`)]);
        const file = createHash('sha256').update(bytes).digest('hex');
        await api.blobs.put(`${run.job.organization}:${file}`, Readable.from([bytes]));
        return {
          result: {
            file,
            sizeBytes: bytes.length,
            pages: 0,
            ...(outputVersion !== undefined && { renderer: outputVersion }),
          },
        };
      };
      const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
      const options = { app: 'test', concurrency: 4, outputVersion, config: api.config, logger };
      const worker = await startWorker(pdfJobs, { printSpace: print, printChangeRequest: print }, options);
      workers.push(worker);
      return { runs: () => runs, stop: () => worker.stop(0) };
    };
  });

it.beforeEach(async ({ api: _started }) => {
  // Removes jobs that wait, so that the worker of the next test does not run them.
  await jobCollection().deleteMany({});
});
it.afterEach(() => vi.useRealTimers());

describe.each(kinds)('the PDF of %s', (_name, kind) => {
  it('is printed by a worker while the request waits, and returned as a URL', async ({
    api,
    organization,
    admin,
    space,
    changeRequest,
    get,
    startPrinting,
    pathOf,
  }) => {
    const { runs } = await startPrinting();
    const { status, body, headers } = await get(pathOf(kind));
    expect([status, Object.keys(body)]).toEqual([200, ['url']]);
    const job = (await get(`/v1/jobs/${headers.get('x-job-id')}`)).body;
    const id = kind === 'space-pdf' ? space._id : changeRequest._id;
    expect(job).toMatchObject({
      kind,
      state: 'succeeded',
      subject: { id },
      organization: organization._id,
      result: { pages: 0 },
    });
    expect((await jobCollection().findOne({ _id: job.id }))?.input).toMatchObject({
      spaceId: space._id,
      revision: space.revision,
      only: false,
    });

    // The URL is its own permission.
    const file = await api.call('GET', body.url);
    expect([file.status, file.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(
        /^attachment; filename\*=UTF-8''Guide%20a%20b%20%C3%BC.*\.pdf$/,
      ),
      'cache-control': 'private, no-store',
    });

    // The same is not made again, also for another caller.
    const again = await get(pathOf(kind), admin);
    expect([again.status, again.headers.get('x-job-id')]).toEqual([200, null]);
    expect((await api.call('GET', again.body.url)).bytes).toEqual(file.bytes);
    expect(runs()).toBe(1);
    // The file is kept for as long as the record of its job.
    await expireJobs(job.id);
    expect((await get(pathOf(kind))).headers.get('x-job-id')).not.toBeNull();
    expect(runs()).toBe(2);
  });

  it('is answered with its job at once for Prefer: respond-async', async ({
    api,
    reader,
    startPrinting,
    pathOf,
  }) => {
    const ask = (prefer: string) =>
      api.call('GET', pathOf(kind), { token: reader.token, headers: { prefer } });
    const accepted = await ask('handling=lenient, Respond-Async; wait=1');
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(accepted.body).toMatchObject({ object: 'job', kind, waiting: { reason: 'no_worker' } });
    expect(accepted.headers.get('x-job-id')).toBe(accepted.body.id);
    expect(accepted.headers.get('link')).toContain(accepted.body.id);
    // Whoever asks again gets the same job, and the link when it has ended.
    expect((await ask('respond-async')).body.id).toBe(accepted.body.id);
    await startPrinting();
    const ended = await until('link', async () => {
      const answer = await ask('respond-async');
      return answer.status === 200 ? answer : undefined;
    });
    expect([Object.keys(ended.body), ended.headers.get('preference-applied')]).toEqual([['url'], null]);
    // Another preference changes nothing.
    expect((await ask('return=minimal')).status).toBe(200);
  });

  it('is printed again when all live workers have another output version', async ({
    get,
    startPrinting,
    pathOf,
  }) => {
    const first = await startPrinting(undefined, 'chromium 1');
    await get(pathOf(kind));
    await get(pathOf(kind));
    expect(first.runs()).toBe(1);
    // During an update, what either version made is good.
    const second = await startPrinting(undefined, 'chromium 2');
    await get(pathOf(kind));
    expect(first.runs() + second.runs()).toBe(1);
    await first.stop();
    await get(pathOf(kind));
    await get(pathOf(kind));
    expect([first.runs(), second.runs()]).toEqual([1, 1]);
    await second.stop();
    expect((await get(pathOf(kind))).status).toBe(200);
  });

  it('is printed again when the title or language on its cover changed', async ({
    api,
    space,
    get,
    startPrinting,
    pathOf,
  }) => {
    const { runs } = await startPrinting();
    await get(pathOf(kind));
    await Space.updateOne({ _id: space._id }, { $set: { title: 'Renamed' } });
    await get(pathOf(kind));
    await Space.updateOne({ _id: space._id }, { $set: { language: 'fr' } });
    await get(pathOf(kind));
    expect(runs()).toBe(3);
    const inputs = await jobCollection().find({ kind }).sort({ createdAt: 1 }).toArray();
    expect(inputs.map(({ input: { title, language, appUrl } }) => [title, language, appUrl])).toEqual([
      [space.title, 'en', api.config.api.appUrl],
      ['Renamed', 'en', api.config.api.appUrl],
      ['Renamed', 'fr', api.config.api.appUrl],
    ]);
  });

  it('has a URL that is valid for one hour', async ({ api, organization, get, startPrinting, pathOf }) => {
    await startPrinting();
    const { url } = (await get(pathOf(kind))).body;
    const end = Number(new URL(url).searchParams.get('until'));
    expect(end - Date.now() / 1_000).toBeGreaterThan(3_590);
    expect(end - Date.now() / 1_000).toBeLessThanOrEqual(3_600);
    for (const [from, to] of [
      [/until=\d+/, `until=${end + 1}`],
      [/until=\d+&/, ''],
      [/signature=.*/, 'signature=x'],
      [/\.pdf\?/, '.html?'],
      [organization._id, 'other'],
    ] as const)
      expect((await api.call('GET', url.replace(from, to))).status).toBe(404);
    vi.useFakeTimers({ now: end * 1_000 - 1, toFake: ['Date'] });
    expect((await api.call('GET', url)).status).toBe(200);
    vi.setSystemTime(end * 1_000);
    expect((await api.call('GET', url)).status).toBe(404);
  });

  it('is printed once for concurrent requests', async ({ get, startPrinting, pathOf }) => {
    const gate = Promise.withResolvers<void>();
    const { runs } = await startPrinting(() => gate.promise);
    // On a busy machine a request may wait for longer than it is allowed to, and is sent again.
    const ask = async () => {
      const answer = await get(pathOf(kind));
      return answer.status === 503 ? undefined : answer;
    };
    const answers = Promise.all(Array.from({ length: 10 }, () => until('PDF', ask)));
    await until('run', () => runs() === 1);
    gate.resolve();
    const all = await answers;
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await jobCollection().countDocuments({ kind })).toBe(1);
    expect(runs()).toBe(1);
  });

  it('is a separate one for each page, alone or with the pages below, and for each page size', async ({
    get,
    startPrinting,
    pathOf,
  }) => {
    const { runs } = await startPrinting();
    const queries = [
      '',
      '?page=page1',
      '?page=page1&only=true',
      '?page=page1&only=false',
      '?page=page2',
      '?only=false',
      '?pageSize=letter',
      '?pageSize=a4&changes=false',
    ];
    const urls = [];
    for (const query of queries)
      urls.push((await get(`${pathOf(kind)}${query}`)).body.url.replace(/\?.*/, ''));
    expect(new Set(urls).size).toBe(5);
    expect([urls[3], urls[5], urls[7]]).toEqual([urls[1], urls[0], urls[0]]);
    expect(runs()).toBe(5);
    const inputs = (await jobCollection().find({ kind }).sort({ createdAt: 1 }).toArray()).map(
      ({ input: { page, only, pageSize } }) => [page, only, pageSize],
    );
    expect(inputs).toEqual([
      [undefined, false, 'a4'],
      ['page1', false, 'a4'],
      ['page1', true, 'a4'],
      ['page2', false, 'a4'],
      [undefined, false, 'letter'],
    ]);
  });

  it('is printed again when its file is lost', async ({ get, startPrinting, pathOf }) => {
    const { runs } = await startPrinting();
    const first = (await get(pathOf(kind))).body.url;
    await jobCollection().updateMany({ kind }, { $set: { 'result.file': 'lost' } });
    expect((await get(pathOf(kind))).body.url).not.toBe(first);
    expect(runs()).toBe(2);
  });

  it.for([
    ['?only=true', 400, 'query.only'],
    ['?only=maybe', 400, 'query.only'],
    ['?only=', 400, 'query.only'],
    ['?page=page1&only=1', 400, 'query.only'],
    ['?changes=1', 400, 'query.changes'],
    ['?pageSize=a5', 400, 'query.pageSize'],
    ['?pageSize=A4', 400, 'query.pageSize'],
    ['?page=', 400, 'query.page'],
    ['?page=page1&page=page2', 400, 'query.page'],
    ['?page=nothing', 404, undefined],
    ['?page=link1', 404, undefined],
    ['?page=nothing&only=true', 404, undefined],
    ['?page=__proto__', 404, undefined],
  ] as const)('is refused for %s with %i', async ([query, expected, field], { get, pathOf }) => {
    const { status, body } = await get(`${pathOf(kind)}${query}`);
    expect([status, body.error.details?.[0].path]).toEqual([expected, field]);
    expect(await jobCollection().countDocuments({ kind })).toBe(0);
  });

  it('answers 404 for a page of another space', async ({ organization, get, pathOf }) => {
    const other = await buildSpace(organization);
    await buildRevision(other, { pages: [{ id: 'elsewhere', source: 'x' }] });
    expect((await get(`${pathOf(kind)}?page=elsewhere`)).status).toBe(404);
  });

  it('answers 404 to callers who cannot view the space', async ({
    api,
    organization,
    space,
    get,
    pathOf,
  }) => {
    const outsider = (await buildOrganization()).admin;
    const guest = await buildMember(organization, null);
    for (const user of [outsider, guest]) expect((await get(pathOf(kind), user)).status).toBe(404);
    expect((await api.call('GET', pathOf(kind))).status).toBe(401);
    await Space.updateOne({ _id: space._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    expect((await get(pathOf(kind))).status).toBe(404);
    expect(await jobCollection().countDocuments({ kind })).toBe(0);
  });

  it('is refused with 503 at once when no worker runs, with the job that will print it', async ({
    get,
    startPrinting,
    pathOf,
  }) => {
    const startMs = Date.now();
    const { status, body, headers } = await get(pathOf(kind));
    expect(Date.now() - startMs).toBeLessThan(bound(waitMs));
    expect([status, body.error.type, body.error.message]).toEqual([
      503,
      'unavailable',
      expect.stringContaining('No worker'),
    ]);
    const id = headers.get('x-job-id');
    expect(headers.get('link')).toBe(`<http://api.test/v1/jobs/${id}>; rel="monitor"`);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(`/v1/jobs/${id}`)).body).toMatchObject({ kind, waiting: { reason: 'no_worker' } });
    // Whoever asks again waits for the same one, which the worker makes when it comes.
    expect((await get(pathOf(kind))).headers.get('x-job-id')).toBe(id);
    await startPrinting();
    await until('end', async () => (await jobCollection().findOne({ _id: id ?? '' }))?.state === 'succeeded');
    expect((await get(pathOf(kind))).status).toBe(200);
  });

  it('is refused with 503 when it takes longer than the request waits, and its job goes on', async ({
    get,
    startPrinting,
    pathOf,
  }) => {
    const gate = Promise.withResolvers<void>();
    await startPrinting(() => gate.promise);
    const { status, body, headers } = await get(pathOf(kind));
    expect([status, body.error.message]).toEqual([503, 'The PDF is still being printed.']);
    gate.resolve();
    expect((await get(`/v1/jobs/${headers.get('x-job-id')}?wait=10`)).body.state).toBe('succeeded');
    expect((await get(pathOf(kind))).status).toBe(200);
  });

  it.for([
    ['limit', 409],
    ['bad_content', 409],
    ['memory', 503],
    ['internal', 503],
  ] as const)(
    'is refused on the error %s with %i and the reason',
    async ([code, expected], { get, startPrinting, pathOf }) => {
      await startPrinting(async () => {
        throw new JobError(code, 'The document has too many pages.', {
          class: expected === 409 ? 'invalid' : 'crash',
          action: 'Ask for fewer.',
        });
      });
      const answer = await until('failure', async () => {
        const { status, body, headers } = await get(pathOf(kind));
        return body.error.message.startsWith('The PDF is still')
          ? undefined
          : { status, error: body.error, id: headers.get('x-job-id') };
      });
      expect(answer).toMatchObject({
        status: expected,
        error: { message: 'The document has too many pages.', action: 'Ask for fewer.' },
      });
      expect((await get(`/v1/jobs/${answer.id}`)).body.state).toBe('failed');
      // A failure is not kept: asking again is another try.
      expect((await get(pathOf(kind))).headers.get('x-job-id')).not.toBe(answer.id);
    },
  );

  it('is printed again after its unused file was dropped', async ({ api, get, startPrinting, pathOf }) => {
    const { runs } = await startPrinting();
    const { headers } = await get(pathOf(kind));
    const id = headers.get('x-job-id')!;
    const age = (hours: number, field: string) =>
      jobCollection().updateOne({ _id: id }, { $set: { [field]: new Date(Date.now() - hours * 3_600_000) } });
    const { pdfRetentionMs } = api.config.storage;
    await age(25, 'finishedAt');
    await age(25, 'resultUsedAt');
    // Another request renews it.
    await get(pathOf(kind));
    expect([await dropUnusedFiles(pdfRetentionMs), runs()]).toEqual([0, 1]);
    await age(25, 'resultUsedAt');
    expect(await dropUnusedFiles(pdfRetentionMs)).toBe(1);
    expect((await get(`/v1/jobs/${id}`)).body).toMatchObject({ state: 'succeeded', result: { pages: 0 } });
    expect((await get(pathOf(kind))).status).toBe(200);
    expect(runs()).toBe(2);
  });

  it('is refused for a user with too many unprinted PDFs, who may still join a job', async ({
    api,
    organization,
    space,
    get,
    pathOf,
  }) => {
    const user = await buildMember(organization, 'read');
    const most = api.config.pdf.waitingPerUser;
    await get(pathOf(kind), user);
    for (let count = 1; count < most; count += 1)
      await buildJob(space, { startedBy: user.user._id, queue: 'pdf', state: 'running' });
    const path = `/v1/spaces/${space._id}/pdf?page=page2`;
    const { status, body, headers } = await get(path, user);
    expect([status, body.error.message, headers.get('retry-after')]).toEqual([
      429,
      `${most} PDFs that you asked for are not printed yet.`,
      '30',
    ]);
    expect((await get(pathOf(kind), user)).status).toBe(503);
    expect((await get(path)).status).toBe(503);
  });

  it('may be cancelled by the user who started it and by editors, not by others who wait', async ({
    api,
    reader,
    commenter,
    editor,
    get,
    pathOf,
  }) => {
    const cancel = async (id: string, { token }: { token: string }) =>
      (await api.call('POST', `/v1/jobs/${id}/cancel`, { token })).status;
    const accept = async () => {
      await get(pathOf('space-pdf'));
      return (await jobCollection().findOne({ state: { $in: ['accepted', 'queued'] } }))!._id;
    };
    const first = await accept();
    expect((await get(pathOf('space-pdf'), commenter)).headers.get('x-job-id')).toBe(first);
    expect([await cancel(first, commenter), await cancel(first, reader)]).toEqual([403, 200]);
    expect(await cancel(await accept(), editor)).toBe(200);
  });

  it('is refused with 409 when its job is cancelled', async ({ api, reader, get, startPrinting, pathOf }) => {
    const { runs } = await startPrinting(
      (_input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const asking = get(pathOf(kind));
    await until('run', () => runs() === 1);
    const job = await jobCollection().findOne({ kind });
    expect((await api.call('POST', `/v1/jobs/${job?._id}/cancel`, { token: reader.token })).status).toBe(200);
    const { status, body } = await asking;
    expect([status, body.error.message]).toEqual([409, 'Printing the PDF was cancelled.']);
  });
});

describe('the PDF of a change request', () => {
  it('is found by its number, and differs from the PDF of the space', async ({
    space,
    changeRequest,
    get,
    startPrinting,
  }) => {
    await startPrinting();
    const byId = (await get(`/v1/spaces/${space._id}/change-requests/${changeRequest._id}/pdf`)).body.url;
    const byNumber = (await get(`/v1/spaces/${space._id}/change-requests/${changeRequest.number}/pdf`)).body
      .url;
    const ofSpace = (await get(`/v1/spaces/${space._id}/pdf`)).body.url;
    const pathOf = (url: string) => new URL(url).pathname;
    expect(pathOf(byNumber)).toBe(pathOf(byId));
    expect(pathOf(ofSpace)).not.toBe(pathOf(byId));
    expect((await get(`/v1/spaces/${space._id}/change-requests/nothing/pdf`)).status).toBe(404);
  });

  it('contains the pages of the change request', async ({ space, get, startPrinting }) => {
    const { _id: revision } = await buildRevision(space, {
      pages: [{ id: 'new1', source: 'New' }],
      publish: false,
    });
    const changed = await buildChangeRequest(space, { revision });
    await startPrinting();
    expect((await get(`/v1/spaces/${space._id}/change-requests/${changed._id}/pdf?page=new1`)).status).toBe(
      200,
    );
    expect((await get(`/v1/spaces/${space._id}/change-requests/${changed._id}/pdf?page=page1`)).status).toBe(
      404,
    );
    expect((await get(`/v1/spaces/${space._id}/pdf?page=new1`)).status).toBe(404);
  });
});

describe('the PDF of the changes of a change request', () => {
  it('is a separate PDF, compared with the initial revision of the change request', async ({
    space,
    changeRequest,
    get,
    startPrinting,
  }) => {
    const { runs } = await startPrinting();
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/pdf`;
    for (const query of ['?changes=true', '?changes=true&page=page1', '', '?changes=true'])
      expect((await get(path + query)).status).toBe(200);
    expect(runs()).toBe(3);
    const [whole, page, all] = await jobCollection().find({}).sort({ createdAt: 1 }).toArray();
    const { number, subject, revisionInitial } = changeRequest;
    expect(whole?.input).toMatchObject({ changesFrom: revisionInitial, number, subject });
    expect(page?.input).toMatchObject({ changesFrom: revisionInitial, page: 'page1' });
    expect(all?.input['changesFrom']).toBeUndefined();
  });

  it('is refused for a space', async ({ space, get }) => {
    const { status, body } = await get(`/v1/spaces/${space._id}/pdf?changes=true`);
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'query.changes', message: expect.stringContaining('only for change requests') }],
    ]);
    expect(await jobCollection().countDocuments({})).toBe(0);
  });
});

describe('the logo on the cover', () => {
  it('is the logo of a published site, if it is an image file of the organization', async ({
    api,
    organization,
    space,
    get,
    startPrinting,
  }) => {
    await startPrinting();
    const { blob } = await buildFile(api.blobs, organization._id, { bytes: 'picture' });
    const links = createLinks(api.config);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const logoAfter = async (light: string, changes: object = {}) => {
      const settings = UpdateSiteCustomization.parse({ header: { logo: { light, dark: light } } });
      await Site.updateOne(
        { _id: site._id },
        { $set: { customization: { settings, updatedAt: new Date() }, ...changes } },
      );
      await get(`/v1/spaces/${space._id}/pdf`);
      return (await jobCollection().findOne({}, { sort: { createdAt: -1 } }))?.input['logo'];
    };
    const file = { organization: organization._id, blob, name: 'logo.png' };
    const own = links.file(file);
    expect(await logoAfter(own)).toEqual({ blob, type: 'image/png' });
    expect(await logoAfter('https://example.org/logo.png')).toBeUndefined();
    expect(await logoAfter(own.replace(/signature=.*/, 'signature=x'))).toBeUndefined();
    expect(await logoAfter(links.file({ ...file, organization: 'another' }))).toBeUndefined();
    expect(await logoAfter(links.file({ ...file, name: 'logo.pdf' }))).toBeUndefined();
    expect(await logoAfter(own, { isPublished: false })).toBeUndefined();
  });
});
