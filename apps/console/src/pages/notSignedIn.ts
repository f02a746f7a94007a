import { html } from '@bindery/html';
import type { Page } from '../layout/page.ts';

/** The page for a sign-in that has failed. */
export function notSignedIn(status: number, message: string): Page {
  return {
    title: 'You are not signed in',
    status,
    main: html`<p class="note problem" role="alert">${message}</p><p><a href="/sign-in">Sign in</a></p>`,
  };
}
