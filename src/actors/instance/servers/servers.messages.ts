/** The instance actor's messages about deliveries to another server, and its purge. Message numbers 660 to 664. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { PurgePosition, ServerPurge } from './servers.records.ts';

/** A host[:port] in normal form. */
const named = z.object({ domain: z.string(), ...audited });

export const serverMessages = {
  /** Deliveries wait, to the subdomains as well. Repeating changes nothing. Throws Failure validation above the bound. */
  stopDelivery: call(660, named.extend({ byId: identifier.optional() }), z.undefined()),
  /** What waits is tried at once, also where the server only failed. */
  restartDelivery: call(661, named, z.undefined()),
  /** Failures in a row, and the last error, are forgotten. */
  clearDeliveryFailures: call(662, named, z.undefined()),
  /** The reply is the purge that goes on now, which may have begun before. */
  purgeServer: call(663, named, ServerPurge),
  /** The answer of the effect. `next` is absent after the last slice. */
  serverPurged: cast(
    664,
    z.object({ domain: z.string(), purgeId: identifier, accounts: z.number(), next: PurgePosition.optional() }),
  ),
};
