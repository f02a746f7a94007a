import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../launcher/freePort.ts';
import type { Run } from '../launcher/run.ts';
import { createDemoContent, type Caller, type DemoContent } from './demoContent.ts';
import { startGitHttpBackend } from './gitHttpBackend.ts';
import { canServeGit, ensureGuideRepository, guideBranch, guideName } from './guideRepository.ts';

/** The demo content: a repository served on loopback, an empty space to import it into, and one for a repository of the visitor's choice. */
export type Demo = {
  repositoryUrl: string;
  ref: string;
  guideSpaceId: string;
  otherSpaceId: string;
  siteId: string;
  /** Absent in an installation whose demo is older. */
  changeRequestId?: string;
};

export type DemoServer = {
  /** What outbound requests have to be allowed to reach. */
  hostAndPort: string;
  /** Makes the content on the first start; undefined once they were deleted. */
  fill(caller: Caller): Promise<Demo | undefined>;
};

/** What is remembered beside the data: a space keeps the repository's URL, so the port stays the same. */
type Memory = { port: number; content?: Omit<DemoContent, 'changeRequest'> & Partial<Pick<DemoContent, 'changeRequest'>> };

/** Serves the demo repository until the end of the run. Without git there is no demo; and what goes wrong with it keeps nothing else from starting. */
export async function startDemo(run: Run, dataFolder: string): Promise<DemoServer | undefined> {
  try {
    return await startServer(run, dataFolder);
  } catch (error) {
    run.say(`demo: the repository cannot be served: ${String(error instanceof Error ? error.message : error)}`);
    return undefined;
  }
}

async function startServer(run: Run, dataFolder: string): Promise<DemoServer | undefined> {
  if (!(await canServeGit(run.environment))) {
    run.say('demo: git with `git http-backend` is not here, so there is no demo repository (Debian: `apt-get install git`)');
    return undefined;
  }
  const folder = join(dataFolder, 'demo');
  await mkdir(folder, { recursive: true });
  await ensureGuideRepository(folder, run.environment);

  const memoryPath = join(folder, 'demo.json');
  const memory = await readMemory(memoryPath);
  const port = await freePort(memory?.port);
  // As the large hosts do: a client may leave out the blobs and ask for those it wants. Spaces may be exported to it, from this machine.
  const config = { 'uploadpack.allowFilter': 'true', 'uploadpack.allowAnySHA1InWant': 'true', 'http.receivepack': 'true' };
  const server = await startGitHttpBackend({ root: folder, host: '127.0.0.1', port, config });
  run.undo.defer(() => server.close());

  return {
    hostAndPort: `127.0.0.1:${port}`,
    async fill(caller) {
      const content =
        memory?.content ??
        (await createDemoContent(caller).catch((error: unknown) =>
          run.say(`demo: ${error instanceof Error ? error.message : String(error)}`),
        ));
      if (!content) return undefined;
      await writeFile(memoryPath, JSON.stringify({ port, content } satisfies Memory));
      if (!(await hasSpace(caller, content.guide)) || !(await hasSpace(caller, content.other))) return undefined;
      return {
        repositoryUrl: `${server.url}/${guideName}`,
        ref: `refs/heads/${guideBranch}`,
        guideSpaceId: content.guide,
        otherSpaceId: content.other,
        siteId: content.site,
        ...(content.changeRequest !== undefined && { changeRequestId: content.changeRequest }),
      };
    },
  };
}

/** False also when the API does not answer: it may have died since it was ready. */
async function hasSpace({ apiUrl, token }: Caller, id: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/v1/spaces/${id}`, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

async function readMemory(path: string): Promise<Memory | undefined> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Memory,
    () => undefined,
  );
}
