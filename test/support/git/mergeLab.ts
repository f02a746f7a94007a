import type { GitMerge } from '@bindery/contract';
import type { PageTree } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import { expect } from 'vitest';
import { editContent, setFields, storeSource } from '../content/editContent.ts';
import { textsOf } from './exportSubjects.ts';
import { startSyncLab, type SyncLab } from './syncLab.ts';

const guide = ['# Guide', 'First.', 'Second.', 'Third.'];

export const guideText = (...parts: string[]) => `${parts.join('\n\n')}\n`;

export const textOf = async (space: SpaceRecord, title: string) => (await textsOf(space))[title];

export const newPage = (id: string, title: string): PageTree => ({
  type: 'document',
  id,
  title,
  slug: id,
  path: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  pages: [],
});

export const mergeOf = (job: { result?: object }) => (job.result as { merge?: GitMerge }).merge;

/** A space and a branch in sync. */
type Synced = {
  repository: Awaited<ReturnType<SyncLab['gitServer']['createRepository']>>;
  space: SpaceRecord;
};

export type MergeLab = SyncLab & {
  /** Returns a space and a branch in sync, with pages of several paragraphs. */
  inSync(): Promise<Synced>;
  rewrite(space: SpaceRecord, title: string, text: string): Promise<void>;
  /** Expects that after both directions once more, the space and the branch have the same content. */
  expectInSync(synced: Synced): Promise<void>;
};

/** Starts a lab for a space and a branch that both change. */
export async function startMergeLab(): Promise<MergeLab> {
  const lab = await startSyncLab();
  return {
    ...lab,
    inSync: async () => {
      const repository = await lab.gitServer.createRepository(lab.newName(), {
        'README.md': '# Home\n\nWelcome.\n',
        'SUMMARY.md':
          '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Setup](setup.md)\n* [FAQ](faq.md)\n',
        'guide.md': guideText(...guide),
        'setup.md': '# Setup\n\nInstall it.\n',
        'faq.md': '# FAQ\n\nAsk.\n',
      });
      const space = await lab.newSpace();
      const job = await lab.importInto(space, repository.url);
      expect(job.state).toBe('succeeded');
      return { repository, space };
    },
    rewrite: async (space, title, text) => {
      const page = await lab.pageNamed(space, title);
      const document = await storeSource(space.organization, text);
      await editContent(space, (tree) => setFields(tree, page?.id ?? '', { document }));
    },
    expectInSync: async ({ repository, space }) => {
      expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
      const head = await repository.oid('main');
      const imported = await lab.importInto(space, repository.url);
      expect(imported).toMatchObject({ state: 'succeeded', result: { unchanged: true, commit: head } });
      const exported = await lab.exportFrom(space, repository.url);
      expect(exported).toMatchObject({ state: 'succeeded', result: { unchanged: true } });
      const copy = await lab.newSpace();
      await lab.importInto(copy, repository.url);
      expect(await lab.titlesOf(copy)).toEqual(await lab.titlesOf(space));
      for (const title of await lab.titlesOf(copy))
        expect(await textOf(space, title), title).toBe(await textOf(copy, title));
      await repository.git(['fsck', '--full', '--strict']);
    },
  };
}
