import { expect, it } from 'vitest';
import { givenFields, noneIfEmpty, settingOf } from './givenFields.ts';

it('keeps given fields, removes those that are null, and leaves the others alone', () => {
  const given = givenFields({ title: 'A', icon: null, path: undefined, isOpen: false, text: '' });
  expect(Object.entries(given)).toEqual([
    ['title', 'A'],
    ['icon', undefined],
    ['isOpen', false],
    ['text', ''],
  ]);
});

it('treats an empty text as absent', () => {
  expect([noneIfEmpty(''), noneIfEmpty(null), noneIfEmpty(undefined), noneIfEmpty('a')]).toEqual([
    null,
    null,
    undefined,
    'a',
  ]);
});

it('sets defined fields and removes undefined ones', () => {
  expect(settingOf({ title: 'A', role: null, icon: undefined })).toEqual({
    $set: { title: 'A', role: null },
    $unset: { icon: 1 },
  });
  expect(Object.keys(settingOf({ title: 'A' }))).toEqual(['$set']);
  expect(Object.keys(settingOf({ icon: undefined }))).toEqual(['$unset']);
  expect(Object.keys(settingOf({}))).toEqual([]);
});
