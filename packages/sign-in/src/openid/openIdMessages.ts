/** How the console is known at an OpenID Connect provider. */
export type OpenIdSettings = {
  /** The URL that names the provider. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends browsers back to. */
  redirectUri: string;
};

/** The person whom a provider has signed in. */
export type OpenIdPerson = {
  issuer: string;
  /** The provider's name of the person, which never changes and is given to nobody else. */
  subject: string;
  /** In lower case; absent unless the provider says that it has verified the address. */
  email?: string | undefined;
  displayName?: string | undefined;
};

/** Why nobody is signed in. */
export type OpenIdProblem = 'unreachable' | 'misconfigured' | 'denied' | 'other_sign_in' | 'invalid';

/** A problem, and its reason for the log of the operator: a fixed text of the library, and no answer. */
export type OpenIdFailure = { problem: OpenIdProblem; reason: string };

/** Says why nobody is signed in, and what the user or the operator can do. */
export const openIdProblemText: Record<OpenIdProblem, string> = {
  unreachable:
    'The identity provider does not answer. Try again in a minute, or sign in another way; if it stays so, tell the operator.',
  misconfigured:
    'The identity provider and this installation do not fit together. The operator finds the reason in the log of the console.',
  denied: 'The identity provider did not sign you in.',
  other_sign_in:
    'This sign-in was started in another browser, has ended, or took longer than ten minutes. Start again at the sign-in page.',
  invalid:
    'The answer of the identity provider is not valid. Start again at the sign-in page; if it stays so, tell the operator.',
};
