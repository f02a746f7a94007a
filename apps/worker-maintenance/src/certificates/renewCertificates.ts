import { leadInTurns } from '@bindery/jobs';
import {
  activateHostname,
  beginOrder,
  countOrders,
  CustomHostname,
  databaseNow,
  endOrder,
  findDueOrder,
  noteCertificate,
  noteOrder,
  postponeOrder,
  type CustomHostnameRecord,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { createOutbound, type Outbound } from '@bindery/outbound';
import { faultPoint, messageOf, type Config, type Logger } from '@bindery/runtime';
import { createAcmeClient } from './acmeClient.ts';
import { orderCertificate } from './orderCertificate.ts';

const pauseMs = 5_000;
/** Longer than an order takes, with all its polling. */
const leaseMs = 300_000;
/** Authorities limit the orders of an account; Let's Encrypt to 300 in three hours. */
const ordersPerHour = 90;
/** No organization uses up the account of the platform. */
const ordersPerHourOfOne = 20;
const hourMs = 3_600_000;

/**
 * Gets certificates for custom hostnames and renews them, one after another. Any number of processes may call
 * it; one of them works. Without an authority in the configuration nothing happens.
 *
 * @returns a function that stops it, after the order that runs
 */
export function startCertificates({
  config,
  logger,
}: {
  config: Config;
  logger: Logger;
}): () => Promise<void> {
  if (config.hostnames.acme.directoryUrl === undefined) return async () => {};
  const { allow, refused, caFile } = config.outbound;
  const outbound = createOutbound({ allow, refused, caFile });
  const stop = leadInTurns('certificates', {
    leaseMs,
    pauseMs,
    turn: async () => renewCertificate({ config, logger, outbound }),
    logger,
    failure: 'an order for a certificate failed; the next one follows',
  });
  return async () => {
    await stop();
    await outbound.close();
  };
}

type Renewing = { config: Pick<Config, 'secrets' | 'hostnames'>; logger: Logger; outbound: Outbound };

/**
 * Orders the certificate that is due for the longest time.
 *
 * @returns whether there may be more
 */
export async function renewCertificate({ config, logger, outbound }: Renewing): Promise<boolean> {
  if ((await countOrders(hourMs)) >= ordersPerHour) return false;
  const due = await findDueOrder();
  if (!due) return false;
  const claim = await findServedClaim(due);
  // An order that would fail counts at the authority, too.
  if (!claim || (await countOrders(hourMs, claim.organization)) >= ordersPerHourOfOne) {
    await postponeOrder(due);
    return true;
  }
  const begun = await beginOrder(due);
  if (!begun) return true;
  await noteOrder(claim.organization);
  try {
    const client = await createAcmeClient(config, outbound);
    const issued = await orderCertificate(begun._id, { client, secrets: config.secrets });
    if (!(await endOrder(begun, issued))) return true;
    await faultPoint('certificate.stored');
    await activateHostname(claim);
    await noteCertificate(claim, 'live');
    logger.info({ hostname: begun._id, expiresAt: issued.expiresAt }, 'a certificate was issued');
  } catch (error) {
    await endOrder(begun, 'failed');
    if (!begun.expiresAt || begun.expiresAt <= databaseNow()) await noteCertificate(claim, 'ssl_failed');
    logger.warn(
      { hostname: begun._id, failures: begun.failures, problem: messageOf(error).slice(0, 300) },
      'an order for a certificate failed; it is repeated after a pause',
    );
  }
  return true;
}

/** Finds the proven claim to a hostname whose last check found that DNS leads to the platform. */
async function findServedClaim({
  _id: hostname,
}: HostnameCertificateRecord): Promise<CustomHostnameRecord | null> {
  return CustomHostname.findOne({
    hostname,
    provenAt: { $exists: true },
    status: { $in: ['live', 'ssl_pending', 'ssl_failed'] },
  }).lean<CustomHostnameRecord>();
}
