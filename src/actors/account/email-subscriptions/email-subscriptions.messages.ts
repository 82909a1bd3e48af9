/** Subscriptions to the posts of an account by mail. Message numbers 730 to 738. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { identifier } from '../account.records.ts';

const Named = z.object({ subscriptionId: identifier });

export const emailSubscriptionMessages = {
  /** Whether others may subscribe. */
  allowEmailSubscriptions: call(730, z.object({ isAllowed: z.boolean() }), Done),
  /**
   * Sends a mail that asks to confirm it; nothing to an address that has subscribed already. Throws Failure notFound where
   * nobody may subscribe, and validation above the bound.
   */
  subscribeByEmail: call(731, z.object({ email: z.string(), locale: z.string() }), Done),
  /** Throws Failure notFound for one that is gone. */
  confirmEmailSubscription: call(732, Named, Done),
  endEmailSubscription: call(733, Named, Done),
  /** Removes it, unless it was confirmed. */
  emailSubscriptionExpires: cast(734, Named),
  emailsDue: cast(735, Nothing),
  /** Sends posts to the subscribers behind this one, some at a time. */
  emailPosts: cast(736, z.object({ statusIds: z.array(identifier), afterId: identifier.optional() })),
  /** Staff end all of them, and nobody may subscribe until the account allows it again. */
  endEmailSubscriptions: call(737, z.object(audited), Done),
  /** Some at a time. */
  removeEmailSubscriptions: cast(738, Nothing),
};
