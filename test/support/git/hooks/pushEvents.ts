import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A request as a git host sends it. */
export type HookRequest = { headers: Record<string, string>; body: string };

export type PushToSend = { repository: string; ref: string; secret: string; isDeleted?: boolean };

const before = '6113728f27ae82c7b1a177c8d03f9e96e0adf246';
const head = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const none = '0'.repeat(40);

const hmacOf = (secret: string, text: string, form: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(form);
const commit = {
  id: head,
  tree_id: 'f9d2a07e9488b91af2641b26b9407fe22a451433',
  distinct: true,
  message: 'Explain the set-up',
  timestamp: '2026-01-05T15:20:41+02:00',
  url: `https://git.example.org/${head}`,
  author: { name: 'Ada Writer', email: 'ada@example.org', username: 'ada' },
  committer: { name: 'Ada Writer', email: 'ada@example.org', username: 'ada' },
  added: [],
  removed: [],
  modified: ['docs/set-up.md'],
};

/** Pushes in the forms that the hosts document, signed as they sign them. */
export const pushRequests: Record<string, (push: PushToSend) => HookRequest> = {
  github: (push) => {
    const body = JSON.stringify(githubPush(push));
    return {
      headers: { ...githubHeaders, 'x-hub-signature-256': `sha256=${hmacOf(push.secret, body)}` },
      body,
    };
  },
  'github, as a form': (push) => {
    const body = `payload=${encodeURIComponent(JSON.stringify(githubPush(push)))}`;
    return {
      headers: {
        ...githubHeaders,
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': `sha256=${hmacOf(push.secret, body)}`,
      },
      body,
    };
  },
  'gitlab, secret token': (push) => ({
    headers: { ...gitlabHeaders, 'x-gitlab-token': push.secret },
    body: JSON.stringify(gitlabPush(push)),
  }),
  'gitlab, signing token': (push) => {
    const body = JSON.stringify(gitlabPush(push));
    const [id, timestamp] = ['c9d3cc16-6a1d-4c5f-9bd5-d83b9a3c1f9a', '1767617105'];
    const key = Buffer.from(push.secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return {
      headers: {
        ...gitlabHeaders,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    };
  },
  'gitlab, system hook': (push) => ({
    headers: { ...gitlabHeaders, 'x-gitlab-event': 'System Hook', 'x-gitlab-token': push.secret },
    body: JSON.stringify({ ...gitlabPush(push), object_kind: undefined }),
  }),
  gitea: (push) => {
    const body = JSON.stringify(githubPush(push));
    const signature = hmacOf(push.secret, body);
    return {
      headers: {
        ...{
          'content-type': 'application/json',
          'x-gitea-event': 'push',
          'x-gitea-delivery': 'f6266f16-1bf3',
        },
        // Gitea sends the headers of GitHub and Gogs too.
        ...{ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` },
        ...{ 'x-gogs-event': 'push', 'x-gogs-signature': signature, 'x-gitea-signature': signature },
      },
      body,
    };
  },
  // As a Gitea server was seen to send it: the signature is that of the JSON.
  'gitea, as a form': (push) => {
    const json = JSON.stringify(githubPush(push));
    return {
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-gitea-event': 'push' },
        'x-gitea-signature': hmacOf(push.secret, json),
      },
      body: `payload=${encodeURIComponent(json)}`,
    };
  },
  'bitbucket cloud': (push) => {
    const body = JSON.stringify(bitbucketCloudPush(push));
    return {
      headers: {
        ...{ 'content-type': 'application/json', 'x-event-key': 'repo:push', 'x-hook-uuid': 'a-hook' },
        ...{ 'x-request-uuid': 'a-request', 'x-attempt-number': '1' },
        'x-hub-signature': `sha256=${hmacOf(push.secret, body)}`,
      },
      body,
    };
  },
  'bitbucket data center': (push) =>
    bitbucketEvent('repo:refs_changed', { payload: bitbucketServerPush(push), secret: push.secret }),
};

/** An event of Bitbucket Data Center; that of the Cloud differs in headers that nobody reads. */
export function bitbucketEvent(
  event: string,
  { payload, secret }: { payload: unknown; secret: string },
): HookRequest {
  const body = JSON.stringify(payload);
  return {
    headers: {
      ...{ 'content-type': 'application/json; charset=utf-8', 'x-event-key': event },
      ...{ 'x-request-id': 'a-request', 'x-hub-signature': `sha256=${hmacOf(secret, body)}` },
    },
    body,
  };
}

const githubHeaders = {
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/044aadd',
  'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'x-github-event': 'push',
  'x-github-hook-id': '292430182',
};
const gitlabHeaders = {
  'content-type': 'application/json',
  'user-agent': 'GitLab/18.11.0',
  'x-gitlab-event': 'Push Hook',
  'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  'x-gitlab-instance': 'https://gitlab.example.org',
};

export function githubPush({ repository, ref, isDeleted = false }: PushToSend) {
  const [owner = '', name = ''] = repository.split('/');
  return {
    ref,
    before,
    after: isDeleted ? none : head,
    repository: {
      id: 186_853_002,
      name,
      full_name: repository,
      private: true,
      owner: { name: owner, email: null, login: owner, id: 38_302_899, type: 'Organization' },
      html_url: `https://github.com/${repository}`,
      url: `https://github.com/${repository}`,
      created_at: 1_557_933_565,
      updated_at: '2026-01-05T15:20:41Z',
      pushed_at: 1_767_618_041,
      git_url: `git://github.com/${repository}.git`,
      ssh_url: `git@github.com:${repository}.git`,
      clone_url: `https://github.com/${repository}.git`,
      default_branch: 'main',
      master_branch: 'main',
    },
    pusher: { name: 'ada', email: 'ada@example.org' },
    sender: { login: 'ada', id: 21_031_067, type: 'User' },
    created: false,
    deleted: isDeleted,
    forced: false,
    base_ref: null,
    compare: `https://github.com/${repository}/compare/6113728f27ae...0d1a26e67d8f`,
    commits: isDeleted ? [] : [commit],
    head_commit: isDeleted ? null : commit,
  };
}

function gitlabPush({ repository, ref, isDeleted = false }: PushToSend) {
  const kind = ref.startsWith('refs/tags/') ? 'tag_push' : 'push';
  const url = `https://gitlab.example.org/${repository}`;
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  return {
    object_kind: kind,
    event_name: kind,
    before,
    after: isDeleted ? none : head,
    ref,
    ref_protected: true,
    checkout_sha: isDeleted ? null : head,
    user_id: 4,
    user_name: 'Ada Writer',
    user_username: 'ada',
    user_email: '',
    project_id: 15,
    project: {
      ...{ id: 15, name, description: '', web_url: url, avatar_url: null, visibility_level: 0 },
      ...{ git_ssh_url: `git@gitlab.example.org:${repository}.git`, git_http_url: `${url}.git` },
      ...{ namespace: 'Docs', path_with_namespace: repository, default_branch: 'main', homepage: url },
    },
    commits: [{ ...commit, title: commit.message }],
    total_commits_count: 1,
    push_options: {},
    repository: { name, url: `git@gitlab.example.org:${repository}.git`, homepage: url },
  };
}

function bitbucketCloudPush({ repository, ref, isDeleted = false }: PushToSend) {
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  const target = { type: 'commit', hash: head, author: { raw: 'Ada <ada@example.org>' }, message: 'Explain' };
  const named = { type: kind === 'tags' ? 'tag' : 'branch', name, target, links: {} };
  const other = { ...named, type: 'branch', name: 'unrelated' };
  return {
    push: {
      changes: [
        { old: null, new: other, created: true, closed: false, forced: false, truncated: false, commits: [] },
        {
          ...{ old: named, new: isDeleted ? null : named, created: false, closed: isDeleted, forced: false },
          ...{ truncated: false, commits: [target], links: {} },
        },
      ],
    },
    repository: {
      ...{ type: 'repository', full_name: repository, name: 'Handbook', uuid: '{a}', scm: 'git' },
      ...{
        links: { html: { href: `https://bitbucket.org/${repository}` } },
        is_private: true,
        website: null,
      },
    },
    actor: { type: 'user', display_name: 'Ada', nickname: 'ada', uuid: '{b}' },
  };
}

function bitbucketServerPush({ repository, ref, isDeleted = false }: PushToSend) {
  const [key = '', slug = ''] = repository.split('/');
  return {
    eventKey: 'repo:refs_changed',
    date: '2026-01-05T15:20:41+0200',
    actor: { name: 'ada', emailAddress: 'ada@example.org', id: 1, displayName: 'Ada', active: true },
    repository: {
      ...{ slug, id: 84, name: slug, scmId: 'git', state: 'AVAILABLE', forkable: true, public: false },
      project: { key: key.toUpperCase(), id: 84, name: 'Docs', public: false, type: 'NORMAL' },
    },
    changes: [
      {
        ref: { id: ref, displayId: ref.split('/').at(-1), type: 'BRANCH' },
        ...{ refId: ref, fromHash: before, toHash: isDeleted ? none : head },
        type: isDeleted ? 'DELETE' : 'UPDATE',
      },
    ],
  };
}

/** A push to `refs/heads/main` of `writer/Handbook`, recorded from a Gitea 1.22, byte for byte. */
export const recordedGiteaPush: HookRequest = JSON.parse(
  readFileSync(new URL('giteaPush.json', import.meta.url), 'utf8'),
);
/** The secret that it was signed with. */
export const recordedSecret = 'whsec_c2VjcmV0LW9mLWEtaG9vay1mb3ItdGVzdHMtMzItYnl0';
