import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GitBookAPI } from '@gitbook/api';
import type { OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { GitBookAPI as OlderGitBookAPI } from 'gitbook-api-0.137';
import { expect, inject } from 'vitest';
import type { TestApi } from '../../support/apiServer.ts';
import type { TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { officialSchemas, type OfficialOperation } from '../../support/http/officialSchemas.ts';
import { problemsOfBrief } from '../briefFields.ts';
import type { ContractRow } from '../contractRows.ts';

// The published client talks to our server; every answer is compared with the client's own description of the
// API, and with the fields and lengths that the contract names (briefFields.ts).
//
// How a group adds its calls: a file test/contract/client/<group>.test.ts like this one.
//
//     import { it } from './clientHarness.ts';
//
//     it('reads and changes a team', async ({ client, organization }) => {
//       const team = { title: 'Docs', members: [] };
//       const { data } = await client.call('createOrganizationTeam', [organization._id, team]);
//       await client.call('getTeamInOrganizationById', [organization._id, data.id]);
//       client.expectValid('createOrganizationTeam', 'getTeamInOrganizationById');
//     });
//
// - `call` takes the operationId as operations.json has it, and the parameters of the client's method in its
//   order: the ids of the path, then the query (only where the operation has one), then the body. Which
//   client has the operation, and how its method is called, is found here.
// - Call each operation of the group with everything set and with nothing set: what is left out is what
//   validators stumble over.
// - `expectValid` fails with the problems of all answers that the operations gave so far. An answer that is
//   not valid is a bug of ours; what the published documents say differently from the contract stands in
//   test/support/http/officialPatches.ts.
// - A refusal throws, as it does for users of the client; `refused` returns it: `expect(await
//   client.refused(...)).toMatchObject({ code: 404 })`.
// - `client.api.call(method, path, { token, json })` reaches the same server without the client; its answers
//   count as well.
// - The other fixtures (test/support/it.ts) are those of the same server: `organization` is the one that the
//   client's admin is of. A group whose server needs another configuration extends `environment`.
// - `npm run test:contract` ends with one table over all files. It fails when a mounted operation was never
//   called, or had no success.

export type ClientHarness = {
  api: TestApi;
  organization: OrganizationRecord;
  admin: TestUser;
  /**
   * Calls an operation as the admin, or with another token (null: none). Throws a GitBookAPIError when it is
   * refused.
   */
  call(
    operationId: string,
    parameters?: unknown[],
    options?: { token?: string | null },
  ): Promise<{ status: number; data: any }>; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  /** Calls an operation that must be refused. */
  refused(
    operationId: string,
    parameters?: unknown[],
    options?: { token?: string | null },
  ): Promise<{ code: number; message: string }>;
  /** Every answer of these operations was valid, and there was at least one. */
  expectValid(...operationIds: string[]): void;
};

type Seen = { status: number; problem: string | undefined; body: unknown };
type Client = GitBookAPI | OlderGitBookAPI;
// Its types import each other without endings, which this compiler cannot follow.
type Methods = Record<
  string,
  ((...parameters: unknown[]) => Promise<{ status: number; data?: unknown }>) | undefined
>;

/**
 * The `it` of a group: that of all tests that call the API, with `client`. At the end of the file it tells
 * what was called.
 */
export const it = base.extend('client', { scope: 'file' }, ({ api, organization, admin }, { onCleanup }) => {
  const answers = new Map<string, Seen[]>();
  const file = basename(expect.getState().testPath ?? 'unknown');
  onCleanup(() => leaveRows(file, answers));
  return createClient({ api, organization, admin }, answers);
});

/** @param answers  gets what each operation answers */
function createClient(
  { api, organization, admin }: Pick<ClientHarness, 'api' | 'organization' | 'admin'>,
  answers: Map<string, Seen[]>,
): ClientHarness {
  const official = officialSchemas();
  const see = (operationId: string, status: number, body: unknown) => {
    const problem = [
      official.problemsOf(operationId, status, body),
      status < 300 ? problemsOfBrief(operationId, body) : undefined,
    ]
      .filter((text) => text !== undefined)
      .join('\n');
    answers.set(operationId, [
      ...(answers.get(operationId) ?? []),
      { status, problem: problem || undefined, body },
    ]);
  };

  const fetchAndSee: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    const operation = official.findAt(init?.method ?? 'GET', url.pathname.replace(/^\/v1/, ''));
    if (operation) {
      const text = await response.clone().text();
      see(operation.operationId, response.status, text === '' ? undefined : JSON.parse(text));
    }
    return response;
  };

  const clients = new Map<string, Client>();
  const clientOf = ({ from }: OfficialOperation, token: string | null): Client => {
    const key = `${from} ${token}`;
    const options = {
      endpoint: api.origin,
      serviceBinding: { fetch: fetchAndSee },
      ...(token !== null && { authToken: token }),
    };
    const client =
      clients.get(key) ?? (from === '@gitbook/api' ? new GitBookAPI(options) : new OlderGitBookAPI(options));
    clients.set(key, client);
    return client;
  };

  const call: ClientHarness['call'] = async (operationId, parameters = [], { token = admin.token } = {}) => {
    const operation = official.find(operationId);
    if (!operation) throw new Error(`No published client has ${operationId}.`);
    const client = clientOf(operation, token) as unknown as Record<string, Methods>;
    const group = groupOf(operation.path);
    const owner = group === '' ? (client as unknown as Methods) : client[group];
    const method = owner?.[methodName(operationId)];
    if (!method) throw new Error(`The client has no ${group}.${methodName(operationId)}.`);
    const { status, data } = await method.apply(owner, parameters);
    return { status, data };
  };

  return {
    api: {
      ...api,
      call: async (method, path, options) => {
        const answer = await api.call(method, path, options);
        const { pathname } = new URL(path, api.origin);
        const operation = pathname.startsWith('/v1/')
          ? official.findAt(method, pathname.slice('/v1'.length))
          : undefined;
        // Clients follow a redirect by themselves: the answer of the operation is the one at its end.
        const isRedirect = answer.status === 307;
        if (operation && !isRedirect) see(operation.operationId, answer.status, answer.body);
        return answer;
      },
    },
    organization,
    admin,
    call,
    refused: async (operationId, parameters, options) => {
      const answer = await call(operationId, parameters, options).catch((error: unknown) => error);
      if (!(answer instanceof Error)) throw new Error(`${operationId} was not refused.`);
      const { code, errorMessage } = answer as Error & { code?: number; errorMessage?: string };
      if (code === undefined || errorMessage === undefined) throw answer;
      return { code, message: errorMessage };
    },
    expectValid: (...operationIds) => {
      for (const operationId of operationIds) {
        const seen = answers.get(operationId) ?? [];
        expect(seen.length, `${operationId} was not called`).toBeGreaterThan(0);
        for (const { status, problem, body } of seen)
          expect(
            problem,
            `${operationId} ${status}:\n${problem}\n${JSON.stringify(body)?.slice(0, 3000)}`,
          ).toBeUndefined();
      }
    },
  };
}

/** Prints what was called, and leaves it for the table over all files. */
async function leaveRows(file: string, answers: ReadonlyMap<string, Seen[]>): Promise<void> {
  const rows: ContractRow[] = [...answers].map(([operation, all]) => ({
    operation,
    statuses: [...new Set(all.map(({ status }) => status))].toSorted((a, b) => a - b),
    answers: all.length,
    valid: all.every(({ problem }) => !problem),
  }));
  console.table(rows.map((row) => ({ ...row, statuses: row.statuses.join(' ') })));
  await writeFile(join(inject('contractRows'), `${file}.${newId()}.json`), JSON.stringify(rows));
}

/** The client's methods hang below the first segment of the path, in camel case. */
function groupOf(path: string): string {
  return (path.split('/')[1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The client writes runs of capitals with one: `listOpenAPISpecs` is `listOpenApiSpecs`,
 * `getChangeRequestPDF` is `getChangeRequestPdf`.
 */
function methodName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]{2,}/g, (run, at: number) => {
    const lowered = at + run.length === operationId.length ? run.length : run.length - 1;
    return run.charAt(0) + run.slice(1, lowered).toLowerCase() + run.slice(lowered);
  });
}
