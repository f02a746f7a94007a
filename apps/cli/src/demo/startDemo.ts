import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@bindery/runtime';
import { freePort } from '../launcher/freePort.ts';
import type { Run } from '../launcher/run.ts';
import type { Caller } from './callForDemo.ts';
import { createDemoContent, type DemoContent } from './demoContent.ts';
import { publishDemoSpecification, specificationSlug } from './demoSpecification.ts';
import { translateDemoSpace } from './demoTranslation.ts';
import { startGitHttpBackend } from './gitHttpBackend.ts';
import { canServeGit, ensureGuideRepository, guideBranch, guideName } from './guideRepository.ts';

/**
 * The demo content: a repository served on loopback, an empty space for importing it, and a space for a
 * repository of the user's choice.
 */
export type Demo = {
  repositoryUrl: string;
  ref: string;
  guideSpaceId: string;
  otherSpaceId: string;
  siteId: string;
  /** Absent in an installation with an older demo. */
  changeRequestId?: string;
  /** Slug of an API specification with two versions, the second of which is still being made. */
  specification?: string;
  /** Id of a translation, whose run may still wait. */
  translation?: string;
};

export type DemoServer = {
  /** The address that outbound requests must be allowed to reach. */
  hostAndPort: string;
  /** Makes the content on the first start; undefined once it was deleted. */
  fill(caller: Caller): Promise<Demo | undefined>;
};

/** Stored beside the data: a space keeps the repository's URL, so the port must not change. */
type Memory = {
  port: number;
  content?: Omit<DemoContent, Newer> & Partial<Pick<DemoContent, Newer>>;
  /** Absent in an installation with an older demo, which gets no specification. */
  specification?: 'unfinished' | 'published';
  /** Absent in an installation with an older demo, and where it was refused. */
  translation?: string;
};

/** What an older demo does not have. */
type Newer = 'changeRequest' | 'product';

/**
 * Serves the demo repository until the end of the run. Without git there is no demo; an error in it prevents
 * nothing else from starting.
 */
export async function startDemo(run: Run, dataFolder: string): Promise<DemoServer | undefined> {
  try {
    return await startServer(run, dataFolder);
  } catch (error) {
    run.say(`demo: the repository cannot be served: ${messageOf(error)}`);
    return undefined;
  }
}

async function startServer(run: Run, dataFolder: string): Promise<DemoServer | undefined> {
  if (!(await canServeGit(run.environment))) {
    run.say(
      'demo: git with `git http-backend` is not here, so there is no demo repository (Debian: `apt-get install git`)',
    );
    return undefined;
  }
  const folder = join(dataFolder, 'demo');
  await mkdir(folder, { recursive: true });
  await ensureGuideRepository(folder, run.environment);

  const memoryPath = join(folder, 'demo.json');
  const memory = await readMemory(memoryPath);
  const port = await freePort(memory?.port);
  // Like the large hosts: a client may omit blobs and request single ones later. Exports from this machine
  // are accepted.
  const config = {
    'uploadpack.allowFilter': 'true',
    'uploadpack.allowAnySHA1InWant': 'true',
    'http.receivepack': 'true',
  };
  const server = await startGitHttpBackend({ root: folder, host: '127.0.0.1', port, config });
  run.undo.defer(() => server.close());

  return {
    hostAndPort: `127.0.0.1:${port}`,
    async fill(caller) {
      const translated = async (space: string | undefined) =>
        space === undefined
          ? undefined
          : translateDemoSpace(caller, space).catch((error: unknown) => {
              run.say(`demo: ${messageOf(error)}`);
              return undefined;
            });
      const content =
        memory?.content ??
        (await createDemoContent(caller).catch((error: unknown) => run.say(`demo: ${messageOf(error)}`)));
      if (!content) return undefined;
      const specification = memory?.content ? memory.specification : 'unfinished';
      const translation =
        memory?.translation ?? (memory?.content ? undefined : await translated(content.product));
      const remember = async (state: Memory['specification']) =>
        writeFile(
          memoryPath,
          JSON.stringify({ port, content, specification: state, translation } satisfies Memory),
        );
      await remember(specification);
      if (!(await hasSpace(caller, content.guide)) || !(await hasSpace(caller, content.other)))
        return undefined;
      // Not awaited: its worker may start later than the API, or not at all.
      if (specification === 'unfinished')
        void publishDemoSpecification(caller, run.signal)
          .then(async () => remember('published'))
          .catch((error: unknown) => {
            if (!run.signal.aborted) run.say(`demo: ${messageOf(error)}`);
          });
      return {
        repositoryUrl: `${server.url}/${guideName}`,
        ref: `refs/heads/${guideBranch}`,
        guideSpaceId: content.guide,
        otherSpaceId: content.other,
        siteId: content.site,
        changeRequestId: content.changeRequest,
        specification: specification ? specificationSlug : undefined,
        translation,
      };
    },
  };
}

/** Also false when the API does not answer: it may have died since it was ready. */
async function hasSpace({ apiUrl, token }: Caller, id: string): Promise<boolean> {
  const response = await fetch(`${apiUrl}/v1/spaces/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

async function readMemory(path: string): Promise<Memory | undefined> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Memory,
    () => undefined,
  );
}
