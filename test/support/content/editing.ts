import { findRevision } from '@bindery/content';
import type { ContentChange, Page } from '@bindery/contract';
import {
  ChangeRequest,
  type ChangeRequestRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ApiAnswer } from '../apiServer.ts';
import { buildChangeRequest, buildRevision, buildSpace } from '../factories.ts';
import { it } from '../it.ts';

/** A change in the form of a request. */
export type Change = z.input<typeof ContentChange>;

export type Editing = {
  space: SpaceRecord;
  id: string;
  /** Path below `/v1`. */
  path: string;
  send(
    changes: unknown,
    options?: { token?: string; headers?: Record<string, string>; query?: string },
  ): Promise<ApiAnswer>;
  /** Sends changes that must succeed. @returns the ids of the changed pages, in order */
  edit(...changes: Change[]): Promise<string[]>;
  /** Sends changes one of which must be refused. @returns the refusal, `path: message` */
  refused(...changes: unknown[]): Promise<string>;
  /** Reads a page, as Markdown. */
  page(id: string): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  markdown(id: string): Promise<string>;
  /** The titles of all pages, with those of children in brackets after their parent. */
  outline(): Promise<string>;
  paths(): Promise<string[]>;
  record(): Promise<ChangeRequestRecord>;
  revision(): Promise<RevisionRecord>;
};

/**
 * The `it` of tests that edit change requests: `open` opens one in a new space with these pages and files.
 */
export const itEditing = it.extend('open', ({ api, organization, admin }) => {
  const get = async (path: string) => {
    const { status, body } = await api.call('GET', path, { token: admin.token });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };

  return async (content?: Parameters<typeof buildRevision>[1]): Promise<Editing> => {
    const space = await buildSpace(organization);
    if (content) await buildRevision(space, content);
    const { _id: id } = await buildChangeRequest(space, { createdBy: admin.user._id });
    const path = `/v1/spaces/${space._id}/change-requests/${id}/content`;
    const send: Editing['send'] = async (
      changes,
      { token = admin.token, headers = {}, query = '?compat=false' } = {},
    ) => api.call('POST', path + query, { token, json: { changes }, headers });
    const pages = async (): Promise<Page[]> => (await get(`${path}/pages`)).pages;
    const record = async () => {
      const found = await ChangeRequest.findById(id).lean<ChangeRequestRecord>();
      if (!found) throw new Error('The change request is gone.');
      return found;
    };
    const page = async (pageId: string) => get(`${path}/page/${pageId}?format=markdown`);
    return {
      space,
      id,
      path,
      send,
      edit: async (...changes) => {
        const { status, body } = await send(changes);
        expect(status, JSON.stringify(body)).toBe(200);
        return body.changes.map((change: { page: string | { id: string } }) =>
          typeof change.page === 'string' ? change.page : change.page.id,
        );
      },
      refused: async (...changes) => {
        const before = await record();
        const { status, body } = await send(changes);
        expect(status, JSON.stringify(body)).toBe(400);
        expect(await record(), 'a refusal changes nothing').toEqual(before);
        const [{ path: place, message }] = body.error.details;
        return `${place}: ${message}`;
      },
      page,
      markdown: async (pageId) => (await page(pageId)).markdown,
      outline: async () => outlineOf(await pages()),
      paths: async () => pathsOf(await pages()),
      record,
      revision: async () => {
        const found = await findRevision(space._id, (await record()).revision);
        if (!found) throw new Error('The revision is gone.');
        return found;
      },
    };
  };
});

function outlineOf(pages: readonly Page[]): string {
  return pages
    .map(
      (page) => page.title + ('pages' in page && page.pages.length > 0 ? ` (${outlineOf(page.pages)})` : ''),
    )
    .join(', ');
}

function pathsOf(pages: readonly Page[]): string[] {
  return pages.flatMap((page) => [
    ...('path' in page ? [page.path] : []),
    ...('pages' in page ? pathsOf(page.pages) : []),
  ]);
}
