import type { RevisionGitRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';

/** The part of a git job's input that a revision shows. */
type GitInput = {
  ref: string;
  projectDirectory: string;
  repoCommitUrl?: string | undefined;
  repoTreeUrl?: string | undefined;
};

/** Builds a revision's data on the commit that it came from, or was exported to. */
export function revisionGit(
  input: GitInput,
  commit: Pick<RevisionGitRecord, 'oid' | 'message' | 'createdByDocs'>,
): RevisionGitRecord {
  const { ref, projectDirectory, repoCommitUrl, repoTreeUrl } = input;
  return compact({
    ...commit,
    url: repoCommitUrl ? `${repoCommitUrl.replace(/\/$/, '')}/${commit.oid}` : undefined,
    ref,
    projectDirectory,
    treeUrl: repoTreeUrl || undefined,
  });
}
