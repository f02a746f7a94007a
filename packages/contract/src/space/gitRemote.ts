import { z } from 'zod';
import { text } from '../input/input.ts';

export const DescribeGitRemote = z
  .object({
    /** Checked by the guarded client: http or https, with an optional login. */
    url: text(1, 2048).describe(
      'URL of the repository, with http or https. Credentials in it are used for this request alone.',
    ),
  })
  .meta({ id: 'DescribeGitRemote' });
export type DescribeGitRemote = z.infer<typeof DescribeGitRemote>;

const refFields = {
  name: z.string().describe('Short name, such as `main`.'),
  ref: z.string().describe('Full name, as `ref` of an import.'),
};

const GitRemoteBranch = z
  .object({ ...refFields, oid: z.string().describe('Its commit.') })
  .meta({ id: 'GitRemoteBranch' });
export type GitRemoteBranch = z.infer<typeof GitRemoteBranch>;

const GitRemoteTag = z
  .object({
    ...refFields,
    oid: z.string().describe('The tagged object, usually a commit.'),
    tagOid: z.string().optional().describe('The tag object; only of an annotated tag.'),
  })
  .meta({ id: 'GitRemoteTag' });
export type GitRemoteTag = z.infer<typeof GitRemoteTag>;

/** A repository as its git server describes it for these credentials. */
export const GitRemote = z
  .object({
    login: z
      .enum(['none', 'required', 'unused', 'accepted', 'refused'])
      .describe(
        'The credentials of the URL: `none` if it has none and the server asks for none, `required` if it has none and the server asks for some, `unused` if the server asked for none, else whether the server accepted them.',
      ),
    canRead: z.boolean().describe('Whether the server accepts this URL for an import.'),
    canPush: z
      .boolean()
      .describe(
        'Whether the server accepts a push with these credentials. It may still refuse one to a protected branch.',
      ),
    defaultBranch: GitRemoteBranch.optional().describe(
      'The branch that HEAD names; absent in an empty repository, and when HEAD names a commit.',
    ),
    branches: z.array(GitRemoteBranch).describe('Up to 1,000, in the order of the server.'),
    tags: z.array(GitRemoteTag).describe('Up to 1,000, in the order of the server.'),
    truncated: z
      .object({ branches: z.boolean(), tags: z.boolean() })
      .describe('Whether the repository has more than are listed; those can be imported too.'),
  })
  .meta({ id: 'GitRemote' });
export type GitRemote = z.infer<typeof GitRemote>;
