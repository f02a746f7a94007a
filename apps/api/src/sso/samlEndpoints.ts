import { ApiError, errorStatus, notFound } from '@bindery/contract';
import { html } from '@bindery/html';
import {
  answerSamlSignIn,
  isSamlSignInOpen,
  SamlProvider,
  signInRuleOf,
  type SamlProviderRecord,
} from '@bindery/models';
import { claimedRequest, issuerOf, problemText, serviceOf } from '@bindery/sign-in';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { areaPolicy, writePage } from '../admin/area/layout.ts';
import type { Platform } from '../platform.ts';
import { admitSamlUser } from './admitSamlUser.ts';

/** The response of 256 KB, written as a form. */
const longestForm = '400kb';

type Dependencies = Pick<Platform, 'config' | 'saml'>;

/**
 * Mounts the addresses in `service` of SAML providers, for browsers and for the set-up of a provider. Not
 * operations of the API.
 *
 * A sign-in starts and ends in the console, which knows the browser again by a cookie; the response of the
 * provider comes here, without cookies, because another site sends it.
 */
export function mountSamlEndpoints(app: Express, dependencies: Dependencies): void {
  const form = express.urlencoded({ extended: false, limit: longestForm, parameterLimit: 10 });
  app.get('/sso/saml/:provider/metadata', metadata(dependencies));
  app.get('/sso/saml/:provider/start', start(dependencies));
  app.post('/sso/saml/:provider/acs', areaPolicy, form, consume(dependencies));
}

/** Describes this platform to the administrator of a provider, also before its settings are complete. */
function metadata({ config, saml }: Dependencies): RequestHandler<{ provider: string }> {
  return async ({ params }, response) => {
    const { _id } = await findProvider(params.provider);
    response
      .type('application/samlmetadata+xml')
      .send(await saml.metadata(serviceOf(config.api.publicUrl, _id)));
  };
}

function start({ config }: Dependencies): RequestHandler<{ provider: string }> {
  return async ({ params }, response) => {
    const { _id } = await findProvider(params.provider);
    response.redirect(303, `${config.console.url}/sign-in/saml/${_id}`);
  };
}

/**
 * Takes the response that a provider made the browser post, and sends the browser back to the console. Each
 * request is answered once.
 */
function consume({ config, saml }: Dependencies): RequestHandler<{ provider: string }> {
  return async ({ params, body }, response) => {
    try {
      const provider = await findProvider(params.provider);
      const issuer = issuerOf(provider);
      const { SAMLResponse: text } = (body ?? {}) as { SAMLResponse?: unknown };
      if (!issuer || typeof text !== 'string') throw refused('invalid');
      // Before parsing, which takes long: anybody can post a response.
      const claimed = claimedRequest(text);
      if (claimed === undefined || !(await isSamlSignInOpen(claimed, provider._id)))
        throw refused('not_requested');
      const result = await saml.read(text, {
        service: serviceOf(config.api.publicUrl, provider._id),
        issuer,
      });
      if ('problem' in result) throw refused(result.problem);
      const { inResponseTo: id, ...person } = result.person;
      // The claim is verified now, before anything is written for the user.
      if (id !== claimed) throw refused('not_requested');
      const domainRule = await signInRuleOf(config);
      const user = await admitSamlUser(provider, { person, domainRule });
      if (!(await answerSamlSignIn(id, { provider, user }))) throw refused('not_requested');
      response.redirect(303, `${config.console.url}/sign-in/saml/end?request=${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showRefusal(response, error, `${config.console.url}/sign-in`);
    }
  };
}

/** @throws not_found */
async function findProvider(id: string): Promise<SamlProviderRecord> {
  const provider = await SamlProvider.findById(id).lean<SamlProviderRecord>();
  if (!provider) throw notFound('SAML provider', id);
  return provider;
}

function refused(problem: keyof typeof problemText): ApiError {
  return new ApiError(problem === 'busy' ? 'unavailable' : 'forbidden', problemText[problem]);
}

function showRefusal(response: Response, { code, message, action }: ApiError, signInUrl: string): void {
  const main = html`<p>${message}</p>
${action !== undefined && html`<p>${action}</p>`}
<p><a href="${signInUrl}">Sign in</a></p>`;
  response
    .status(errorStatus[code])
    .type('html')
    .send(writePage({ title: 'You are not signed in', main }));
}
