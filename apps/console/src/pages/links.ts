import type { ChangeRequest, Space } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import type { ApiReply } from '../api/api.ts';
import type { Outcome } from '../http/outcome.ts';
import type { Visit } from '../http/route.ts';

export function nameOfSpace({ title }: Pick<Space, 'title'>): string {
  return title || 'Untitled space';
}

export function spaceLink(space: Pick<Space, 'id' | 'title'>): Html {
  return html`<a href="/spaces/${space.id}">${nameOfSpace(space)}</a>`;
}

export function nameOfChangeRequest({ number, subject }: Pick<ChangeRequest, 'number' | 'subject'>): string {
  return `#${number} ${subject || 'Without a subject'}`;
}

export function changeRequestLink(changeRequest: ChangeRequest): Html {
  const { space, number } = changeRequest;
  return html`<a href="/spaces/${space}/change-requests/${number}">${nameOfChangeRequest(changeRequest)}</a>`;
}

export function jobLink(id: string, name: string): Html {
  return html`<a href="/jobs/${id}">${name}</a>`;
}

/** Leads to the page of the job that an answer of the API names. */
export function toStartedJob(_visit: Visit, { headers }: Pick<ApiReply<unknown>, 'headers'>): Outcome {
  return { location: `/jobs/${headers.get('x-job-id') ?? ''}` };
}
