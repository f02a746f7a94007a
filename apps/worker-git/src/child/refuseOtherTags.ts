import { JobError } from '@bindery/contract/jobErrors';

import type { ObjectStore } from '../git/objects/objectStore.ts';

/** Git tags any object; only a commit has the files of a space. @throws JobError bad_content */
export function refuseOtherTags(store: ObjectStore, { ref, oid }: { ref: string; oid: string }): void {
  const type = store.find(oid)?.type;
  if (!ref.startsWith('refs/tags/') || type === undefined || type === 'commit') return;
  throw new JobError('bad_content', `The tag ${ref} is of a ${names[type]}, not of a commit.`, {
    action: 'Import a branch, or a tag of a commit; check `ref`.',
  });
}

const names = { tree: 'folder', blob: 'file', tag: 'tag' };
