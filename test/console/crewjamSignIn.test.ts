import { ConsoleSession } from '@bindery/models';
import { serviceOf } from '@bindery/sign-in';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import type { Visitor } from '../support/console/consoleServer.ts';
import { crewjamMissing, startCrewjamProvider } from '../support/sign-in/crewjamProvider.ts';
import type { IdpSettings, IdpUser } from '../support/sign-in/identityProvider.ts';
import { alteredTexts, commentedName, refusedSettings, wrappings } from '../support/sign-in/samlAttacks.ts';
import { ada, buildSignIn, postResponse } from '../support/sign-in/samlProvider.ts';

if (crewjamMissing) console.log(`skipped: sign-in through crewjam/saml, because ${crewjamMissing}`);

/** The person of the attacks; the organization has verified this domain. */
const person: IdpUser = { id: 'ada@example.org', displayName: 'Ada Lovelace', email: 'ada@example.org' };

type Responding = { settings?: Partial<IdpSettings>; user?: IdpUser };

const it = base
  .extend('idp', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const idp = await startCrewjamProvider('');
    onCleanup(idp.close);
    return idp;
  })
  .extend('provider', ({ organization, idp }) =>
    buildSignIn(organization, idp, ['docs.example', 'example.org']),
  )
  .extend('acsUrl', ({ api, provider }) => serviceOf(api.config.api.publicUrl, provider._id).acsUrl)
  /** Starts a sign-in, and lets the provider respond, which knows this platform by its metadata. */
  .extend('respond', ({ api, idp, provider, acsUrl }) => async (from: Visitor, how: Responding = {}) => {
    const start = await from.get(`/sign-in/saml/${provider._id}`);
    expect(start.status).toBe(303);
    const { text: metadata } = await api.call('GET', `/sso/saml/${provider._id}/metadata`, { token: null });
    const settings = { recipient: acsUrl, metadata, ...how.settings };
    return idp.answer(start.headers.get('location') ?? '', settings, how.user ?? ada);
  })
  /** Posts a response, and goes where that leads. @returns the answer to the response */
  .extend('end', ({ api, acsUrl }) => async (from: Visitor, response: string) => {
    const answer = await postResponse(api, acsUrl, response);
    const location = answer.headers.get('location');
    if (location !== null) {
      const { origin, pathname, search } = new URL(location);
      expect(origin).toBe(api.config.console.url);
      await from.get(pathname + search);
    }
    return answer;
  });

const altered = (response: string, change: (xml: string) => string) => {
  const xml = Buffer.from(response, 'base64').toString();
  const changed = change(xml);
  expect(changed).not.toBe(xml);
  return Buffer.from(changed).toString('base64');
};

describe.skipIf(crewjamMissing !== undefined)('a sign-in through crewjam/saml', () => {
  it('starts a session', async ({ visitor, respond, end, acsUrl }) => {
    const { response, postUrl } = await respond(visitor);
    expect(postUrl).toBe(acsUrl);
    expect((await end(visitor, response)).status).toBe(303);
    expect((await visitor.get('/')).text).toContain('Ada Lovelace');
    expect((await visitor.get('/sessions')).text).toContain('by single sign-on');
  });

  it('accepts a response once, and only at its own provider', async ({
    api,
    server,
    visitor,
    organization,
    idp,
    respond,
    end,
  }) => {
    const { response } = await respond(visitor);
    const twin = await buildSignIn(organization, idp);
    const { acsUrl: elsewhere } = serviceOf(api.config.api.publicUrl, twin._id);
    expect((await postResponse(api, elsewhere, response)).status).toBe(403);
    expect((await end(visitor, response)).status).toBe(303);
    const replaying = server.visitor();
    const replayed = await end(replaying, response);
    expect([replayed.status, replayed.text]).toEqual([403, expect.stringContaining('was used before')]);
    expect(replaying.cookie()).toBeUndefined();
  });

  it.for([
    ...refusedSettings,
    ['of a clock that is far ahead', { clockOffsetInSeconds: 300 }],
    ['of a clock that is far behind', { clockOffsetInSeconds: -600 }],
  ] as const)('is refused with a response %s', async ([, settings], { visitor, respond, end }) => {
    const { response } = await respond(visitor, { settings, user: person });
    expect((await end(visitor, response)).status).toBe(403);
    expect(visitor.cookie()).toBeUndefined();
  });

  it.for([
    ...alteredTexts.map(
      ([text, other]) => [`with another ${text.source}`, (xml: string) => xml.replace(text, other)] as const,
    ),
    ...wrappings.map(([where, wrap]) => [`with a wrapped assertion ${where}`, wrap] as const),
  ])('is refused with a response %s', async ([, change], { visitor, respond, end }) => {
    const sessions = await ConsoleSession.countDocuments();
    const { response } = await respond(visitor, { user: person });
    expect((await end(visitor, altered(response, change))).status).toBe(403);
    expect([visitor.cookie(), await ConsoleSession.countDocuments()]).toEqual([undefined, sessions]);
    // The good one still counts: nobody ends the sign-in of others by guessing.
    expect((await end(visitor, response)).status).toBe(303);
    expect(visitor.cookie()).toBeDefined();
  });

  it('reads a name whole, also when it contains a comment', async ({ visitor, respond, end }) => {
    const { response } = await respond(visitor, { user: { ...person, id: 'ada@example.org.evil.org' } });
    const answer = await end(visitor, altered(response, commentedName));
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('no verified domain')]);
    expect(visitor.cookie()).toBeUndefined();
  });

  it.for([-30, 30])(
    'accepts a clock that is off by %i seconds',
    async (offset, { visitor, respond, end }) => {
      const { response } = await respond(visitor, { settings: { clockOffsetInSeconds: offset } });
      expect((await end(visitor, response)).status).toBe(303);
      expect(visitor.cookie()).toBeDefined();
    },
  );
});
