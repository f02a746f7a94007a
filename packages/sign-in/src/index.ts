export { openIdProblemText } from './openid/openIdMessages.ts';
export type { OpenIdFailure, OpenIdPerson } from './openid/openIdMessages.ts';
export { createOpenIdProvider, type OpenIdProvider } from './openid/openIdProvider.ts';
export { claimedRequest } from './saml/claimedRequest.ts';
export { issuerOf, samlEndpoint, serviceOf } from './saml/parties.ts';
export { problemText } from './saml/problemText.ts';
export { createSamlReader, type SamlReader } from './saml/samlReader.ts';
export type {
  SamlIssuer,
  SamlPerson,
  SamlProblem,
  SamlService,
  VerifiedResponse,
} from './saml/samlMessages.ts';
