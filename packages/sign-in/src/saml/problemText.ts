import type { SamlProblem } from './samlMessages.ts';

/** Says why a response is refused, and what an administrator of the provider or the user can do. */
export const problemText: Record<SamlProblem, string> = {
  too_large: 'The response of the identity provider is longer than 256 KB.',
  busy: 'Too many people are signing in. Try again in a minute.',
  not_xml: 'The response of the identity provider is not XML in UTF-8.',
  declares_entities: 'The response of the identity provider has a document type, which is not allowed.',
  weak_algorithm:
    'The response of the identity provider uses an algorithm that is not allowed. Set the provider to sign with SHA-256.',
  encrypted:
    'The response of the identity provider has an encrypted assertion. Turn the encryption of assertions off: the connection is encrypted already.',
  denied: 'The identity provider did not sign you in.',
  unsigned:
    'The response of the identity provider is not signed by its certificate. Set the provider to sign both the response and the assertion, and compare the certificate with the one in the settings.',
  expired:
    'The response of the identity provider has expired, or its clock differs by more than a minute. Sign in again.',
  other_issuer:
    'The response comes from another identity provider. Compare its entity ID with the one in the settings.',
  other_recipient:
    'The response of the identity provider is meant for another application. Set its audience and its recipient to the entity ID and the ACS URL in the settings.',
  not_requested:
    'The response answers no sign-in that was started here, or was used before. Start at the sign-in page.',
  no_email: 'The response of the identity provider has no e-mail address. Set it to send one as the name ID.',
  invalid: 'The response of the identity provider is not a valid SAML response.',
};
