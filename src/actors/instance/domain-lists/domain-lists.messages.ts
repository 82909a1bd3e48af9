/** The instance actor's messages about subscribed lists of domains. Message numbers 550 to 558, 620 and 621. */
import { z } from 'zod';
import { call, cast, Slice } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import {
  DomainListSettings,
  DomainListSubscription,
  ListEnding,
  ListProblem,
  ListValidators,
  ReadRow,
} from './domain-lists.records.ts';

const list = { listId: identifier };

export const DomainListRead = z.object({
  ...list,
  reading: z.number(),
  problem: ListProblem.optional(),
  /** For staff; without anything secret. */
  detail: z.string().optional(),
  /** The host asks for this pause. */
  waitMilliseconds: z.number().optional(),
  /** Absent where the list is as it was. */
  rows: z.number().optional(),
  unreadable: z.number().optional(),
  validators: ListValidators.optional(),
});
export type DomainListRead = z.infer<typeof DomainListRead>;

export const domainListMessages = {
  /** The list is read at once. Throws Failure validation for an address that is subscribed to, and above the bound. */
  subscribeToDomainList: call(550, DomainListSettings.extend(audited), DomainListSubscription),
  /** The list is read again, under the new terms. Throws Failure notFound, and validation as above. */
  changeDomainList: call(551, z.object({ ...list, settings: DomainListSettings, ...audited }), DomainListSubscription),
  /** Its domains follow in slices. Throws Failure notFound. */
  unsubscribeFromDomainList: call(552, z.object({ ...list, rules: ListEnding, ...audited }), z.undefined()),
  endDomainList: cast(553, z.object({ ...list, ...Slice.shape })),
  /** The timer; and whoever cannot wait for it. */
  domainListDue: cast(554, z.object({ ...list, dueAt: z.number() })),
  /** A reading that is under way goes on. Throws Failure notFound. */
  readDomainListNow: call(555, z.object({ ...list, mayShrink: z.boolean(), ...audited }), DomainListSubscription),
  /** A slice of what a reading has found. `isOver`: that reading counts no more. */
  takeListedDomains: call(
    556,
    z.object({ ...list, reading: z.number(), rows: z.array(ReadRow) }),
    z.object({ isOver: z.boolean() }),
  ),
  domainListRead: cast(557, DomainListRead),
  /** Domains that nothing was suggested or refused about are left out. Throws Failure notFound, and validation above the bound. */
  decideListedDomains: call(
    558,
    z.object({ ...list, domains: z.array(z.string()), isAccepted: z.boolean(), ...audited }),
    z.object({ decided: z.number() }),
  ),
  /**
   * Those that were suggested by then: some at once, the others in slices. Throws Failure notFound, and conflict while that
   * is done already.
   */
  decideAllListed: call(
    620,
    z.object({ ...list, isAccepted: z.boolean(), suggestedUntil: z.number(), ...audited }),
    z.object({ decided: z.number(), left: z.number() }),
  ),
  decideFurther: cast(621, z.object({ ...list, ...Slice.shape })),
};
