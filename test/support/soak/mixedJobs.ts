import {
  Comment,
  jobCollection,
  Revision,
  Space,
  Translation,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../checker/client.ts';
import type { ContentServer } from '../content/contentServer.ts';
import { editPage } from '../git/exportSubjects.ts';
import type { GitRepository } from '../git/gitRepository.ts';
import { petstore } from '../openapi/specs.ts';
import { canary, type FaultLab } from '../processes/faultLab.ts';
import { until } from '../until.ts';

/** A job takes as long only when something is stuck. */
const jobMs = 180_000;
/** Between the rounds of one subject. */
const pauseMs = 500;

/** The effects of the load of a soak. */
export type Load = {
  /** Jobs whose acceptance was answered. */
  accepted: string[];
  /** The number of jobs by kind, state and error. */
  outcomes: Map<string, number>;
  /** Writes that were acknowledged. */
  acknowledged: { what: string; isReadable: () => Promise<boolean> }[];
  /** Spaces with other revisions than those of imports and exports. */
  edited: string[];
  /** Checks of the effects of jobs in places that the checker does not know. */
  checks: (() => Promise<string[]>)[];
};

type Parts = { client: Client; server: ContentServer; hasChromium: boolean; signal: AbortSignal };

const pages = { 'README.md': '# Home\n', 'soil.md': '# Soil\n\nWords.\n', 'water.md': '# Water\n\nWords.\n' };

/** Starts jobs of all kinds through the API, each subject its own one after the other, until aborted. */
export async function runMixedJobs(
  lab: FaultLab,
  load: Load,
  { client, server, hasChromium, signal }: Parts,
): Promise<void> {
  /** Waits for the end of a job through the API. */
  const ended = async (jobId: string | undefined) => {
    if (jobId === undefined) return;
    load.accepted.push(jobId);
    const look = async () => {
      const { body } = await client.send('GET', `/jobs/${jobId}`);
      const job = body as { kind: string; state: string; finishedAt?: string; error?: { code: string } };
      return job.finishedAt ? job : undefined;
    };
    const { kind, state, error } = await until(`end of job ${jobId}`, look, {
      timeoutMs: jobMs,
      everyMs: 200,
    });
    const outcome = [kind, state, error?.code].filter(Boolean).join(' ');
    load.outcomes.set(outcome, (load.outcomes.get(outcome) ?? 0) + 1);
  };
  const start = async (method: string, path: string, json?: unknown) => {
    const { status, body, jobId } = await client.send(method, path, json);
    if (status >= 300 && status !== 409)
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    await ended(jobId);
  };
  const repeat = async (round: (count: number) => Promise<void>) => {
    for (let count = 0; !signal.aborted; count += 1) {
      await round(count);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  /** A space whose content comes from a repository of its own. */
  const synced = async (): Promise<{ space: SpaceRecord; repository: GitRepository; remote: object }> => {
    const repository = await lab.gitServer.createRepository(`${newId()}.git`, pages);
    const space = await lab.newSpace();
    await lab.waitFor((await lab.import(space, repository.url))._id, 'succeeded', jobMs);
    const url = repository.url.replace('//', `//somebody:${canary}@`);
    return { space, repository, remote: { url, ref: 'refs/heads/main' } };
  };
  const editedSpace = async () => {
    const subject = await synced();
    load.edited.push(subject.space._id);
    return subject;
  };
  // The contents repeat, so that only the records of jobs and revisions grow.
  const stateOf = (count: number) => `State ${count % 4}.`;

  const imports = async () => {
    const { space, repository, remote } = await synced();
    await repeat(async (count) => {
      await repository.commit({ 'soil.md': `# Soil\n\n${stateOf(count)}\n` });
      await start('POST', `/spaces/${space._id}/git/import`, remote);
    });
  };
  const exports = async () => {
    const { space, repository, remote } = await editedSpace();
    load.checks.push(async () => commitsNotOnce(repository));
    await repeat(async (count) => {
      await editPage(space, 'Soil', stateOf(count));
      await start('POST', `/spaces/${space._id}/git/export`, { ...remote, commitMessage: `Round ${count}` });
    });
  };
  const contentImports = async () => {
    server.put('/guide.md', { type: 'text/markdown', body: '# Guide\n\nWords.\n' });
    await repeat(async () => {
      const space = await lab.newSpace();
      load.edited.push(space._id);
      await start('POST', `/spaces/${space._id}/content/import`, {
        url: `${server.origin}/guide.md`,
        source: 'markdown',
      });
      load.checks.push(async () => {
        const [revisions, succeeded] = await Promise.all([
          Revision.countDocuments({ space: space._id }),
          jobCollection().countDocuments({ 'subject.id': space._id, state: 'succeeded' }),
        ]);
        return revisions === 1 + succeeded && succeeded <= 1
          ? []
          : [`${succeeded} content imports into ${space._id} made ${revisions} revisions`];
      });
    });
  };
  const { organization } = await lab.newSpace();
  const specifications = async () => {
    await repeat(async (count) => {
      const document = petstore({}, { info: { title: 'Pets', version: `1.${count}` } });
      server.put('/pets.json', { type: 'application/json', body: document });
      const source = { url: `${server.origin}/pets.json` };
      await start('PUT', `/orgs/${organization}/openapi/soak`, { source });
    });
  };
  const translations = async () => {
    const { space } = await editedSpace();
    const { body, jobId } = await client.send('POST', `/orgs/${organization}/translations`, {
      language: 'es',
      source: { space: space._id, language: 'en' },
    });
    const { id } = body as { id: string };
    const { result } = await Translation.findById(id).lean<TranslationRecord>().orFail();
    load.edited.push(result.space);
    await ended(jobId);
    await repeat(async (count) => {
      await editPage(space, 'Water', stateOf(count));
      await start('POST', `/orgs/${organization}/translations/${id}/run`);
    });
  };
  const prints = async () => {
    if (!hasChromium) return;
    const { space } = await editedSpace();
    await repeat(async (count) => {
      await editPage(space, 'Soil', stateOf(count));
      await start('GET', `/spaces/${space._id}/pdf`);
    });
  };
  const writes = async () => {
    const space = await lab.newSpace();
    load.edited.push(space._id);
    let title = '';
    load.acknowledged.push({
      what: 'the last title of a space',
      isReadable: async () => title === '' || (await Space.exists({ _id: space._id, title })) !== null,
    });
    await repeat(async (count) => {
      const next = `Title ${count}`;
      const { status } = await client.send('PATCH', `/spaces/${space._id}`, { title: next });
      if (status === 200) title = next;
      const markdown = `Comment ${count}`;
      const posted = await client.send('POST', `/spaces/${space._id}/comments`, { body: { markdown } });
      if (posted.status !== 200) return;
      load.acknowledged.push({
        what: `${markdown} of space ${space._id}, once`,
        isReadable: async () =>
          (await Comment.countDocuments({ space: space._id, 'body.markdown': markdown })) === 1,
      });
    });
  };
  await Promise.all([
    ...[imports(), imports(), imports(), exports(), exports()],
    ...[contentImports(), specifications(), translations(), prints(), writes()],
  ]);
}

/** Jobs of which a branch has more than one commit. */
async function commitsNotOnce(repository: GitRepository): Promise<string[]> {
  const messages = (await repository.git(['log', '--format=%B', 'main'])).toString();
  const jobs = [...messages.matchAll(/^Bindery-Job: (\S+)$/gm)].map(([, id]) => id!);
  return jobs.filter((id, index) => jobs.indexOf(id) !== index).map((id) => `two commits of job ${id}`);
}
