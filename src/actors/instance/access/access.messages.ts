/** The instance actor's messages about who may sign up or come at all. Message numbers 380 to 390, 646 and 647. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import {
  AddressBlock,
  AddressBlockContent,
  CanonicalEmailBlock,
  EmailDomainBlock,
  NewEmailDomainBlock,
  NewUsernameBlock,
  UsernameBlock,
} from './access.records.ts';

const removal = z.object({ blockId: identifier, ...audited });

/**
 * What is blocked already stays, and the reply is undefined. Additions throw Failure validation above the bound, removals
 * and changes Failure notFound.
 */
export const accessMessages = {
  blockEmailDomain: call(380, NewEmailDomainBlock.extend(audited), EmailDomainBlock.optional()),
  unblockEmailDomain: call(381, removal, z.undefined()),
  /** Somebody tried to sign up with it. `seen`: a digest of the IP address; `day` since 1970. */
  emailDomainTried: call(382, z.object({ domain: z.string(), seen: z.string(), day: z.number() }), z.undefined()),
  blockCanonicalEmail: call(383, z.object({ hash: z.string(), ...audited }), CanonicalEmailBlock.optional()),
  unblockCanonicalEmail: call(384, removal, z.undefined()),
  /** With the suspension of an account. Does nothing where the address is blocked, or the list is full. */
  blockAccountEmail: cast(646, z.object({ accountId: identifier, hash: z.string() })),
  /** Does nothing where it is another one that blocks it. */
  unblockAccountEmail: call(647, z.object({ accountId: identifier, hash: z.string() }), Done),
  blockAddress: call(385, AddressBlockContent.extend(audited), AddressBlock.optional()),
  changeAddressBlock: call(
    386,
    z.object({ blockId: identifier, content: AddressBlockContent, ...audited }),
    AddressBlock.optional(),
  ),
  unblockAddress: call(387, removal, z.undefined()),
  addressBlockExpired: cast(388, z.object({ blockId: identifier })),
  blockUsername: call(389, NewUsernameBlock.extend(audited), UsernameBlock.optional()),
  unblockUsername: call(390, removal, z.undefined()),
};
