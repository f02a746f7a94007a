import { z } from 'zod';
import { text } from '../input/input.ts';
import { ImportGitRepository, ImportRef } from './git.ts';

/** How many of the newest events of a hook are listed. */
export const maxGitHookEvents = 20;

const secretDescription =
  'Enter it at the git host as the secret of the webhook; at GitLab as the secret token or the signing token.';

/**
 * The settings of a hook: a push to this branch or tag starts an import with the other fields. `force`,
 * `standalone` and `timestamp` belong to single imports.
 */
export const SetGitHook = ImportGitRepository.pick({
  url: true,
  repoCacheID: true,
  repoTreeURL: true,
  repoCommitURL: true,
  repoProjectDirectory: true,
  gitInfo: true,
  onConflict: true,
})
  .extend({
    ref: ImportRef.refine(
      (ref) => ref.startsWith('refs/heads/') || ref.startsWith('refs/tags/'),
      'must be refs/heads/<branch> or refs/tags/<tag>',
    )
      .meta({ pattern: '^refs/' })
      .describe('A push to this branch or tag starts an import.'),
    secret: text(16, 256)
      .regex(/^[\x21-\x7e]+$/, 'must be of printable ASCII characters without spaces')
      .optional()
      .describe('A secret of your own. Without it, the hook keeps its secret; a new hook gets a random one.'),
  })
  .meta({ id: 'SetGitHook' });
export type SetGitHook = z.infer<typeof SetGitHook>;

/** An event that a git host sent with a valid signature, and what became of it. */
export const GitHookEvent = z
  .object({
    object: z.literal('git-hook-event'),
    host: z
      .enum(['github', 'gitlab', 'gitea', 'bitbucket'])
      .describe('The kind of the git host; `gitea` is also Forgejo and Gogs.'),
    event: z.string().describe('Its name, as the host sends it.'),
    deliveryId: z.string().optional().describe('Id of the request at the host, if it sends one.'),
    outcome: z.enum(['started', 'ignored', 'refused']),
    reason: z
      .enum(['other_event', 'other_repository', 'other_ref', 'deleted_ref', 'no_permission', 'no_login'])
      .optional()
      .describe('Why the event started no import.'),
    message: z.string(),
    jobId: z.string().optional().describe('The import.'),
    receivedAt: z.iso.datetime(),
  })
  .meta({ id: 'GitHookEvent' });
export type GitHookEvent = z.infer<typeof GitHookEvent>;

const shown = {
  object: z.literal('git-hook'),
  payloadURL: z.string().describe('The address to enter at the git host.'),
  url: z.string().describe('The repository, without credentials.'),
  hasCredentials: z.boolean().describe('Whether the URL had credentials. They are stored encrypted.'),
  ref: z.string(),
  repoProjectDirectory: z.string().optional(),
  repoCacheID: z.string().optional(),
  repoTreeURL: z.string().optional(),
  repoCommitURL: z.string().optional(),
  gitInfo: z.object({ provider: z.enum(['github', 'gitlab']), url: z.string() }).optional(),
  onConflict: ImportGitRepository.shape.onConflict,
  previousSecretExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('Until then events signed with the previous secret are accepted too.'),
  setBy: z.string().describe('Id of the user who set the hook. Its imports run as this user.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  events: z
    .array(GitHookEvent)
    .describe(`The last ${maxGitHookEvents} events with a valid signature, newest first.`),
  urls: z.object({ location: z.string() }),
};

export const GitHook = z.object(shown).meta({ id: 'GitHook' });
export type GitHook = z.infer<typeof GitHook>;

/** The answer of the operations that may make a secret: no other shows it. */
export const GitHookWithSecret = z
  .object({
    ...shown,
    secret: z.string().optional().describe(`Shown once, if it is new. ${secretDescription}`),
  })
  .meta({ id: 'GitHookWithSecret' });
export type GitHookWithSecret = z.infer<typeof GitHookWithSecret>;
