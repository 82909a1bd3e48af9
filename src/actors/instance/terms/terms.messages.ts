/** The instance actor's messages about its terms of service. Message numbers 7, 8, and 581 to 583. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { AnnouncementContent } from '../announcements/announcements.records.ts';

/** `day` (since 1970): when they take effect. */
const named = z.object({ day: z.number() });

export const termsMessages = {
  /** A second text for the same day replaces the first. Throws Failure validation above the bound. */
  publishTerms: call(7, named.extend({ content: z.string(), ...audited }), z.undefined()),
  /** Throws Failure notFound. */
  withdrawTerms: call(8, named.extend(audited), z.undefined()),
  /**
   * Announces them to everybody here, and tells everybody by mail. Throws Failure notFound, and validation where that was
   * done before, or there are too many announcements.
   */
  tellTerms: call(581, named.extend({ announcement: AnnouncementContent, ...audited }), z.undefined()),
  findTermsReaders: cast(582, named.extend({ after: identifier.optional() })),
  termsReadersFound: cast(583, named.extend({ accountIds: z.array(identifier), after: identifier.optional() })),
};
