import { z } from 'zod';
import { fromRepeated, Id, text } from '../input/input.ts';
import { User } from '../user/user.ts';

export const ChangeRequestStatus = z
  .enum(['draft', 'open', 'archived', 'merged'])
  .meta({ id: 'ChangeRequestStatus' });
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>;

export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: z.string(),
    number: z.int().describe('Counts up within the space.'),
    status: ChangeRequestStatus,
    subject: z.string(),
    createdBy: User,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('Changes with every write to it, its content or its comments.'),
    space: z.string(),
    revision: z.string().describe('The active revision of its content.'),
    revisionInitial: z.string().describe('The revision of the main content that it was created from.'),
    revisionMergedAncestor: z
      .string()
      .optional()
      .describe('The revision of the main content that it was last updated with.'),
    revisionMerged: z
      .string()
      .optional()
      .describe('The revision that merging it created, once it is merged.'),
    comments: z.int().describe('Number of open comments.'),
    outdated: z.boolean().describe('Whether the main content has moved on since.'),
    urls: z.object({ app: z.string(), location: z.string() }),
  })
  .meta({ id: 'ChangeRequest' });
export type ChangeRequest = z.infer<typeof ChangeRequest>;

export const ChangeRequestSubject = text(0, 100).meta({ id: 'ChangeRequestSubject' });

export const CreateChangeRequest = z
  .object({
    subject: ChangeRequestSubject.optional(),
    agentTaskId: Id.optional().describe('The task that this implements. Stored without further effect.'),
  })
  .meta({ id: 'CreateChangeRequest' });

export const UpdateChangeRequest = z
  .object({
    subject: ChangeRequestSubject.optional(),
    status: ChangeRequestStatus.exclude(['merged']).optional(),
  })
  .meta({ id: 'UpdateChangeRequest' });
export type UpdateChangeRequest = z.infer<typeof UpdateChangeRequest>;

const filters = {
  creator: Id.optional().describe('Only change requests that this user created.'),
  contributor: Id.optional().describe('Only change requests that this user created, edited or commented on.'),
  requestedReviewer: Id.optional().describe('Only change requests that this user was asked to review.'),
  orderBy: z
    .enum(['updatedAt', 'createdAt'])
    .default('updatedAt')
    .describe('The newest by this time come first.'),
};

export const ChangeRequestsOfSpace = z.object({ ...filters, status: ChangeRequestStatus.default('open') });

export const ChangeRequestsOfOrganization = z.object({
  ...filters,
  status: fromRepeated(z.array(ChangeRequestStatus).max(10).default(['open'])),
  space: Id.optional().describe('Only those of this space.'),
});

/** A person who worked on a change request in one of two ways; a person who did both is listed twice. */
export const ChangeRequestContributor = z
  .object({
    user: User,
    count: z.int(),
    updatedAt: z.iso.datetime(),
    actionType: z.enum(['edit', 'comment']),
  })
  .meta({ id: 'ChangeRequestUserContributor' });
export type ChangeRequestContributor = z.infer<typeof ChangeRequestContributor>;
