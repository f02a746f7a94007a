import { notFastForward } from '../../../apps/worker-git/src/git/wire/pushErrors.ts';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planTexts, type ExportPlan, type FileChange } from '@bindery/content/export';
import type {
  ExportAsks,
  ExportContents,
  ExportOutcome,
  ExportPlans,
  ExportPoint,
  ExportRequest,
  ExportStage,
} from '../../../apps/worker-git/src/child/repositoryExport.ts';
import { writeRepository } from '../../../apps/worker-git/src/child/writeRepository.ts';
import { gitLimits } from './readRemote.ts';

/** The parts of an export; by default it changes nothing. */
export type Writing = Partial<ExportRequest> &
  Partial<ExportAsks> &
  Partial<ExportContents> & {
    url: string;
    changes?: readonly FileChange[];
    plan?: ExportPlans['plan'];
    onPoint?(point: ExportPoint): void;
  };

export type Written = {
  outcome: ExportOutcome;
  points: ExportPoint[];
  stages: ExportStage[];
  ready: Parameters<ExportAsks['ready']>[0][];
};

export type RemoteWriter = {
  /**
   * Writes to the branch `main` with the usual settings, in this process, with given changes instead of
   * planned ones.
   */
  write(writing: Writing): Promise<Written>;
  close(): void;
};

const nothing = {
  pages: [],
  files: [],
  reusableContents: [],
  variables: [],
  redirects: [],
} satisfies ExportContents['content'];

/** The last state in sync, of which these tests need only the commit. */
export function inStepWith(commit: string): Pick<ExportContents, 'synced'> {
  return { synced: { commit, content: nothing } };
}

export const writtenAt = 1_760_000_000;

export function createRemoteWriter(): RemoteWriter {
  const root = mkdtempSync(join(tmpdir(), 'bindery-writing-'));
  return {
    write: async ({
      changes = [],
      content = nothing,
      synced,
      plan = async () => planOf(changes),
      texts,
      documents,
      files,
      unrecorded,
      ready,
      onPoint,
      ...request
    }) => {
      const written: Omit<Written, 'outcome'> = { points: [], stages: [], ready: [] };
      const outcome = await writeRepository(
        {
          ref: 'refs/heads/main',
          projectDirectory: '',
          canMerge: false,
          force: false,
          dryRun: false,
          commit: {
            message: 'Write the docs\n\nBindery-Job: job_1\n',
            author: { name: 'Grace Example', email: 'grace@example.com' },
            at: writtenAt,
          },
          outbound: {
            allow: [URL.parse(request.url)?.host].filter((host) => host !== undefined),
            refused: [],
          },
          limits: gitLimits,
          workFolder: mkdtempSync(join(root, 'w-')),
          ...request,
        },
        {
          plan,
          planTexts,
          onStage: (stage) => void (written.stages.at(-1) === stage || written.stages.push(stage)),
          onPoint: (point) => {
            written.points.push(point);
            onPoint?.(point);
          },
          texts: texts ?? (async () => undefined),
          contents: async () => ({ content, synced }),
          documents: documents ?? (async () => new Map()),
          files: files ?? (async () => ({ spool: '', files: new Map() })),
          unrecorded: unrecorded ?? (async () => undefined),
          ready: async (commit) => {
            written.ready.push(commit);
            await ready?.(commit);
          },
        },
      );
      // As an export does that cannot merge the branch.
      if (outcome.kind === 'diverged') throw notFastForward(outcome.message);
      return { outcome, ...written };
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Returns a plan with nothing but changes. */
export function planOf(changes: readonly FileChange[]): ExportPlan {
  return {
    changes,
    pages: new Map(),
    files: new Map(),
    reusableContents: new Map(),
    rewritten: new Map(),
    warnings: [],
  };
}

/** Writes a text to a path. */
export function text(path: string, content: string | Uint8Array): FileChange {
  const bytes = Buffer.from(content);
  return { kind: 'text', path, oid: blobOid(bytes), bytes };
}

export function remove(path: string): FileChange {
  return { kind: 'remove', path };
}

export function blobOid(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
