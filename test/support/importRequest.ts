import type { gitJobs, JobRequest } from '@bindery/jobs';
import type { SpaceRecord } from '@bindery/models';

type ImportRequest = JobRequest<typeof gitJobs.importRepository.input>;
type ExportRequest = JobRequest<typeof gitJobs.exportRepository.input>;
type ImportInput = ImportRequest['input'];

/**
 * Builds a request for a git import of the branch `main` into a space.
 *
 * @param input  overrides of the default input, whose URL names no repository
 */
export function importRequest(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  input: Partial<ImportInput> = {},
): ImportRequest {
  return {
    organization: space.organization,
    subject: { type: 'space', id: space._id },
    startedBy: 'nobody',
    permission: 'space.triggerGitSync',
    input: {
      spaceId: space._id,
      url: 'https://git.example.org/r.git',
      hasLogin: false,
      ref: 'refs/heads/main',
      projectDirectory: '',
      force: false,
      standalone: false,
      dryRun: false,
      onConflict: 'branch',
      ...input,
    },
  };
}

/** Builds a request for a git export of a space to the branch `main`. */
export function exportRequest(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  input: Partial<ExportRequest['input']> = {},
): ExportRequest {
  const { onConflict = 'fail', commitMessage = 'Export', ...remote } = input;
  const request = importRequest(space, remote);
  return { ...request, input: { ...request.input, commitMessage, onConflict } };
}
