import { shellQuote } from '@bindery/runtime';
import type { Demo } from '../demo/startDemo.ts';
import type { Admin } from '../launcher/prepareDatabase.ts';

/** A public repository, as an example of a real import. */
const publicRepository = { url: 'https://github.com/elsa-workflows/elsa-gitbook', ref: 'refs/heads/main' };

export type Announcement = {
  /** Absent without an API. */
  apiUrl: string | undefined;
  admin: Omit<Admin, 'hasSpaces'>;
  tokenPath: string;
  startedInMs: number;
  /** One paragraph for each app that does not run. */
  missing?: readonly string[];
  /** Absent without demo content. */
  demo?: Demo | undefined;
  /** Whether an app shows sites to readers. */
  hasSites?: boolean;
  /** Absent when the console does not run. */
  consoleUrl?: string | undefined;
};

/**
 * Formats the announcement that everything runs: the addresses, the token once, and commands that can be
 * pasted.
 */
export function announce({
  apiUrl,
  admin,
  tokenPath,
  startedInMs,
  missing = [],
  demo,
  hasSites = false,
  consoleUrl,
}: Announcement): string {
  const rows = [
    ...(demo?.siteUrl && hasSites ? [['Site', demo.siteUrl]] : []),
    ...(consoleUrl ? [['Console', `${consoleUrl}  (sign in with the token)`]] : []),
    ...(apiUrl
      ? [
          ['API', `${apiUrl}/v1`],
          ['Reference', `${apiUrl}/docs`],
          ['Operate', `${apiUrl}/admin`],
        ]
      : []),
    ...(admin.isNewToken ? [['Token', `${admin.token}  (an administrator's; shown this once)`]] : []),
    ['Token file', tokenPath],
  ];
  const lines = [
    '',
    `Bindery is ready (${(startedInMs / 1000).toFixed(1)} s)${missing.length > 0 ? ', but not all of it runs' : ''}. Ctrl-C stops it.`,
    '',
    ...missing.flatMap((paragraph) => [...paragraph.split('\n').map((line) => `  ${line}`), '']),
    ...rows.map(([name, value]) => `  ${name?.padEnd(11)} ${value}`),
    '',
  ];
  if (apiUrl && admin.organizationId)
    lines.push(...examples({ apiUrl, tokenPath, organizationId: admin.organizationId, demo }));
  return lines.join('\n');
}

function examples({
  apiUrl,
  tokenPath,
  organizationId,
  demo,
}: {
  apiUrl: string;
  tokenPath: string;
  organizationId: string;
  demo: Demo | undefined;
}): string[] {
  // Reads the token when pasted, so that it is in no terminal's history; the path works in every folder.
  const authorization = `-H "Authorization: Bearer $(cat ${shellQuote(tokenPath)})"`;
  const get = (path: string) => `curl -sSw '\\n' ${authorization} ${shellQuote(`${apiUrl}/v1${path}`)}`;
  const post = (path: string, body: unknown) =>
    `curl -sSi -X POST ${authorization} -H 'Content-Type: application/json' -d ${shellQuote(JSON.stringify(body))} ${shellQuote(`${apiUrl}/v1${path}`)}`;
  const newestJobOf = (space: string) => get(`/orgs/${organizationId}/jobs?limit=1&subject=${space}`);
  // If all lines are pasted at once, this makes each command wait for the job of the one before.
  const waitForNewestJobOf = (space: string) =>
    `curl -sSw '\\n' ${authorization} "${apiUrl}/v1/jobs/$(${newestJobOf(space)} | sed -E 's/.*"object":"job","id":"([^"]+)".*/\\1/')?wait=60"`;
  const title = (text: string) => ['', `  ${text}`];

  if (demo) {
    return [
      'To try it, paste these one after the other:',
      ...title(
        'Import the demo repository, which is served here, into its space (the answer names the job: X-Job-Id)',
      ),
      post(`/spaces/${demo.guideSpaceId}/git/import`, { url: demo.repositoryUrl, ref: demo.ref }),
      ...title('Wait for the newest job of the space, and look at it'),
      waitForNewestJobOf(demo.guideSpaceId),
      ...title('Read the pages'),
      get(`/spaces/${demo.guideSpaceId}/content/pages`),
      ...title('Read the site that publishes them, as a reader of sites does'),
      get(`/orgs/${organizationId}/sites/${demo.siteId}/published`),
      ...(demo.changeRequestId === undefined
        ? []
        : [
            ...title('Merge the change request that waits in the space'),
            post(`/spaces/${demo.guideSpaceId}/change-requests/${demo.changeRequestId}/merge`, {}),
            ...title('Write the space back to the repository, and look at the commit'),
            post(`/spaces/${demo.guideSpaceId}/git/export`, {
              url: demo.repositoryUrl,
              ref: demo.ref,
              commitMessage: 'Say where the logs are',
            }),
            waitForNewestJobOf(demo.guideSpaceId),
            `git clone --quiet ${demo.repositoryUrl} bindery-guide && git -C bindery-guide show --stat`,
          ]),
      ...(demo.specification === undefined
        ? []
        : [
            ...title('Compare the two versions of an API specification, as Markdown'),
            get(
              `/orgs/${organizationId}/openapi/${demo.specification}/versions/previous/diff/latest?format=markdown`,
            ),
          ]),
      ...(demo.translation === undefined
        ? []
        : [
            ...title('Look at the translation of the space “Product docs” into Spanish, and at its texts'),
            get(`/orgs/${organizationId}/translations/${demo.translation}`),
            get(`/orgs/${organizationId}/translations/${demo.translation}/segments?limit=5`),
          ]),
      ...(demo.docsSpaceId === undefined
        ? []
        : [
            ...title('Search the documentation of this version, which is a space too'),
            get(`/spaces/${demo.docsSpaceId}/search?query=backup`),
          ]),
      ...title('Import a public repository into another space'),
      post(`/spaces/${demo.otherSpaceId}/git/import`, publicRepository),
      '',
    ];
  }
  const created = `SPACE=$(curl -sS -X POST ${authorization} -H 'Content-Type: application/json' -d '{"title":"My first space"}' ${shellQuote(`${apiUrl}/v1/orgs/${organizationId}/spaces`)} | sed -E 's/.*"id":"([^"]+)".*/\\1/') && echo "$SPACE"`;
  return [
    'To try it, paste these one after the other:',
    ...title('Make a space'),
    created,
    ...title('Import a public repository into it (the answer names the job: X-Job-Id)'),
    post('/spaces/SPACE/git/import', publicRepository).replace(
      "/spaces/SPACE/git/import'",
      `/spaces/'"$SPACE"/git/import`,
    ),
    ...title('Watch its newest job'),
    newestJobOf('SPACE').replace("SPACE'", `'"$SPACE"`),
    ...title('Read the pages'),
    `curl -sSw '\\n' ${authorization} ${shellQuote(`${apiUrl}/v1/spaces/`)}"$SPACE"/content/pages`,
    '',
  ];
}
