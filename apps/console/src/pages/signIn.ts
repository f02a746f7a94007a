import { html, type Value } from '@bindery/html';
import { findUserByToken, useSignInLink } from '@bindery/models';
import type { Outcome } from '../http/outcome.ts';
import { textIn } from '../http/fields.ts';
import type { Guest, Route } from '../http/route.ts';
import type { Page } from '../layout/page.ts';
import { beginSession, endOwnSession } from '../session/beginSession.ts';
import { sessionCookie } from '../session/cookies.ts';
import { ownPath } from '../session/ownPath.ts';
import { openIdLink } from './openIdSignIn.ts';

export const signInRoutes: readonly Route[] = [
  {
    method: 'get',
    admits: 'everyone',
    path: '/sign-in',
    show: async ({ query, platform }) => signInPage(platform, { next: query.get('next') }),
  },
  { method: 'post', admits: 'everyone', path: '/sign-in', act: signInWithToken },
  {
    method: 'get',
    admits: 'everyone',
    path: '/sign-in/link/:secret',
    show: async ({ params }) => linkPage(params['secret'] ?? ''),
  },
  { method: 'post', admits: 'everyone', path: '/sign-in/link', act: signInWithLink },
  { method: 'post', admits: 'everyone', path: '/sign-out', act: signOut },
];

type Problem = { message: string; status: number; headers?: Record<string, string> };

function signInPage(
  { openId }: Guest['platform'],
  { next, problem }: { next: string | null; problem?: Problem },
): Page {
  const back = ownPath(next);
  return {
    title: 'Sign in to Bindery',
    status: problem?.status,
    headers: problem?.headers,
    main: html`${alert(problem)}
${openId && html`<p>${openIdLink(openId.label, back)}</p>`}
<form method="post" action="/sign-in">
${back !== '/' && html`<input type="hidden" name="next" value="${back}">`}
<label for="token">API token</label>
<input id="token" name="token" type="password" autocomplete="off" required aria-describedby="about-token">
<p class="hint" id="about-token">You can do here what the token allows, until it ends. Without a token, ask the
operator for a sign-in link.</p>
<button class="main">Sign in</button>
</form>
<h2>Single sign-on</h2>
<form method="get" action="/sign-in/provider">
<label for="email">E-mail address at your organization</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Continue</button>
</form>`,
  };
}

async function signInWithToken(guest: Guest, fields: URLSearchParams): Promise<Outcome> {
  const next = fields.get('next');
  const found = await findUserByToken(textIn(fields, 'token') ?? '');
  if (found)
    return beginSession(guest, {
      start: { user: found.user._id, signedInWith: 'token', token: found.token._id },
      next: ownPath(next),
    });
  return signInPage(guest.platform, {
    next,
    problem: problemOf(guest, 'This token does not sign in: it is wrong, revoked or expired.'),
  });
}

/** A button, because whatever shows a preview of a link opens it, which would use it up. */
function linkPage(secret: string): Page {
  return {
    title: 'Sign in to Bindery',
    main: html`<p>This link signs you in once.</p>
<form method="post" action="/sign-in/link">
<input type="hidden" name="secret" value="${secret}">
<button class="main">Sign in</button>
</form>`,
  };
}

async function signInWithLink(guest: Guest, fields: URLSearchParams): Promise<Outcome> {
  const user = await useSignInLink(textIn(fields, 'secret') ?? '');
  if (user !== undefined) return beginSession(guest, { start: { user, signedInWith: 'link' }, next: '/' });
  return signInPage(guest.platform, {
    next: null,
    problem: problemOf(
      guest,
      'This link does not sign in any more: it was used, or is older than 15 minutes. Ask for another one.',
    ),
  });
}

async function signOut(guest: Guest): Promise<Outcome> {
  await endOwnSession(guest);
  return {
    location: '/sign-in',
    headers: { 'Set-Cookie': sessionCookie.end(guest.platform.config.console) },
  };
}

function problemOf({ platform, address }: Guest, message: string): Problem {
  const waitMs = platform.failedSignIn(address);
  if (waitMs === 0) return { message, status: 403 };
  return {
    message: 'Too many sign-ins from this address have failed. Wait a minute.',
    status: 429,
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  };
}

function alert(problem: Problem | undefined): Value {
  return problem && html`<p class="note problem" role="alert">${problem.message}</p>`;
}
