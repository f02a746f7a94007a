import type { ChangeRequest, Space } from '@bindery/contract';
import { html, type Html } from '@bindery/html';

export function spaceLink({ id, title }: Pick<Space, 'id' | 'title'>): Html {
  return html`<a href="/spaces/${id}">${title || 'Untitled space'}</a>`;
}

export function changeRequestLink({ space, number, subject }: ChangeRequest): Html {
  return html`<a href="/spaces/${space}/change-requests/${number}">#${number} ${subject || 'Without a subject'}</a>`;
}

export function jobLink(id: string, name: string): Html {
  return html`<a href="/jobs/${id}">${name}</a>`;
}
