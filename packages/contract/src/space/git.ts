import { z } from 'zod';
import { fromWord, text, WebUrl } from '../input/input.ts';
import { ExportConflictRule, ImportConflictRule } from './gitMerge.ts';
import { trimmedSides } from '../input/trimCharacters.ts';

/** The git sync of a space, the same object as in `git/info`. */
export const GitSync = z
  .object({
    installationId: z.string(),
    installationProvider: z.enum(['github', 'gitlab', 'github-legacy']),
    installationStatus: z.literal('active'),
    repoName: z.string().optional(),
    url: z.string().optional(),
    updatedAt: z.iso.datetime().optional(),
    operation: z
      .object({
        state: z.enum(['running', 'success', 'failure', 'timeout']),
        direction: z.enum(['import', 'export']),
        startedAt: z.iso.datetime(),
        endedAt: z.iso.datetime().optional(),
        error: z.string().optional(),
        errorAction: z
          .object({ label: z.string(), url: z.url() })
          .optional()
          .describe('How to resolve the failure, and where to find more about it.'),
      })
      .optional(),
  })
  .meta({ id: 'GitSyncState' });
export type GitSync = z.infer<typeof GitSync>;

/**
 * The rules of `git check-ref-format` for what follows `refs/heads/` or `refs/tags/`.
 *
 * @see https://git-scm.com/docs/git-check-ref-format
 */
function isBranchName(name: string): boolean {
  if (
    name === '' ||
    name === '@' ||
    name.startsWith('-') ||
    name.endsWith('/') ||
    name.endsWith('.') ||
    name.includes('..') ||
    name.includes('@{')
  )
    return false;
  // oxlint-disable-next-line no-control-regex -- refuses control characters
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** A branch, as pushes name it. */
const BranchRef = text(1, 1024)
  .refine(
    (ref) => ref.startsWith('refs/heads/') && isBranchName(ref.slice('refs/heads/'.length)),
    'must be refs/heads/ followed by a valid branch name',
  )
  .meta({ pattern: '^refs/heads/' });

/** A branch, a tag, or a pull or merge request for a preview. */
export const ImportRef = text(1, 1024)
  .refine(
    (ref) =>
      BranchRef.safeParse(ref).success ||
      (ref.startsWith('refs/tags/') && isBranchName(ref.slice('refs/tags/'.length))) ||
      /^refs\/(pull\/[1-9]\d{0,9}\/(head|merge)|merge-requests\/[1-9]\d{0,9}\/head)$/.test(ref),
    'must be refs/heads/<branch>, refs/tags/<tag>, refs/pull/<n>/head, refs/pull/<n>/merge or refs/merge-requests/<n>/head',
  )
  .meta({ pattern: '^refs/' });

/** A folder in the repository, with or without slashes at its ends; it cannot lead out of the repository. */
const ProjectDirectory = text(0, 1024)
  .refine(
    (path) =>
      !/[\\]|\p{Cc}/u.test(path) &&
      trimmed(path)
        .split('/')
        .every(
          (part) => part !== '..' && part.toLowerCase() !== '.git' && (part !== '' || trimmed(path) === ''),
        ),
    'must be a folder inside the repository, such as docs/guide',
  )
  .transform((path) =>
    trimmed(path)
      .split('/')
      .filter((part) => part !== '.')
      .join('/'),
  );

function trimmed(path: string): string {
  return trimmedSides(path, '/');
}

/**
 * Refuses events further ahead than clocks differ: one dated 9999 would make all later ones look outdated.
 */
const clockSkewMs = 24 * 3_600_000;

const EventTime = z.iso
  .datetime({ offset: true })
  .refine((time) => Date.parse(time) <= Date.now() + clockSkewMs, 'must not lie in the future')
  .meta({ format: 'date-time' });

/** The repository and the settings that an import and an export of the same space share. */
const remoteFields = {
  /** Checked by the guarded client: http or https, with an optional login. */
  url: text(1, 2048).describe(
    'URL of the repository, with http or https. Credentials in it are encrypted and never shown.',
  ),
  repoCacheID: text(0, 256).optional(),
  repoTreeURL: WebUrl.optional(),
  repoCommitURL: WebUrl.optional(),
  repoProjectDirectory: ProjectDirectory.optional(),
  timestamp: EventTime.optional(),
  force: z.boolean().optional(),
  gitInfo: z.object({ provider: z.enum(['github', 'gitlab']), url: WebUrl }).optional(),
};

export const ImportGitRepository = z
  .object({
    ...remoteFields,
    ref: ImportRef,
    standalone: z.boolean().optional(),
    onConflict: ImportConflictRule.optional().describe(
      'The version to take where the branch and the space both changed the same lines. The default is ' +
        '`gitOnConflict` of the space, or else `branch`.',
    ),
  })
  .meta({ id: 'ImportGitRepository' });
export type ImportGitRepository = z.infer<typeof ImportGitRepository>;

const maxCommitMessage = 65_536;

/**
 * Refuses characters that git would not keep. Lines that name a committer are removed, because the message
 * does not determine the author.
 */
const CommitMessage = text(1, maxCommitMessage)
  // oxlint-disable-next-line no-control-regex -- refuses control characters
  .refine((message) => !/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(message), 'must not hold control characters')
  .transform(withoutIdentities)
  .refine((message) => message !== '', 'must say what changed');

/** Removes lines that name another author than the acting user, or another job, and trims the message. */
function withoutIdentities(message: string): string {
  return message
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:[a-z][a-z-]*-by|bindery-job)\s*:/i.test(line))
    .join('\n')
    .trim();
}

export const ExportToGitRepository = z
  .object({
    ...remoteFields,
    ref: BranchRef,
    commitMessage: CommitMessage,
    standalone: z.boolean().optional(),
    onConflict: ExportConflictRule.optional().describe(
      'The version to take where the branch and the space both changed the same lines; by default the export fails.',
    ),
  })
  .meta({ id: 'ExportToGitRepository' });
export type ExportToGitRepository = z.infer<typeof ExportToGitRepository>;

/** Asks for the changes of an import or an export without making them. */
export const GitDryRun = z.object({
  dryRun: fromWord(z.boolean().default(false)).describe(
    'true performs a dry run: the result of the job lists what would change, and nothing is written.',
  ),
});
