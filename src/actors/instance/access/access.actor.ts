/** Who may sign up or come at all: the lists of staff. A change is in force for everything that begins after its answer. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { AuditValue, GivenAudit } from '../../audit.records.ts';
import { recordAudit } from '../../audit.state.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { addressBlockChanged } from './access.events.ts';
import type { accessMessages } from './access.messages.ts';
import { accessBlockWithId } from './access.queries.ts';
import type { AddressBlock, CanonicalEmailBlock, EmailDomainBlock, UsernameBlock } from './access.records.ts';
import { accessOrder, accessSizes } from './access.state.ts';
import { type AccessList, addressList, canonicalEmailList, emailDomainList, usernameList } from './access-lists.ts';

type Body<Name extends keyof typeof accessMessages> = BodyOf<(typeof accessMessages)[Name]>;
type Facts = Readonly<Record<string, AuditValue | undefined>>;
interface Listed {
  readonly id: Id;
  readonly createdAt: number;
}

const daysKept = 7;
const addressesCountedMax = 200;

export function blockEmailDomain(
  turn: InstanceTurn,
  { domain, allowWithApproval, audit }: Body<'blockEmailDomain'>,
): EmailDomainBlock | undefined {
  const block = { domain, allowWithApproval, attempts: [], seen: [] };
  return add(turn, emailDomainList, block, audit, { allowWithApproval });
}

export function unblockEmailDomain(turn: InstanceTurn, { blockId, audit }: Body<'unblockEmailDomain'>): undefined {
  remove(turn, emailDomainList, blockId, audit, ({ allowWithApproval }) => ({ allowWithApproval }));
}

/** Nothing is written for a domain without a block. */
export function emailDomainTried(turn: InstanceTurn, { domain, seen, day }: Body<'emailDomainTried'>): undefined {
  const key: [string, string] = [turn.self.key, domain];
  const before = turn.get(emailDomainList.keyspace, key);
  if (before === undefined) return;
  const isToday = before.attempts[0]?.day === day;
  const known = isToday ? before.seen : [];
  const isNew = !known.includes(seen) && known.length < addressesCountedMax;
  const latest = isToday ? before.attempts[0]! : { day, uses: 0, addresses: 0 };
  const today = { day, uses: latest.uses + 1, addresses: latest.addresses + Number(isNew) };
  const earlier = before.attempts.filter((one) => one.day < day && one.day > day - daysKept);
  turn.put(emailDomainList.keyspace, key, {
    ...before,
    attempts: [today, ...earlier],
    seen: isNew ? [...known, seen] : known,
  });
}

export function blockCanonicalEmail(
  turn: InstanceTurn,
  { hash, audit }: Body<'blockCanonicalEmail'>,
): CanonicalEmailBlock | undefined {
  return add(turn, canonicalEmailList, { hash }, audit, { isBlocked: true });
}

export function unblockCanonicalEmail(
  turn: InstanceTurn,
  { blockId, audit }: Body<'unblockCanonicalEmail'>,
): undefined {
  remove(turn, canonicalEmailList, blockId, audit, () => ({ isBlocked: true }));
}

/** No decision of its own: the audit log has that about the account. */
export function blockAccountEmail(turn: InstanceTurn, block: Body<'blockAccountEmail'>): undefined {
  const { number, entriesMax } = canonicalEmailList;
  const isFull = (turn.get(accessSizes, [turn.self.key, number])?.entries ?? 0) >= entriesMax;
  if (!isFull) add(turn, canonicalEmailList, block, undefined, {});
}

export function unblockAccountEmail(turn: InstanceTurn, { accountId, hash }: Body<'unblockAccountEmail'>): undefined {
  const block = turn.get(canonicalEmailList.keyspace, [turn.self.key, hash]);
  if (block?.accountId === accountId) remove(turn, canonicalEmailList, block.id, undefined, () => ({}));
}

export function blockAddress(
  turn: InstanceTurn,
  { audit, ...content }: Body<'blockAddress'>,
): AddressBlock | undefined {
  const block = add(turn, addressList, content, audit, factsOfAddress(content));
  if (block !== undefined) addressChanged(turn, block);
  return block;
}

export function changeAddressBlock(
  turn: InstanceTurn,
  { blockId, content, audit }: Body<'changeAddressBlock'>,
): AddressBlock | undefined {
  const before = blockOf(turn, addressList, blockId);
  const isElsewhere = content.range !== before.range;
  if (isElsewhere && turn.get(addressList.keyspace, [turn.self.key, content.range]) !== undefined) return undefined;
  const block = { ...content, id: before.id, createdAt: before.createdAt };
  if (isElsewhere) {
    turn.delete(addressList.keyspace, [turn.self.key, before.range]);
    turn.put(accessOrder, [turn.self.key, addressList.number, blockId], { subject: content.range });
    turn.emit(addressBlockChanged, { range: before.range });
  }
  turn.put(addressList.keyspace, [turn.self.key, content.range], block);
  recordAudit(turn, audit, {
    targetId: blockId,
    name: content.range,
    before: { range: before.range, ...factsOfAddress(before) },
    after: { range: content.range, ...factsOfAddress(content) },
  });
  addressChanged(turn, block);
  return block;
}

export function unblockAddress(turn: InstanceTurn, { blockId, audit }: Body<'unblockAddress'>): undefined {
  const { range } = remove(turn, addressList, blockId, audit, factsOfAddress);
  turn.emit(addressBlockChanged, { range });
}

export function addressBlockExpired(turn: InstanceTurn, { blockId }: Body<'addressBlockExpired'>): undefined {
  const block = accessBlockWithId(turn, addressList, blockId);
  if (block?.expiresAt === undefined || block.expiresAt > turn.now) return;
  unblockAddress(turn, { blockId, audit: { action: 'unblockAddress', by: 'server' } });
}

export function blockUsername(
  turn: InstanceTurn,
  { audit, ...content }: Body<'blockUsername'>,
): UsernameBlock | undefined {
  const { isExact, allowWithApproval } = content;
  return add(turn, usernameList, content, audit, { isExact, allowWithApproval });
}

export function unblockUsername(turn: InstanceTurn, { blockId, audit }: Body<'unblockUsername'>): undefined {
  remove(turn, usernameList, blockId, audit, ({ isExact, allowWithApproval }) => ({ isExact, allowWithApproval }));
}

/** Undefined where the list has it already. Throws Failure validation for a full list. */
function add<Entry extends Listed>(
  turn: InstanceTurn,
  { number, keyspace, entriesMax, subjectOf }: AccessList<Entry>,
  content: Omit<Entry, keyof Listed>,
  audit: GivenAudit | undefined,
  after: Facts,
): Entry | undefined {
  const { key } = turn.self;
  const subject = subjectOf(content);
  if (turn.get(keyspace, [key, subject]) !== undefined) return undefined;
  const entries = turn.get(accessSizes, [key, number])?.entries ?? 0;
  if (entries >= entriesMax) throw validationFailure('There are too many blocks of this kind');
  const entry = { ...content, id: turn.nextId(), createdAt: turn.now } as Entry;
  turn.put(keyspace, [key, subject], entry);
  turn.put(accessOrder, [key, number, entry.id], { subject });
  turn.put(accessSizes, [key, number], { entries: entries + 1 });
  recordAudit(turn, audit, { targetId: entry.id, name: subject, after });
  return entry;
}

/** Throws Failure notFound. */
function remove<Entry extends Listed>(
  turn: InstanceTurn,
  list: AccessList<Entry>,
  blockId: Id,
  audit: GivenAudit | undefined,
  factsOf: (entry: Entry) => Facts,
): Entry {
  const { key } = turn.self;
  const entry = blockOf(turn, list, blockId);
  const subject = list.subjectOf(entry);
  turn.delete(list.keyspace, [key, subject]);
  turn.delete(accessOrder, [key, list.number, blockId]);
  turn.put(accessSizes, [key, list.number], { entries: turn.get(accessSizes, [key, list.number])!.entries - 1 });
  recordAudit(turn, audit, { targetId: blockId, name: subject, before: factsOf(entry) });
  return entry;
}

function blockOf<Entry extends Listed>(turn: InstanceTurn, list: AccessList<Entry>, blockId: Id): Entry {
  const block = accessBlockWithId(turn, list, blockId);
  if (block === undefined) throw new Failure('notFound');
  return block;
}

function addressChanged(turn: InstanceTurn, { id: blockId, range, expiresAt }: AddressBlock): void {
  turn.emit(addressBlockChanged, { range });
  if (expiresAt !== undefined) turn.schedule(expiresAt, Instance.addressBlockExpired.to(turn.self.key, { blockId }));
}

function factsOfAddress({ severity, comment, expiresAt }: Omit<AddressBlock, keyof Listed>): Facts {
  return { severity, comment, expiresAt };
}
