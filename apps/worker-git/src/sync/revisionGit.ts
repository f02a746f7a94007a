import type { RevisionGitRecord } from '@bindery/models';

/** What of a git job's input a revision shows. */
type GitInput = { ref: string; projectDirectory: string; repoCommitUrl?: string | undefined; repoTreeUrl?: string | undefined };

/** What a revision says of the commit that it came from, or went to. */
export function revisionGit(input: GitInput, commit: Pick<RevisionGitRecord, 'oid' | 'message' | 'createdByDocs'>): RevisionGitRecord {
  const { ref, projectDirectory, repoCommitUrl, repoTreeUrl } = input;
  return {
    ...commit,
    ...(repoCommitUrl && { url: `${repoCommitUrl.replace(/\/$/, '')}/${commit.oid}` }),
    ref,
    projectDirectory,
    ...(repoTreeUrl && { treeUrl: repoTreeUrl }),
  };
}
