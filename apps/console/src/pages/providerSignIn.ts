import { emailDomainOf } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import {
  endSamlSignIn,
  findProvidersOfDomain,
  SamlProvider,
  signInRuleOf,
  startSamlSignIn,
  type SamlProviderRecord,
} from '@bindery/models';
import { issuerOf, serviceOf } from '@bindery/sign-in';
import type { Outcome } from '../http/outcome.ts';
import type { Guest, Route } from '../http/route.ts';
import type { Page } from '../layout/page.ts';
import { beginSession } from '../session/beginSession.ts';
import { signInCookie } from '../session/cookies.ts';
import { notSignedIn } from './notSignedIn.ts';

/** Sign-in through the SAML provider of an organization. */
export const providerSignInRoutes: readonly Route[] = [
  { method: 'get', admits: 'everyone', path: '/sign-in/provider', show: providersPage },
  { method: 'get', admits: 'everyone', path: '/sign-in/saml/end', show: endSignIn },
  { method: 'get', admits: 'everyone', path: '/sign-in/saml/:provider', show: startSignIn },
];

/** Lists the providers for an e-mail address. Links, because a form cannot lead to another site. */
async function providersPage({ query, platform: { config } }: Guest): Promise<Page> {
  const email = query.get('email')?.trim() ?? '';
  const domain = email.includes('@') ? emailDomainOf(email.toLowerCase()) : undefined;
  const providers =
    domain === undefined ? [] : await findProvidersOfDomain(domain, await signInRuleOf(config));
  return {
    title: 'Single sign-on',
    status: providers.length === 0 ? 404 : 200,
    main: providers.length === 0 ? none(domain) : html`<ul>${providers.map(linkTo)}</ul>`,
  };
}

function linkTo({ _id, label }: SamlProviderRecord): Value {
  return html`<li><a href="/sign-in/saml/${_id}">Continue with ${label}</a></li>`;
}

function none(domain: string | undefined): Value {
  const problem =
    domain === undefined
      ? 'This is not an e-mail address.'
      : html`No organization signs in users of ${domain} through an identity provider.`;
  return html`<p class="note problem" role="alert">${problem}</p><p><a href="/sign-in">Sign in another way</a></p>`;
}

/**
 * Sends the browser to the provider. One that comes from another site is asked first: anybody may have such a
 * provider, which could sign people in as somebody else, or lead them anywhere.
 */
async function startSignIn({ params, platform, address, isFromElsewhere }: Guest): Promise<Outcome> {
  const provider = await SamlProvider.findById(params['provider']).lean<SamlProviderRecord>();
  const issuer = provider && issuerOf(provider);
  if (!issuer)
    return notSignedIn(404, 'Nobody can sign in here: the provider is gone, or its settings are incomplete.');
  if (isFromElsewhere) return askFirst(provider, issuer.ssoUrl);
  const waitMs = platform.startedSignIn(address);
  if (waitMs > 0) return notSignedIn(429, 'Too many sign-ins were started from this address. Wait a minute.');
  const { id, secret } = await startSamlSignIn(provider._id);
  const { config, saml } = platform;
  const url = await saml.requestUrl(serviceOf(config.api.publicUrl, provider._id), issuer, id);
  return { location: url, headers: { 'Set-Cookie': signInCookie.set(config.console, secret) } };
}

function askFirst(provider: SamlProviderRecord, ssoUrl: string): Page {
  return {
    title: 'Single sign-on',
    main: html`<p>${new URL(ssoUrl).host} will be asked who you are.</p><ul>${linkTo(provider)}</ul>`,
  };
}

/** Ends the sign-in in the browser that started it; the API has verified the response of the provider. */
async function endSignIn(guest: Guest): Promise<Outcome> {
  const { query, platform, cookies } = guest;
  const secret = signInCookie.secretIn(cookies, platform.config.console);
  const start = secret && (await endSamlSignIn(query.get('request') ?? '', secret));
  if (!start)
    return notSignedIn(
      403,
      'This sign-in was started in another browser, has ended, or took longer than ten minutes.',
    );
  return beginSession(guest, { start, next: '/' });
}
