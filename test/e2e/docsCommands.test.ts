import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { outerEnvironment, projectFolder, useLaunchers } from '../support/processes/launcher.ts';
import { startContentServer } from '../support/content/contentServer.ts';
import { bound } from '../support/machine.ts';

// The commands of the documentation, run in the order in which somebody pastes them. A new block of commands
// must run here, or be listed with the reason why it cannot.

const specification = join(projectFolder, 'apps/cli/src/demo/specification/library-1.0.yaml');

/** Pages whose blocks run in one shell, one page after the other. */
const pastedTogether = ['docs/getting-started.md', 'docs/jobs.md', 'docs/api-guide.md'];
/** Pages whose blocks name objects as SPACE or $SPACE: each block runs in a shell of its own. */
const pastedAlone = [
  'README.md',
  'docs/openapi.md',
  'docs/translation.md',
  'docs/git-sync.md',
  'docs/scaling.md',
  'docs/operating.md',
  'docs/custom-hostnames.md',
  'docs/declaration.md',
  'docs/security.md',
  'docs/single-sign-on.md',
];

const notRun: { block: RegExp; reason: string }[] = [
  { block: /^npm (start|test)$/m, reason: 'npmStart.test.ts starts it; this is the test' },
  { block: /docker|\.env\b/, reason: 'needs a Docker engine' },
  { block: /kubectl/, reason: 'needs a cluster' },
  { block: /bindery (backup|restore)|--data \.bindery-new/, reason: 'test/faults/backup.test.ts runs them' },
  {
    block: /^mongosh/m,
    reason: 'the clients of the stores are not installed; storeSockets.test.ts connects',
  },
  { block: /^OTEL_/m, reason: 'environment of processes; tracing.test.ts sets it' },
  { block: /bindery (login|logout)/, reason: 'asks for a token; loginCommand.test.ts answers' },
  { block: /bindery push/, reason: 'needs a folder; pushCommand.test.ts makes them' },
  { block: /bindery (watch|preview)/, reason: 'runs until Ctrl-C; watchCommand.test.ts ends it' },
  { block: /^apt-get/m, reason: 'installs programs for the whole machine' },
];

describe('the commands of the documentation', { timeout: bound(900_000) }, () => {
  const { folder, launch } = useLaunchers();

  it('run in the order of the pages, on an installation with the demo', async () => {
    const web = await startContentServer();
    web.put('/openapi.yaml', { type: 'application/yaml', body: await readFile(specification) });
    web.put('/guide/', { body: '<h1>Guide</h1><p>Cut in spring.</p>' });
    const one = launch(['npm', 'start', '--', '--data', folder(), '--port', '0'], {
      BINDERY_OUTBOUND_ALLOW: web.hostPort,
    });
    const { apiUrl, token } = await one.ready();
    await vi.waitFor(() => expect(one.output()).toMatch(/bindery-guide\.git/), { timeout: 180_000 });
    const repository = /http:[^"']*bindery-guide\.git/.exec(one.output())![0];
    const here = dirname(folder());
    await symlink(basename(folder()), join(here, '.bindery'));
    for (const name of ['openapi.yaml', 'openapi-next.yaml', 'main.yaml'])
      await copyFile(specification, join(here, name));

    const adapt = (commands: string) =>
      commands
        .replaceAll(
          /https:\/\/[^"' ]*github\.com\/(elsa-workflows\/elsa-gitbook|me\/docs\.git|owner\/name\.git)/g,
          repository,
        )
        .replaceAll('https://example.org/openapi.yaml', `${web.origin}/openapi.yaml`)
        .replaceAll('https://docs.example.org/guide/', `${web.origin}/guide/`)
        .replaceAll('http://127.0.0.1:3000', apiUrl);
    const paste = async (commands: string, names: Record<string, string> = {}) => {
      const shell = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${prelude}\n${commands}`], {
        cwd: here,
        env: {
          ...outerEnvironment(),
          ...names,
          BINDERY_BIN: join(projectFolder, 'apps/cli/bin/bindery'),
          BINDERY_API_URL: apiUrl,
          BINDERY_TOKEN: token,
          DATA: folder(),
          BINDERY: apiUrl,
          API: `${apiUrl}/v1`,
          TOKEN: token,
        },
        maxBuffer: 64 << 20,
      });
      return (
        await shell.catch((error: Error & { stdout: string }) => {
          throw new Error(`${error.message}\n${error.stdout.slice(-2_000)}`);
        })
      ).stdout;
    };

    const docs = /spaces\/([^/]+)\/search/.exec(one.output())?.[1] ?? '';
    const links = `curl -sS -H "Authorization: Bearer $TOKEN" "$API/spaces/${docs}/links?status=broken"`;
    await vi.waitFor(
      async () =>
        expect(await paste(links.replace('links?status=broken', 'content/pages'))).toContain('Scaling'),
      {
        timeout: 180_000,
      },
    );
    expect(JSON.parse(await paste(links))).toMatchObject({ items: [] });

    const pages = pastedTogether.flatMap(blocksOf).filter((block) => !reasonAgainst(block));
    const functions = pages[0]!.match(/^(call|value)\(\).*$/gm)!.join('\n');
    const output = await paste(
      `${adapt(pages.join('\n'))}\nprintf '\\n%s\\n' "names $ORG $SPACE $SITE $CR $JOB"`,
    );
    const [ORG = '', SPACE = '', SITE = '', CR = '', JOB = ''] =
      /^names (.*)$/m.exec(output)?.[1]?.split(' ') ?? [];

    const call = `curl -sS -H "Authorization: Bearer $TOKEN"`;
    const translation = JSON.parse(await paste(`${call} "$API/orgs/${ORG}/translations"`)) as {
      items: { id: string }[];
    };
    const site = JSON.parse(await paste(`${call} "$API/orgs/${ORG}/sites/${SITE}"`)) as {
      urls: { published: string };
    };
    const names = { ORG, SPACE, SITE, CR, JOB, ID: translation.items[0]?.id ?? '' };
    const named = (block: string) =>
      block
        .replaceAll('SPACE/12', `${SPACE}/1`)
        .replaceAll('URL FROM urls.published', site.urls.published)
        .replaceAll(
          /(?<![$\w{])(ORG|SPACE|SITE|JOB|ID)\b(?!=)/g,
          (_whole, name: keyof typeof names) => names[name],
        );
    for (const page of pastedAlone) {
      for (const block of blocksOf(page).filter((text) => !reasonAgainst(text)))
        await paste(adapt(named(block)), names);
      // A space has one translation into a language, so that each page needs a space of its own.
      const space = `${call} -X POST -H 'Content-Type: application/json' -d '{"title":"For one page"}'`;
      names.SPACE = (JSON.parse(await paste(`${space} "$API/orgs/${ORG}/spaces"`)) as { id: string }).id;
    }
    const failing = `call POST "/spaces/${SPACE}/git/import" '{"url":"${repository}","ref":"refs/heads/absent"}'
      JOB=$(call GET "/orgs/${ORG}/jobs?subject=${SPACE}&limit=1" | value 'items[0].id')
      call GET "/jobs/$JOB?wait=60" | value id`;
    const failed = (await paste(`${functions}\n${failing}`)).trim();
    for (const command of inlineCommandsOf('docs/operating.md'))
      await paste(
        command
          .replace(/(?<=retry )ID/, failed)
          .replace(/(?<=--organization )ID/, ORG)
          .replace(/\bID\b/, JOB),
      );
    await web.close();
    process.kill(-(one.child.pid ?? 0), 'SIGINT');
    await one.ended();
  });

  it.each(['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: projectFolder })])(
    'of %s run, or have a reason not to run',
    (page) => {
      if (pastedTogether.includes(page) || pastedAlone.includes(page)) return;
      expect(blocksOf(page).filter((block) => !reasonAgainst(block))).toEqual([]);
    },
  );
});

/** The blocks of commands of a page. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(projectFolder, page), 'utf8');
  return [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, block = '']) => block);
}

/** The commands in the text and the tables of a page. */
function inlineCommandsOf(page: string): string[] {
  const text = readFileSync(join(projectFolder, page), 'utf8');
  return [...text.matchAll(/`(npx bindery [^`]+)`/g)].map(([, command = '']) => command);
}

function reasonAgainst(block: string): string | undefined {
  return notRun.find((entry) => entry.block.test(block))?.reason;
}

/** Fails on answers with an error, and calls the command of this checkout. */
const prelude = `
curl() { command curl --fail-with-body "$@"; }
npx() {
  shift
  case $1 in
    jobs | secrets | upgrade) "$BINDERY_BIN" "$@" --data "$DATA" ;;
    *) "$BINDERY_BIN" "$@" ;;
  esac
}
`;
