import { networkOf } from '@bindery/runtime';
import { describe, expect, it } from 'vitest';
import { routes } from '../../routes.ts';
import { costOf } from './rateLimit.ts';

describe('the cost of an operation', () => {
  it.each(routes.map((route) => [route.spec.operationId, route] as const))('%s', (operationId, route) => {
    const isAboutJobs = ['getJobById', 'streamJobEvents', 'listJobsInOrganizationById'].includes(operationId);
    const isSearch = /search/i.test(operationId);
    const isCostly = route.spec.startsJob === true || operationId === 'describeGitRemote';
    const isFromHost = operationId === 'receiveGitHookEvent';
    const isWrite = route.method !== 'get' && !isFromHost;
    const uncostly = isSearch || isWrite ? 5 : 1;
    const expected = isAboutJobs ? 0 : uncostly;
    expect(costOf(route)).toBe(isCostly ? 20 : expected);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
