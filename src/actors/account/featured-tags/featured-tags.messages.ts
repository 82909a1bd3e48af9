/** Tags that an account features on its profile. Message numbers 137 to 139, 150 and 151. */
import { z } from 'zod';
import { call, cast, Done, Slice } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Tag } from '../statuses/statuses.records.ts';

const Featured = z.object({ featuredId: identifier });

export const featuredTagMessages = {
  /**
   * `isNew`: a tag that is featured already is refused. `signedAt`: when the request of another server was signed, of
   * whose account it is. Answered when the statuses with the tag have been counted.
   */
  featureTag: call(137, Tag.extend({ isNew: z.boolean(), signedAt: z.number().optional() }), Featured),
  unfeatureTag: call(138, z.object({ name: z.string(), signedAt: z.number().optional() }), Done),
  /** Counts the next slice of the account's statuses. */
  countTagged: call(139, Featured.extend(Slice.shape), Featured),
  /** The latest status with the tag was deleted: looks for the one before it, in slices. */
  findLastTagged: cast(150, Featured.extend({ beforeId: identifier })),
  /** Runs on a remote account: the tags that its server shows. */
  receiveFeaturedTags: call(151, z.object({ tags: z.array(Tag) }), Done),
};
