export { basicAuthorization } from './basicAuthorization.ts';
export { createOutbound } from './outbound.ts';
export type { Outbound, OutboundRequest, OutboundResponse, OutboundSettings } from './outbound.ts';
export { settingsForChild } from './settingsForChild.ts';
export { outboundLimits, type OutboundLimits } from './limits.ts';
export { createDnsRecords, type DnsRecords } from './dnsRecords.ts';
export { retryAfterMs, throwForStatus } from './status.ts';
export type { OpenableBody } from './redirect.ts';
