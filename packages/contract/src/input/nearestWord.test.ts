import { expect, it } from 'vitest';
import { nearestWord } from './nearestWord.ts';

const fields = ['expiresAt', 'label', 'scopes', 'organizations', 'spaces'];

it.for([
  ['expires_at', 'expiresAt'],
  ['EXPIRESAT', 'expiresAt'],
  ['expiresAtt', 'expiresAt'],
  ['lable', 'label'],
  ['scope', 'scopes'],
  ['organisations', 'organizations'],
  ['sapces', 'spaces'],
])('suggests for %s the word %s', ([given, meant]) => {
  expect(nearestWord(given ?? '', fields)).toBe(meant);
});

it.for(['', 'x', 'token', 'permissions', 'x'.repeat(10_000)])('suggests nothing for %s', (given) => {
  expect(nearestWord(given, fields)).toBeUndefined();
});
