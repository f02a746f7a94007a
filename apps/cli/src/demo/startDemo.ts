import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@bindery/runtime';
import { freePort } from '../launcher/freePort.ts';
import type { Run } from '../launcher/run.ts';
import type { Caller } from './callForDemo.ts';
import { createDemoContent, type DemoContent } from './demoContent.ts';
import { publishDemoSpecification, specificationSlug } from './demoSpecification.ts';
import { translateDemoSpace } from './demoTranslation.ts';
import { importDocs, type DemoDocs } from './demoDocs.ts';
import {
  canServeGit,
  demoBranch,
  docsRepository,
  ensureRepository,
  followFiles,
  guideRepository,
} from './demoRepository.ts';
import { startGitHttpBackend } from './gitHttpBackend.ts';

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
  /** URL of the site with the documentation, else of the guide; absent when neither is published. */
  siteUrl?: string | undefined;
  /** Absent in an installation with an older demo. */
  changeRequestId?: string;
  /** Slug of an API specification with two versions, the second of which is still being made. */
  specification?: string;
  /** Id of a translation, whose run may still wait. */
  translation?: string;
  /** Id of the space with the documentation, whose import may still wait. */
  docsSpaceId?: string;
};

export type DemoServer = {
  /** The address that outbound requests must be allowed to reach. */
  hostAndPort: string;
  /**
   * Makes the content on the first start; undefined once it was deleted.
   *
   * @param isNew  whether there is no space: content of others, such as that of a restored backup, gets no
   *   demo
   */
  fill(caller: Caller, installation: { isNew: boolean }): Promise<Demo | undefined>;
};

/** Stored beside the data: a space keeps the repository's URL, so the port must not change. */
type Memory = {
  port: number;
  content?: Omit<DemoContent, Newer> & Partial<Pick<DemoContent, Newer>>;
  /** Absent in an installation with an older demo, which gets no specification. */
  specification?: 'unfinished' | 'published';
  /** Absent in an installation with an older demo, and where it was refused. */
  translation?: string;
  /** Absent where the API refused it. */
  docs?: DemoDocs;
};

/** The fields that an older demo lacks. */
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
  await ensureRepository(folder, guideRepository, run.environment);
  const commit = await followFiles(folder, docsRepository, run.environment);

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

  const ref = `refs/heads/${demoBranch}`;
  const docs = { url: `${server.url}/${docsRepository.name}`, ref, commit };

  return {
    hostAndPort: `127.0.0.1:${port}`,
    async fill(caller, { isNew }) {
      if (!memory && !isNew) return undefined;
      // From now on the spaces may be those of the demo, also after an interruption.
      if (!memory) await writeFile(memoryPath, JSON.stringify({ port } satisfies Memory));
      const sayFailure = (error: unknown): undefined => {
        if (!run.signal.aborted) run.say(`demo: ${messageOf(error)}`);
      };
      const content = memory?.content ?? (await createDemoContent(caller).catch(sayFailure));
      if (!content) return undefined;
      const specification = memory?.content ? memory.specification : 'unfinished';
      const untranslated = memory?.content ? undefined : content.product;
      const translation =
        memory?.translation ??
        (untranslated && (await translateDemoSpace(caller, untranslated).catch(sayFailure)));
      const areDocsDeleted = memory?.docs && !(await hasSpace(caller, memory.docs.space));
      const imported = areDocsDeleted
        ? memory?.docs
        : ((await importDocs(caller, docs, memory?.docs).catch(sayFailure)) ?? memory?.docs);
      const remember = async (state: Memory['specification']) =>
        writeFile(
          memoryPath,
          JSON.stringify({
            port,
            content,
            specification: state,
            translation,
            docs: imported,
          } satisfies Memory),
        );
      await remember(specification);
      if (!(await hasSpace(caller, content.guide)) || !(await hasSpace(caller, content.other)))
        return undefined;
      // Not awaited: its worker may start later than the API, or not at all.
      if (specification === 'unfinished')
        void publishDemoSpecification(caller, run.signal)
          .then(async () => remember('published'))
          .catch(sayFailure);
      return {
        repositoryUrl: `${server.url}/${guideRepository.name}`,
        ref,
        guideSpaceId: content.guide,
        otherSpaceId: content.other,
        siteId: content.site,
        siteUrl: await publishedUrl(caller, imported?.site ?? content.site),
        changeRequestId: content.changeRequest,
        specification: specification ? specificationSlug : undefined,
        translation,
        docsSpaceId: areDocsDeleted ? undefined : imported?.space,
      };
    },
  };
}

async function publishedUrl(
  { apiUrl, token, organizationId }: Caller,
  site: string,
): Promise<string | undefined> {
  const response = await fetch(`${apiUrl}/v1/orgs/${organizationId}/sites/${site}`, {
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { urls } = (await response.json()) as { urls: { published?: string } };
  return urls.published;
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
