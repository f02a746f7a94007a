import {
  ChangeRequest,
  Comment,
  CommentReply,
  jobCollection,
  Site,
  Space,
  Translation,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { expect } from 'vitest';
import { expectWholeSite } from '../stores/siteInvariants.ts';

/** Checks that the counters of spaces, threads, sites and translations are what a recount gives (I4). */
export async function checkCounters(): Promise<void> {
  for (const { _id: space, counts } of await Space.find().lean<SpaceRecord[]>()) {
    const ofStatus = async (...status: ('open' | 'draft')[]) =>
      ChangeRequest.countDocuments({ space, ...(status[0] && { status: status[0] }) });
    expect(counts, `I4: counts of space ${space}`).toEqual({
      comments: await Comment.countDocuments({ thread: space, status: 'open' }),
      changeRequests: await ofStatus(),
      changeRequestsOpen: await ofStatus('open'),
      changeRequestsDraft: await ofStatus('draft'),
    });
  }
  for await (const { _id, comments } of ChangeRequest.find().lean())
    expect(comments, `I4: open comments of change request ${_id}`).toBe(
      await Comment.countDocuments({ thread: _id, status: 'open' }),
    );
  for await (const { _id, replies } of Comment.find().lean())
    expect(replies, `I4: replies to comment ${_id}`).toBe(
      await CommentReply.countDocuments({ comment: _id }),
    );
  for await (const { _id } of Site.find({}, { _id: 1 }).lean()) await expectWholeSite(_id);
  for (const { _id, stats } of await Translation.find().lean<TranslationRecord[]>())
    expect(stats.runs, `I4: runs of translation ${_id}`).toBe(
      await jobCollection().countDocuments({
        kind: 'translation-run',
        'subject.id': _id,
        state: 'succeeded',
      }),
    );
}
