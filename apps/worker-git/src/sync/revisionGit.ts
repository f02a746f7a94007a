import type { RevisionGitRecord } from '@bindery/models';

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
  return {
    ...commit,
    ...(repoCommitUrl && { url: `${repoCommitUrl.replace(/\/$/, '')}/${commit.oid}` }),
    ref,
    projectDirectory,
    ...(repoTreeUrl && { treeUrl: repoTreeUrl }),
  };
}
