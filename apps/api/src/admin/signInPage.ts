import { html } from '@bindery/html';
import { writePage } from './area/layout.ts';

/** The form that takes an operator's token. */
export function signInPage(problem?: string): string {
  const main = html`${problem !== undefined && html`<p class="note problem" role="alert">${problem}</p>`}
<form method="post" action="/admin/sign-in">
<label for="token">API token of an operator</label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus>
<button class="main">Sign in</button>
</form>`;
  return writePage({ title: 'Sign in to operate Bindery', main });
}

/** The sign-out form. With a link, another site could end the session. */
export function signOutPage(): string {
  const main = html`<form method="post" action="/admin/sign-out"><button class="main">Sign out</button></form>`;
  return writePage({ title: 'Sign out', main });
}
