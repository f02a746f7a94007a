import type { Rule } from './rule.ts';

/** Rules of operations, webhooks, callbacks and servers. */
export const operationRules = {
  'operation-removed': { severity: 'breaking', message: 'The operation {name} was removed.' },
  'operation-removed-deprecated': {
    severity: 'info',
    message: 'The operation {name}, which was deprecated, was removed.',
  },
  'operation-removed-before-sunset': {
    severity: 'breaking',
    message: 'The operation {name} was removed before its sunset date {from}.',
  },
  'operation-added': { severity: 'info', message: 'The operation {name} was added.' },
  'operation-deprecated': { severity: 'info', message: 'The operation {name} was deprecated.' },
  'operation-reactivated': { severity: 'info', message: 'The operation {name} is no longer deprecated.' },
  'operation-sunset-missing': {
    severity: 'warning',
    message: 'The deprecated operation {name} has no sunset date.',
  },
  'operation-sunset-invalid': {
    severity: 'warning',
    message: 'The operation {name} has the sunset date {to}, which is not a date.',
  },
  'operation-sunset-shortened': {
    severity: 'warning',
    message: 'The operation {name} moved its sunset date from {from} to the earlier {to}.',
  },
  'operation-stability-decreased': {
    severity: 'breaking',
    message: 'The operation {name} decreased its stability from {from} to {to}.',
  },
  'operation-id-changed': {
    severity: 'warning',
    message: 'The operation {name} changed its operationId from {from} to {to}.',
  },
  'operation-tags-changed': {
    severity: 'info',
    message: 'The operation {name} changed its tags from {from} to {to}.',
  },
  'path-parameter-renamed': {
    severity: 'info',
    message: 'The path parameter {from} of {name} was renamed to {to}.',
  },
  'webhook-removed': { severity: 'breaking', message: 'The webhook {name} was removed.' },
  'webhook-added': { severity: 'info', message: 'The webhook {name} was added.' },
  'callback-removed': { severity: 'breaking', message: 'The callback {name} was removed.' },
  'callback-added': { severity: 'info', message: 'The callback {name} was added.' },
  'server-removed': { severity: 'warning', message: 'The server {from} was removed.' },
  'server-changed': { severity: 'warning', message: 'The server {from} changed to {to}.' },
  'server-added': { severity: 'info', message: 'The server {to} was added.' },
} as const satisfies Record<string, Rule>;
