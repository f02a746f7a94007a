import { html, type Value } from '@bindery/html';
import {
  admitOpenIdUser,
  domainRuleOf,
  startOpenIdSignIn,
  useOpenIdSignIn,
  type AdmissionProblem,
} from '@bindery/models';
import { openIdProblemText, type OpenIdFailure, type OpenIdPerson } from '@bindery/sign-in';
import type { Outcome } from '../http/outcome.ts';
import type { Guest, Route } from '../http/route.ts';
import type { Page } from '../layout/page.ts';
import { beginSession } from '../session/beginSession.ts';
import { signInCookie } from '../session/cookies.ts';
import { openIdEnd } from '../session/openIdEnd.ts';
import { ownPath } from '../session/ownPath.ts';
import { notSignedIn } from './notSignedIn.ts';

const start = '/sign-in/openid';

/** Sign-in through the OpenID Connect provider of the installation. */
export const openIdSignInRoutes: readonly Route[] = [
  { method: 'get', admits: 'everyone', path: start, show: startSignIn },
  { method: 'get', admits: 'everyone', path: openIdEnd, show: endSignIn },
];

/** The link that starts a sign-in, which leads to a page of the console afterwards. */
export function openIdLink(label: string, next: string): Value {
  const path = next === '/' ? start : `${start}?next=${encodeURIComponent(next)}`;
  return html`<a href="${path}">Continue with ${label}</a>`;
}

/** Sends the browser to the provider. One that comes from another site is asked first, as with SAML. */
async function startSignIn({ query, platform, address, isFromElsewhere }: Guest): Promise<Outcome> {
  const { openId, config } = platform;
  if (!openId) return notSignedIn(404, 'This installation has no OpenID Connect provider.');
  const next = ownPath(query.get('next'));
  if (isFromElsewhere)
    return { title: 'Single sign-on', main: html`<p>${openIdLink(openId.label, next)}</p>` };
  const waitMs = platform.startedSignIn(address);
  if (waitMs > 0) return notSignedIn(429, 'Too many sign-ins were started from this address. Wait a minute.');
  const begun = await openId.provider.begin();
  if ('problem' in begun) return failed(begun, platform);
  await startOpenIdSignIn(begun.secret, next);
  return { location: begun.url, headers: { 'Set-Cookie': signInCookie.set(config.console, begun.secret) } };
}

/** Ends the sign-in in the browser that started it. Each answer of the provider counts once. */
async function endSignIn(guest: Guest): Promise<Outcome> {
  const { query, platform, cookies } = guest;
  const { openId, config } = platform;
  const secret = signInCookie.secretIn(cookies, config.console);
  // Before it is used up: an answer to another sign-in ends none.
  if (!openId || secret === undefined || !openId.provider.isAnswerTo(secret, query)) return otherSignIn();
  const used = await useOpenIdSignIn(secret);
  if (!used) return otherSignIn();
  const ended = await openId.provider.end(secret, query);
  if ('problem' in ended) return failed(ended, platform);
  const admitted = await admitOpenIdUser(ended.person, domainRuleOf(config));
  if ('problem' in admitted) return notAdmitted(admitted.problem, ended.person);
  const { user } = admitted;
  const { providerHash } = openId;
  return beginSession(guest, { start: { user, signedInWith: 'openid', providerHash }, next: used.next });
}

function otherSignIn(): Page {
  return notSignedIn(403, openIdProblemText.other_sign_in);
}

function failed({ problem, reason }: OpenIdFailure, { log }: Guest['platform']): Page {
  log.warn({ problem, reason }, 'a sign-in through OpenID Connect has failed');
  const isOurs = problem === 'unreachable' || problem === 'misconfigured';
  return notSignedIn(isOurs ? 503 : 403, openIdProblemText[problem]);
}

const admissionText: Record<AdmissionProblem, (email: string) => string> = {
  no_verified_email: () =>
    'The identity provider has not verified an e-mail address of yours. Verify one there, or ask its administrator to send `email` and `email_verified`.',
  other_identity: (email) =>
    `The account here with the address ${email} belongs to another user of the identity provider. If it is yours, ask the operator to run \`bindery sso forget ${email}\`, and sign in again.`,
  stranger: (email) =>
    `There is no account with the address ${email}, and no organization has verified its domain. Ask an admin of your organization for an invite.`,
};

function notAdmitted(problem: AdmissionProblem, { email = '' }: OpenIdPerson): Page {
  return notSignedIn(403, admissionText[problem](email));
}
