import type { SecretKeys } from '@bindery/runtime';
import type { Model } from 'mongoose';
import {
  AcmeAccount,
  acmeAccountContext,
  certificateContext,
  HostnameCertificate,
} from '../organization/hostnameCertificate.ts';
import { WebhookEndpoint, webhookSealContext } from '../organization/webhook.ts';
import {
  PublishingAuth,
  publishingAuthContext,
  signingKeyId,
  type PublishingAuthRecord,
} from '../site/publishingAuth.ts';
import { hashShareKey, ShareLink, shareLinkContext, type ShareLinkRecord } from '../site/shareLink.ts';
import { GitCredential, gitCredentialContext } from '../space/git.ts';
import { GitHook, gitHookLoginContext, gitHookSecretContext } from '../space/gitHook.ts';
import { OpenAPISpec, specSourceContext } from '../space/openapi.ts';

/** A field of records with a sealed secret. */
export type SealedField = {
  /** For an operator who reads how many there are. */
  title: string;
  // The records have nothing else in common.
  model: Pick<Model<never>, 'modelName' | 'collection'>;
  path: string;
  contextOf: (id: string) => string;
  /** The other fields of a record that change when its secret is sealed with another key. */
  alsoSet?: (record: object, secret: { text: string; keys: SecretKeys }) => object;
};

/**
 * All fields with sealed secrets, except the answers kept for `Idempotency-Key`, which end after a day. A
 * test compares the list with the schemas.
 */
export const sealedFields: readonly SealedField[] = [
  { title: 'Logins of git jobs', model: GitCredential, path: 'sealed', contextOf: gitCredentialContext },
  { title: 'Logins of git hooks', model: GitHook, path: 'login', contextOf: gitHookLoginContext },
  { title: 'Secrets of git hooks', model: GitHook, path: 'secret', contextOf: gitHookSecretContext },
  {
    title: 'Former secrets of git hooks',
    model: GitHook,
    path: 'previousSecret.sealed',
    contextOf: gitHookSecretContext,
  },
  {
    title: 'Logins of OpenAPI sources',
    model: OpenAPISpec,
    path: 'source.login',
    contextOf: specSourceContext,
  },
  { title: 'Secrets of webhooks', model: WebhookEndpoint, path: 'secret', contextOf: webhookSealContext },
  {
    title: 'Former secrets of webhooks',
    model: WebhookEndpoint,
    path: 'previousSecret.sealed',
    contextOf: webhookSealContext,
  },
  {
    title: 'Signing keys of sites',
    model: PublishingAuth,
    path: 'sealedKey',
    contextOf: publishingAuthContext,
    // The key is the same: visitors who were admitted with it stay.
    alsoSet: (record) => ({ keyId: signingKeyId(record as PublishingAuthRecord) }),
  },
  {
    title: 'Share links',
    model: ShareLink,
    path: 'sealedKey',
    contextOf: shareLinkContext,
    alsoSet: (record, { text, keys }) => ({
      keyHash: hashShareKey(keys, (record as ShareLinkRecord).site, text),
    }),
  },
  {
    title: 'Keys of certificates',
    model: HostnameCertificate,
    path: 'sealedKey',
    contextOf: certificateContext,
  },
  { title: 'ACME accounts', model: AcmeAccount, path: 'sealedKey', contextOf: acmeAccountContext },
];
