import type { TestApi } from '../apiServer.ts';
import type { TestUser } from '../factories.ts';

/** A space with a page, made through the API, and a change request that changes it. */
export type ConsoleWorld = { space: string; page: string; changeRequest: number };

export async function buildConsoleWorld(
  api: TestApi,
  { organization, user }: { organization: string; user: TestUser },
): Promise<ConsoleWorld> {
  const { token } = user;
  const post = async (path: string, json: object) =>
    (await api.call('POST', `/v1${path}`, { token, json })).body as { id: string; number: number };
  const { id: space } = await post(`/orgs/${organization}/spaces`, {
    title: 'Handbook',
    editMode: 'locked',
    empty: true,
  });
  const first = await post(`/spaces/${space}/change-requests`, { subject: 'Begin' });
  const insert = {
    operation: 'insert_page',
    title: 'Start',
    document: { markdown: 'Read *this* & <that>.' },
  };
  await post(`/spaces/${space}/change-requests/${first.id}/content`, { changes: [insert] });
  await post(`/spaces/${space}/change-requests/${first.id}/merge`, {});
  const { body } = await api.call('GET', `/v1/spaces/${space}/content/pages`, { token });
  const page = body.pages[0].id as string;
  const { number } = await post(`/spaces/${space}/change-requests`, { subject: 'Change <it>' });
  await changePage(api, { token, space, page, changeRequest: number, markdown: 'Read that.' });
  return { space, page, changeRequest: number };
}

/** Replaces the text of a page in a change request. */
export async function changePage(
  api: TestApi,
  {
    token,
    space,
    page,
    changeRequest,
    markdown,
  }: { token: string; space: string; page: string; changeRequest: number | string; markdown: string },
): Promise<void> {
  const change = { operation: 'update_page', page, document: { markdown } };
  const answer = await api.call('POST', `/v1/spaces/${space}/change-requests/${changeRequest}/content`, {
    token,
    json: { changes: [change] },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}
