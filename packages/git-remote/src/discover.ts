import { JobError } from '@bindery/contract/jobErrors';
import {
  getRemoteInfo2,
  type GitHttpRequest,
  type HttpClient,
  listServerRefs,
  type ServerRef,
} from 'isomorphic-git';

import { type CheckedAnswer, checkAdvertisement, checkRefList, type RefChoice } from './checkedAnswer.ts';
import type { GitHttp, GitService } from './gitHttp.ts';
import { notGit } from './pktLine.ts';

/** A ref: its object; of a symbolic ref, the target; of an annotated tag, the object that it is of. */
export type ListedRef = ServerRef;

export type RefList = { refs: ListedRef[]; isComplete: boolean };

/** The advertisement of a repository, as isomorphic-git reads it. */
export type Discovery = RefList & {
  version: 1 | 2;
  capabilities: ReadonlySet<string>;
  /** Asks for the refs whose names begin like this one; in version 2 only, whose advertisement has none. */
  listRefs(prefix: string, choose: RefChoice): Promise<RefList>;
};

/**
 * Asks a server for its capabilities, and in version 1 for its refs. A server that does not speak version 2
 * answers in version 1.
 *
 * isomorphic-git makes the requests and reads the answers. Each request goes through `GitHttp`, and each
 * answer is checked before isomorphic-git gets it, because its reader takes an answer that breaks off for a
 * complete one.
 *
 * @param asked.choose  the refs that are wanted of an answer in version 1
 * @throws JobError auth, not_found, bad_content, and network errors
 */
export async function discover(
  http: GitHttp,
  { service, version, choose }: { service: GitService; version: 1 | 2; choose: RefChoice },
): Promise<Discovery> {
  let advertisement: CheckedAnswer | undefined;
  const advertise = async ({ headers }: GitHttpRequest) => {
    // `listServerRefs` asks for it again before each list.
    advertisement ??= await checkAdvertisement(await http.advertisement(service, versionHeader(headers)), {
      service,
      choose,
    });
    return advertisement;
  };
  const info = await withChecked(advertise, async (client) =>
    getRemoteInfo2({
      http: client,
      url: nowhere,
      protocolVersion: version,
      forPush: service === 'git-receive-pack',
    }),
  );
  if (info.protocolVersion !== advertisement?.version) throw notGit();
  const capabilities =
    info.protocolVersion === 2 ? ofSecondVersion(info.capabilities) : ofFirstVersion(info.capabilities);
  refuseOtherObjectFormat(capabilities);
  return {
    version: info.protocolVersion,
    capabilities,
    refs: checkedRefs(info.refs ?? []),
    isComplete: advertisement.isComplete,
    listRefs: async (prefix, chooseListed) => {
      let list: CheckedAnswer | undefined;
      const answer = async (request: GitHttpRequest) => {
        if (request.method !== 'POST') return advertise(request);
        const lines = Buffer.concat(await Array.fromAsync(request.body ?? [])).toString();
        list = await checkRefList(await http.uploadPack(lines, versionHeader(request.headers)), chooseListed);
        return list;
      };
      const refs = await withChecked(answer, async (client) =>
        listServerRefs({ http: client, url: nowhere, prefix, symrefs: true, peelTags: true }),
      );
      return { refs: checkedRefs(refs), isComplete: list?.isComplete ?? false };
    },
  };
}

/** `GitHttp` knows the repository and its login; isomorphic-git sees neither. */
const nowhere = 'https://repository.invalid';

/**
 * Runs a function of isomorphic-git with a client that gives it checked answers.
 *
 * @throws the error of a request unchanged; any other error means that no git server answered.
 *   isomorphic-git's own errors quote the answer, and so are not kept as the cause.
 */
async function withChecked<T>(
  answer: (request: GitHttpRequest) => Promise<CheckedAnswer>,
  run: (client: HttpClient) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  const client: HttpClient = {
    request: async (request) => {
      const service = request.url.endsWith('git-receive-pack') ? 'git-receive-pack' : 'git-upload-pack';
      try {
        const { bytes } = await answer(request);
        return {
          url: request.url,
          statusCode: 200,
          statusMessage: 'OK',
          headers: { 'content-type': `application/x-${service}-advertisement` },
          body: once(bytes),
        };
      } catch (error) {
        failure = error;
        throw new Error('The request failed.', { cause: error });
      }
    },
  };
  try {
    return await run(client);
  } catch {
    throw failure instanceof Error ? failure : notGit();
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function versionHeader(headers: Record<string, string> = {}): Record<string, string> {
  const { 'Git-Protocol': version } = headers;
  return version === undefined ? {} : { 'git-protocol': version };
}

function ofFirstVersion(capabilities: Record<string, string | true>): Set<string> {
  return new Set(
    Object.entries(capabilities).map(([name, value]) => (value === true ? name : `${name}=${value}`)),
  );
}

/**
 * Names the capabilities as version 1 of the protocol does, in which packs are requested: `fetch=shallow
 * filter` becomes `shallow` and `filter`.
 */
function ofSecondVersion({
  fetch = '',
  'object-format': format,
}: Record<string, string | true>): Set<string> {
  return new Set([
    ...(fetch === true ? [] : fetch.split(' ')),
    'side-band-64k',
    'ofs-delta',
    'no-progress',
    ...(format === undefined ? [] : [`object-format=${format}`]),
  ]);
}

function refuseOtherObjectFormat(capabilities: ReadonlySet<string>): void {
  if (!capabilities.has('object-format=sha256')) return;
  throw new JobError('bad_content', 'The repository uses SHA-256 object ids, which are not supported.', {
    action: 'Use a repository with SHA-1 object ids, which every git host makes by default.',
  });
}

/** @throws JobError bad_content when an oid is none */
function checkedRefs(refs: readonly ServerRef[]): ServerRef[] {
  const isOid = (text: string) => /^[0-9a-f]{40}$/.test(text);
  if (refs.some(({ oid, peeled }) => !isOid(oid) || (peeled !== undefined && !isOid(peeled)))) throw notGit();
  return [...refs];
}
