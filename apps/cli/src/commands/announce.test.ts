import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announce } from './announce.ts';

describe('the announcement when everything is ready', () => {
  let folder: string;
  const tokenPath = () => join(folder, "it's here", 'token');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-announce-'));
    await mkdir(join(folder, "it's here"));
    await writeFile(tokenPath(), 'bnd_kept\n');
    // A curl that prints its arguments, one per line, or answers like the API; a git that prints its own.
    await writeFile(
      join(folder, 'curl'),
      `#!/bin/sh\ncase $* in *limit=1*) echo '{"count":1,"items":[{"object":"job","id":"j7","kind":"x"}]}';; *'"title"'*) echo '{"object":"space","id":"s9","title":"x"}';; *) for a; do echo "$a"; done;; esac\n`,
    );
    await writeFile(join(folder, 'git'), '#!/bin/sh\necho git "$@"\n');
    for (const name of ['curl', 'git']) await chmod(join(folder, name), 0o755);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const admin = { token: 'bnd_new', isNewToken: true, organizationId: 'o1' };
  const text = (more: Partial<Parameters<typeof announce>[0]> = {}) =>
    announce({ apiUrl: 'http://127.0.0.1:3000', admin, tokenPath: tokenPath(), startedInMs: 1_234, ...more });
  const demo = {
    repositoryUrl: 'http://127.0.0.1:4000/guide.git',
    ref: 'refs/heads/main',
    guideSpaceId: 's1',
    otherSpaceId: 's2',
    siteId: 't1',
  };

  /** Pastes the commands into one shell, and returns the arguments of curl. */
  async function paste(announcement: string): Promise<string> {
    const commands = announcement.split('\n').filter((line) => /^(curl|git|SPACE=)/.test(line));
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands.join('\n')], {
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    return stdout;
  }

  it('shows a new token once', () => {
    expect(text()).toContain('bnd_new');
    expect(text({ admin: { ...admin, token: 'bnd_kept', isNewToken: false } })).not.toContain('bnd_kept');
  });

  it('has commands for the demo that work when pasted', async () => {
    const got = await paste(
      text({ demo: { ...demo, changeRequestId: 'c1', specification: 'library', translation: 'l1' } }),
    );
    expect(got.match(/^Authorization: Bearer .*$/gm)).toEqual(
      Array.from({ length: 11 }, () => 'Authorization: Bearer bnd_kept'),
    );
    expect(got.match(/^http:.*$/gm)).toEqual([
      'http://127.0.0.1:3000/v1/spaces/s1/git/import',
      'http://127.0.0.1:3000/v1/jobs/j7?wait=60',
      'http://127.0.0.1:3000/v1/spaces/s1/content/pages',
      'http://127.0.0.1:3000/v1/orgs/o1/sites/t1/published',
      'http://127.0.0.1:3000/v1/spaces/s1/change-requests/c1/merge',
      'http://127.0.0.1:3000/v1/spaces/s1/git/export',
      'http://127.0.0.1:3000/v1/jobs/j7?wait=60',
      'http://127.0.0.1:3000/v1/orgs/o1/openapi/library/versions/previous/diff/latest?format=markdown',
      'http://127.0.0.1:3000/v1/orgs/o1/translations/l1',
      'http://127.0.0.1:3000/v1/orgs/o1/translations/l1/segments?limit=5',
      'http://127.0.0.1:3000/v1/spaces/s2/git/import',
    ]);
    expect(got).toContain(
      'git clone --quiet http://127.0.0.1:4000/guide.git bindery-guide\ngit -C bindery-guide show --stat\n',
    );
    expect(got).toContain('{"url":"http://127.0.0.1:4000/guide.git","ref":"refs/heads/main"}');
  });

  it('has commands without the demo that create a space first', async () => {
    const got = await paste(text());
    expect(got.match(/^s9$/gm)).toHaveLength(1);
    expect(got.match(/^http:.*$/gm)).toEqual([
      'http://127.0.0.1:3000/v1/spaces/s9/git/import',
      'http://127.0.0.1:3000/v1/spaces/s9/content/pages',
    ]);
  });

  it('has no commands without an API', () => {
    expect(text({ apiUrl: undefined })).not.toContain('curl');
  });
});
