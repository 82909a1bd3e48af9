/** The instance actor's messages about invites. Message numbers 540 to 547. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { CreateAccount } from '../../account/profile/profile.messages.ts';
import { audited } from '../../audit.records.ts';
import { Registration } from '../../directory/directory.messages.ts';
import { InviteContent, InviteUse } from './invites.records.ts';

const named = z.object({ inviteId: identifier });

export const inviteMessages = {
  /** Throws Failure validation above the bound, and conflict for a code that another one has. */
  addInvite: call(540, InviteContent.extend(audited), named),
  /** Repeating changes nothing. `creatorId`: whose it must be. Throws Failure notFound. */
  endInvite: call(541, named.extend({ creatorId: identifier.optional(), ...audited }), z.undefined()),
  /** Of all that there are at that moment. */
  endInvites: call(542, z.object(audited), z.undefined()),
  /**
   * Reserves a use, then begins the registration, whose actors give the reply. Throws Failure validation where the invite lets
   * nobody in any more, and notFound where it is gone.
   */
  registerInvited: call(543, named.extend({ account: CreateAccount }), Registration),
  /** The account exists. */
  inviteUsed: cast(544, InviteUse),
  /** The registration has failed. Without a reservation: the account was made, and is as if it had never been. */
  inviteUnused: cast(545, InviteUse.partial({ reservationId: true })),
  /** Long after a reservation, which a registration has settled unless it was lost. */
  reservationDue: cast(546, InviteUse),
  /** Their creator is gone. */
  forgetInvites: cast(547, z.object({ creatorId: identifier })),
};
