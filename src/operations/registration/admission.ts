/** What the lists of staff say about a sign-up. */
import { createHash } from 'node:crypto';
import {
  allUsernameBlocks,
  canonicalEmailList,
  emailDomainList,
  findAccessBlock,
} from '../../actors/instance/access/access.queries.ts';
import type { EmailDomainBlock } from '../../actors/instance/access/access.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { canonicalHash, domainsOfEmail, isNamedBy } from '../../actors/policy/access.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { addressBlocksOf } from '../../services/address-blocks.ts';
import type { Services } from '../../services/services.ts';
import { type Caller, flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { type FieldProblem, reserved, taken } from '../refused-fields.ts';

/** `approval`: the account waits for staff, whatever the mode of registrations. */
export type Admission = 'free' | 'approval' | 'refused';

const blockedEmail: FieldProblem = { kind: 'blocked', words: 'contains a disallowed e-mail provider' };

/** By the IP address that the request comes from. */
export function admissionOfAddress(services: Parameters<typeof addressBlocksOf>[0], { address }: Caller): Admission {
  const severity = address && addressBlocksOf(services).severityOf(address());
  if (severity === undefined) return 'free';
  return severity === 'sign_up_requires_approval' ? 'approval' : 'refused';
}

interface OfField {
  readonly admission: Exclude<Admission, 'refused'>;
  readonly problems: readonly FieldProblem[];
}

const free: OfField = { admission: 'free', problems: [] };
const approval: OfField = { admission: 'approval', problems: [] };

export function admissionOfName({ snapshots }: Pick<Services, 'snapshots'>, username: string): OfField {
  const blocks = Array.from(allUsernameBlocks(snapshots)).filter((block) => isNamedBy(block, username));
  if (blocks.length === 0) return free;
  return blocks.every(({ allowWithApproval }) => allowWithApproval) ? approval : { ...free, problems: [reserved] };
}

/** That an address is blocked is not told: whoever has it could try others until one is free. */
export function admissionOfEmail({ snapshots }: Pick<Services, 'snapshots'>, email: string): OfField {
  const hash = canonicalHash(email);
  if (hash !== undefined && findAccessBlock(snapshots, canonicalEmailList, hash) !== undefined)
    return { ...free, problems: [taken] };
  const block = emailDomainBlockOf(snapshots, email);
  if (block === undefined) return free;
  return block.allowWithApproval ? approval : { ...free, problems: [blockedEmail] };
}

/** Of the domain itself, or the nearest one above it. */
function emailDomainBlockOf(snapshots: Reader, email: string): EmailDomainBlock | undefined {
  for (const domain of domainsOfEmail(email)) {
    const block = findAccessBlock(snapshots, emailDomainList, domain);
    if (block !== undefined) return block;
  }
  return undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Counts a sign-up with a domain that staff watch or block: they see how often it is tried. */
export async function countAttempt({ caller, services }: OperationContext, email: string): Promise<void> {
  const block = emailDomainBlockOf(services.snapshots, email);
  if (block === undefined) return;
  const seen = createHash('sha256')
    .update(caller.address?.() ?? '')
    .digest('base64url')
    .slice(0, 11);
  const day = Math.floor(services.now() / dayMilliseconds);
  const message = Instance.emailDomainTried.to(instanceKey, { domain: block.domain, seen, day });
  await services.client.call(message, flowOf(caller));
}
