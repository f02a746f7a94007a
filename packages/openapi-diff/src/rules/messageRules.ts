import type { Rule } from './rule.ts';

/** Rules of parameters. */
export const parameterRules = {
  'parameter-added-required': { severity: 'breaking', message: '{place} was added and is required.' },
  'parameter-added-optional': { severity: 'info', message: '{place} was added and is optional.' },
  'parameter-removed': { severity: 'warning', message: '{place} was removed.' },
  'parameter-removed-deprecated': {
    severity: 'info',
    message: '{place}, which was deprecated, was removed.',
  },
  'parameter-location-changed': {
    severity: 'breaking',
    message: 'The parameter {name} moved from the {from} to the {to}.',
  },
  'parameter-became-required': { severity: 'breaking', message: '{place} became required.' },
  'parameter-became-optional': { severity: 'info', message: '{place} became optional.' },
  'parameter-deprecated': { severity: 'info', message: '{place} was deprecated.' },
  'parameter-style-changed': {
    severity: 'breaking',
    message: '{place} changed its serialization from {from} to {to}.',
  },
  'parameter-content-changed': {
    severity: 'breaking',
    message: '{place} changed its content from {from} to {to}.',
  },
  'parameter-default-added': { severity: 'warning', message: '{place} has the new default {to}.' },
  'parameter-default-changed': {
    severity: 'warning',
    message: '{place} changed its default from {from} to {to}.',
  },
  'parameter-default-removed': { severity: 'warning', message: '{place} lost its default {from}.' },
} as const satisfies Record<string, Rule>;

/** Rules of request bodies. */
export const bodyRules = {
  'body-added-required': { severity: 'breaking', message: '{place} was added and is required.' },
  'body-added-optional': { severity: 'info', message: '{place} was added and is optional.' },
  'body-removed': { severity: 'breaking', message: '{place} was removed.' },
  'body-became-required': { severity: 'breaking', message: '{place} became required.' },
  'body-became-optional': { severity: 'info', message: '{place} became optional.' },
  'body-media-type-removed': {
    severity: 'breaking',
    message: '{place} is no longer accepted as {from}.',
  },
  'body-media-type-added': { severity: 'info', message: '{place} is now also accepted as {to}.' },
  'body-media-type-widened': {
    severity: 'info',
    message: '{place} widened its media type from {from} to {to}.',
  },
} as const satisfies Record<string, Rule>;

/** Rules of responses and their headers. */
export const responseRules = {
  'response-success-removed': {
    severity: 'breaking',
    message: 'The response {from}, which reports success, was removed.',
  },
  'response-status-generalized': {
    severity: 'info',
    message: 'The response {from} is now covered by the response {to}.',
  },
  'response-other-removed': { severity: 'info', message: 'The response {from} was removed.' },
  'response-default-removed': { severity: 'warning', message: 'The default response was removed.' },
  'response-added': { severity: 'info', message: 'The response {to} was added.' },
  'response-media-type-removed': {
    severity: 'breaking',
    message: '{place} is no longer available as {from}.',
  },
  'response-media-type-added': { severity: 'info', message: '{place} is now also available as {to}.' },
  'response-media-type-renamed': {
    severity: 'info',
    message: '{place} renamed its media type from {from} to {to}.',
  },
  'response-header-removed-required': {
    severity: 'breaking',
    message: '{place}, which was required, was removed.',
  },
  'response-header-removed-optional': {
    severity: 'warning',
    message: '{place}, which was optional, was removed.',
  },
  'response-header-added': { severity: 'info', message: '{place} was added.' },
  'response-header-became-optional': { severity: 'breaking', message: '{place} became optional.' },
} as const satisfies Record<string, Rule>;

/** Rules of security requirements and schemes. */
export const securityRules = {
  'security-requirement-added': {
    severity: 'breaking',
    message: 'Requests must now satisfy the security requirement {to}.',
  },
  'security-alternative-removed': {
    severity: 'breaking',
    message: 'The security requirement {from} is no longer accepted.',
  },
  'security-alternative-added': {
    severity: 'info',
    message: 'The security requirement {to} is now also accepted.',
  },
  'security-made-optional': { severity: 'info', message: 'Requests need no security any more.' },
  'security-scope-added': {
    severity: 'breaking',
    message: 'The security scheme {name} now requires the scope {to}.',
  },
  'security-scope-removed': {
    severity: 'info',
    message: 'The security scheme {name} no longer requires the scope {from}.',
  },
  'security-scheme-changed': {
    severity: 'breaking',
    message: 'The security scheme {name} changed from {from} to {to}.',
  },
} as const satisfies Record<string, Rule>;
