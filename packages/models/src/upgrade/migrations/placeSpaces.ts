import { accessBelow } from '../../access/access.ts';
import { noCounts, Space, type SpaceRecord } from '../../space/space.ts';
import { positionAtEnd, siblingModels } from '../../tree/positions.ts';
import { changeRecords, type Migration } from '../migration.ts';

const isOld = { siblingsOf: { $exists: false } };

export const placeSpaces: Migration = {
  name: 'placeSpaces',
  summary: 'gives spaces their place among others, their access and their counts',
  // Without their access nobody would see them.
  isBreaking: true,
  ...changeRecords<SpaceRecord>('spaces', isOld, async (space) => {
    const siblingsOf = space.parent ?? space.organization;
    const fields = {
      ancestors: [],
      siblingsOf,
      position: await positionAtEnd(siblingModels, siblingsOf),
      access: accessBelow(undefined, space),
      counts: noCounts,
      lastChangeRequest: 0,
      isDeleted: space.deletedAt !== undefined,
      version: 1,
    };
    await Space.updateOne({ _id: space._id, ...isOld }, { $set: fields });
  }),
};
