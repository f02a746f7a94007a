import { IndexTask, type SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { contentTokenFor } from '../support/http/contentTokenFor.ts';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { buildOrganization } from '../support/factories.ts';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';
import { startGitServer, type GitServer } from '../support/git/gitServer.ts';
import { startProber, type Prober } from './prober.ts';

export type Answer = { status: number; text: string; body: any }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

/**
 * The platform's processes, what hostile texts come from, and a prober that asks all the time whether anybody
 * has to wait.
 */
export type HostilePlatform = {
  lab: FaultLab;
  server: ContentServer;
  /** Serves repositories without a login. */
  wikis: GitServer;
  prober: Prober;
  /** Calls the API as a member, or with another token. A 503 has to say that the text takes too long. */
  ask(method: string, path: string, json?: unknown, token?: string): Promise<Answer>;
  /** The same, and it has to succeed. */
  get(path: string, token?: string): Promise<Answer['body']>;
  newSpace(): Promise<SpaceRecord>;
  /** Publishes a space. @returns the token of a visitor */
  publish(space: SpaceRecord): Promise<{ site: string; token: string }>;
  /** Waits until search knows what a space holds now. */
  indexed(space: SpaceRecord): Promise<void>;
  close(): Promise<void>;
};

export async function startHostilePlatform(): Promise<HostilePlatform> {
  const [server, wikis] = await Promise.all([startContentServer(), startGitServer()]);
  const lab = await startFaultLab({
    ...rareSweeps,
    BINDERY_OUTBOUND_ALLOW: [server, wikis].map(({ hostPort }) => hostPort).join(','),
    BINDERY_IMPORT_WAIT_SECONDS: '60',
  });
  const [api] = (await Promise.all([
    lab.start('api'),
    lab.start('worker-maintenance'),
    lab.start('worker-git'),
  ])) as [AppProcess, ...AppProcess[]];
  const origin = `http://127.0.0.1:${api.port}`;
  const other = await buildOrganization();
  const authorization = `Bearer ${other.admin.token}`;
  const prober = startProber([
    { name: '/healthz', url: `${origin}/healthz`, headers: {}, limitMs: 300 },
    {
      name: 'another organization',
      url: `${origin}/v1/orgs/${other.organization._id}/spaces?limit=5`,
      headers: { authorization },
      limitMs: 1_000,
    },
  ]);

  const platform: HostilePlatform = {
    lab,
    server,
    wikis,
    prober,
    ask: async (method, path, json, token) => {
      const response = token
        ? await fetch(`${origin}/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })
        : await lab.call(api, method, path, json);
      const { status } = response;
      const text = await response.text();
      // Each further request continues the reading.
      if (status === 503 && text.includes('being read for the first time'))
        return platform.ask(method, path, json, token);
      if (status >= 500)
        expect(`${method} ${path} ${status} ${text.slice(0, 500)}`).toContain('takes too long');
      return { status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
    },
    get: async (path, token) => {
      const { status, text, body } = await platform.ask('GET', path, undefined, token);
      expect(status, `${path} ${text.slice(0, 500)}`).toBe(200);
      return body;
    },
    newSpace: lab.newSpace,
    publish: async (space) => {
      const sites = `/orgs/${space.organization}/sites`;
      const { body } = await platform.ask('POST', sites, {
        title: 'Site',
        visibility: 'unlisted',
        spaces: [space._id],
      });
      expect((await platform.ask('POST', `${sites}/${body.id}/publish`, {})).status).toBe(200);
      const site = {
        _id: body.id as string,
        organization: space.organization,
        visibility: 'unlisted' as const,
      };
      return { site: site._id, token: await contentTokenFor(lab, site) };
    },
    indexed: async (space) => {
      await until('end of the indexing', async () => !(await IndexTask.exists({ _id: space._id })), {
        timeoutMs: 120_000,
      });
    },
    close: async () => {
      await prober.stop();
      await lab.close();
      await Promise.all([server.close(), wikis.close()]);
    },
  };
  return platform;
}
