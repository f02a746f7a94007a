import type { GitSyncPointRecord, SpaceRecord } from '@bindery/models';
import { describe, expect, it } from 'vitest';
import type { PushCheckpoint } from './pushCheckpoint.ts';
import { resumeExport } from './resumeExport.ts';

const checkpoint = {
  exported: 'revision',
  organization: 'ours',
  commit: 'pushed',
  since: 'before',
} as PushCheckpoint;
const space = { _id: 'space', organization: 'ours' } as SpaceRecord;
const point = { commit: 'before' } as GitSyncPointRecord;

describe('resumeExport', () => {
  it('starts afresh if no run reached its push', () => {
    expect(resumeExport(undefined, { space, point })).toEqual({ state: 'fresh' });
  });

  it('resumes a push while the sync point is that of the earlier run', () => {
    expect(resumeExport(checkpoint, { space, point })).toEqual({ state: 'resumed', checkpoint });
    expect(resumeExport({ ...checkpoint, since: undefined }, { space, point: undefined })).toMatchObject({
      state: 'resumed',
    });
  });

  it('treats the push as settled after a later sync or a transfer of the space', () => {
    expect(resumeExport(checkpoint, { space, point: { ...point, commit: 'pushed' } })).toEqual({
      state: 'settled',
      checkpoint,
    });
    expect(resumeExport(checkpoint, { space: { ...space, organization: 'theirs' }, point })).toEqual({
      state: 'settled',
      checkpoint,
    });
  });

  it('detects that the space has synced with another remote since a merge was pushed', () => {
    const merged = { ...checkpoint, syncedWith: 'here', merge: {} } as PushCheckpoint;
    const now = (syncedWith: string) => ({ space: { ...space, syncedWith }, point });
    expect(resumeExport(merged, now('here'))).toMatchObject({ state: 'resumed' });
    expect(resumeExport(merged, now('elsewhere'))).toMatchObject({ state: 'settled' });
  });
});
