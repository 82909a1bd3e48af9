/** The instance actor's messages about announcements. Message numbers 9 to 16, and 532 to 534. */
import { z } from 'zod';
import { call, cast, Slice } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { AnnouncementContent } from './announcements.records.ts';

const named = z.object({ announcementId: identifier });
const reaction = named.extend({ accountId: identifier, name: z.string() });

export const announcementMessages = {
  /** Throws Failure validation above the bound. */
  publishAnnouncement: call(9, AnnouncementContent.extend(audited), named),
  /** Throws Failure notFound, as all others do. */
  changeAnnouncement: call(10, named.extend({ content: AnnouncementContent, ...audited }), z.undefined()),
  withdrawAnnouncement: call(11, named.extend(audited), z.undefined()),
  /** The end of the announcement, unless it was changed since. */
  endAnnouncement: cast(12, named),
  /** Removes the reactions to a withdrawn announcement, in slices. */
  sweepReactions: cast(13, named.extend({ names: z.array(z.string()), ...Slice.shape })),
  /** Repeating changes nothing. Throws Failure validation for one kind of reaction too many. */
  react: call(14, reaction, z.undefined()),
  /** Throws Failure notFound where there is no such reaction. */
  takeReactionBack: call(15, reaction, z.undefined()),
  /** Informs streams of the reactions added or removed since the last time. */
  tellReactions: cast(16, named),
  /** By mail to everybody here who wants it. Throws Failure validation where it was sent before. */
  mailAnnouncement: call(532, named.extend(audited), z.undefined()),
  findRecipients: cast(533, named.extend({ after: identifier.optional() })),
  recipientsFound: cast(534, named.extend({ accountIds: z.array(identifier), after: identifier.optional() })),
};
