/** Addresses and name under which an identity provider knows this platform. */
export type SamlService = {
  /** The name of this platform in requests, and the audience of assertions. */
  entityId: string;
  /** Where the provider posts its response. */
  acsUrl: string;
};

/** The settings of an identity provider. */
export type SamlIssuer = {
  entityId: string;
  /** Where users are sent to sign in. */
  ssoUrl: string;
  /** X.509 certificate of its signatures, PEM or base64. */
  certificate: string;
};

/** The person in a verified assertion. */
export type SamlPerson = {
  /** In lower case. */
  email: string;
  displayName?: string;
};

/** The content of a verified response. */
export type VerifiedResponse = SamlPerson & {
  /** The id of the request that it answers; the caller checks that it is open. */
  inResponseTo: string;
};

/** Why a response is refused. */
export type SamlProblem =
  | 'too_large'
  | 'busy'
  | 'not_xml'
  | 'declares_entities'
  | 'weak_algorithm'
  | 'encrypted'
  | 'denied'
  | 'unsigned'
  | 'expired'
  | 'other_issuer'
  | 'other_recipient'
  | 'not_requested'
  | 'no_email'
  | 'invalid';

export type SamlRequest =
  | { kind: 'request'; service: SamlService; issuer: SamlIssuer; id: string }
  | { kind: 'metadata'; service: SamlService }
  | { kind: 'response'; service: SamlService; issuer: SamlIssuer; response: string };

export type SamlAnswer = { text: string } | { person: VerifiedResponse } | { problem: SamlProblem };
