import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/** The certificate of a custom hostname, and when one is ordered next. */
export type HostnameCertificateRecord = {
  /** The hostname. */
  _id: string;
  /** The private key (PEM) of `chain`. */
  sealedKey?: SealedSecret;
  /** The certificate and its issuers (PEM); absent until the first order succeeds. */
  chain?: string;
  expiresAt?: Date;
  /** The next order: two thirds into the lifetime, or after the pause that follows a failure. */
  nextAttemptAt: Date;
  /** The start of the last order. */
  attemptedAt?: Date;
  /** Orders since the last success, the running one included: one that died counts as failed. */
  failures: number;
  /** Whether the last order that ended failed. */
  hasFailed: boolean;
};

/** The context for sealing the private key of a certificate. */
export function certificateContext(hostname: string): string {
  return `hostname-certificate:${hostname}`;
}

const certificateSchema = new Schema<HostnameCertificateRecord>(
  {
    _id: String,
    sealedKey: { type: sealedSecretSchema } as never,
    chain: String,
    expiresAt: Date,
    nextAttemptAt: { type: Date, required: true },
    attemptedAt: Date,
    failures: { type: Number, default: 0 },
    hasFailed: { type: Boolean, default: false },
  },
  { collection: 'hostnameCertificates', versionKey: false },
);
certificateSchema.index({ nextAttemptAt: 1 });

export const HostnameCertificate = mongoose.model('HostnameCertificate', certificateSchema);

/** The account of the installation at a certificate authority. */
export type AcmeAccountRecord = {
  /** The URL of the authority's directory. */
  _id: string;
  /** The URL of the account. */
  url: string;
  sealedKey: SealedSecret;
};

/** The context for sealing the key of an account. */
export function acmeAccountContext(directoryUrl: string): string {
  return `acme-account:${directoryUrl}`;
}

export const AcmeAccount = mongoose.model(
  'AcmeAccount',
  new Schema<AcmeAccountRecord>(
    {
      _id: String,
      url: { type: String, required: true },
      sealedKey: { type: sealedSecretSchema, required: true } as never,
    },
    { collection: 'acmeAccounts', versionKey: false },
  ),
);

/** The answer that an authority fetches from a hostname to check that it leads to the platform (http-01). */
export type AcmeChallengeRecord = {
  /** The token, which is the last segment of the URL. */
  _id: string;
  hostname: string;
  keyAuthorization: string;
  createdAt: Date;
};

const challengeSchema = new Schema<AcmeChallengeRecord>(
  {
    _id: String,
    hostname: { type: String, required: true },
    keyAuthorization: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'acmeChallenges', versionKey: false },
);
// An order ends within minutes; what one that died left is removed.
challengeSchema.index({ createdAt: 1 }, { expireAfterSeconds: 3_600 });
challengeSchema.index({ hostname: 1 });

export const AcmeChallenge = mongoose.model('AcmeChallenge', challengeSchema);

/** Requests a first certificate for a hostname, unless that was done. */
export async function requestCertificate(hostname: string): Promise<void> {
  const first = { nextAttemptAt: databaseNow() };
  await HostnameCertificate.updateOne({ _id: hostname }, { $setOnInsert: first }, { upsert: true });
}

const firstPauseMs = 300_000;
const longestPauseMs = 86_400_000;

/** Finds the certificate whose order is due for the longest time. */
export async function findDueOrder(): Promise<HostnameCertificateRecord | null> {
  return HostnameCertificate.findOne({ nextAttemptAt: { $lte: databaseNow() } })
    .sort({ nextAttemptAt: 1 })
    .lean<HostnameCertificateRecord>();
}

/**
 * Begins an order that is due, and schedules the one that follows if it fails or dies: after 5 minutes,
 * doubled with each failure up to a day.
 *
 * @returns the present record; undefined when another process was faster
 */
export async function beginOrder(
  due: HostnameCertificateRecord,
): Promise<HostnameCertificateRecord | undefined> {
  const pauseMs = { $min: [longestPauseMs, { $multiply: [firstPauseMs, { $pow: [2, '$failures'] }] }] };
  const fields = {
    attemptedAt: '$$NOW',
    nextAttemptAt: { $add: ['$$NOW', { $toLong: pauseMs }] },
    failures: { $add: ['$failures', 1] },
  };
  return moveOrder(due, fields);
}

/**
 * Postpones an order for an hour: DNS leads elsewhere, the hostname has changed hands, or its organization
 * had many orders.
 */
export async function postponeOrder(due: HostnameCertificateRecord): Promise<void> {
  await moveOrder(due, { nextAttemptAt: { $add: ['$$NOW', 3_600_000] } });
}

async function moveOrder(
  { _id, nextAttemptAt }: HostnameCertificateRecord,
  fields: object,
): Promise<HostnameCertificateRecord | undefined> {
  const moved = await HostnameCertificate.findOneAndUpdate({ _id, nextAttemptAt }, [{ $set: fields }], {
    updatePipeline: true,
    returnDocument: 'after',
  }).lean<HostnameCertificateRecord>();
  return moved ?? undefined;
}

/** Stores what an order gave, or that it failed. @returns whether the hostname still waited for it */
export async function endOrder(
  { _id }: Pick<HostnameCertificateRecord, '_id'>,
  issued:
    | (Required<Pick<HostnameCertificateRecord, 'sealedKey' | 'chain' | 'expiresAt'>> & {
        nextAttemptAt: Date;
      })
    | 'failed',
): Promise<boolean> {
  const fields = issued === 'failed' ? { hasFailed: true } : { ...issued, failures: 0, hasFailed: false };
  const { matchedCount } = await HostnameCertificate.updateOne({ _id }, { $set: fields });
  return matchedCount === 1;
}
