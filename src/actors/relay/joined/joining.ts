/** Joining relays of others, leaving them, and their answers. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { slotOfKey } from '../../../runtime/ids.ts';
import type { Turn } from '../../../runtime/partition/turn.ts';
import { recordAudit } from '../../audit.state.ts';
import { type Intent, serverActorId } from '../../intents.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { relayLimits } from '../limits.ts';
import { joinedRelaysChanged } from '../relay.events.ts';
import { relayKey } from '../relay.key.ts';
import type { joinedMessages } from './joined.messages.ts';
import { allJoinedRelays } from './joined.queries.ts';
import type { JoinedRelay } from './joined.records.ts';
import { joinedReceipts, joinedRelays } from './joined.state.ts';

type RelayTurn = Turn<string>;
type Body<Name extends keyof typeof joinedMessages> = BodyOf<(typeof joinedMessages)[Name]>;

/** In the Follow of the form of Mastodon. */
const everythingPublic = 'https://www.w3.org/ns/activitystreams#Public';

export function join(turn: RelayTurn, { audit, ...asked }: Body<'join'>): JoinedRelay {
  const joined = allJoinedRelays(turn);
  const before = joined.find(({ inbox }) => inbox === asked.inbox);
  if (before === undefined && joined.length >= relayLimits.joinedMax)
    throw validationFailure('This server has joined too many relays');
  note(turn, audit, asked.host, before?.state, 'pending');
  if (before?.state === 'accepted') return before;
  const { createdAt, id } = before ?? { createdAt: turn.now, id: turn.nextId() };
  const relay: JoinedRelay = {
    ...asked,
    id,
    createdAt,
    state: 'pending',
    followId: turn.nextId(),
    changedAt: turn.now,
  };
  deliver(turn, relay, { kind: 'followRelay', ...followOf(turn, relay) });
  return store(turn, relay);
}

export function leaveRelay(turn: RelayTurn, { id, audit }: Body<'leaveRelay'>): JoinedRelay {
  const relay = turn.get(joinedRelays, [relayKey, id]);
  if (relay === undefined) throw new Failure('notFound');
  note(turn, audit, relay.host, relay.state, undefined);
  deliver(turn, relay, { kind: 'unfollowRelay', ...followOf(turn, relay) });
  turn.delete(joinedRelays, [relayKey, id]);
  turn.delete(joinedReceipts, [relayKey, id]);
  tell(turn);
  return relay;
}

/** An answer to an earlier Follow, or to none, changes nothing. */
export function answered(turn: RelayTurn, { followId, actor, isAccepted }: Body<'answered'>): undefined {
  const relay = allJoinedRelays(turn).find((joined) => joined.followId === followId);
  const state = isAccepted ? 'accepted' : 'rejected';
  if (relay === undefined || relay.state === state) return;
  store(turn, { ...relay, actor, state, changedAt: turn.now });
}

export function followedBack(turn: RelayTurn, { id, actor, follow }: Body<'followedBack'>): undefined {
  const relay = turn.get(joinedRelays, [relayKey, id]);
  if (relay?.actor !== actor) return;
  deliver(turn, relay, {
    kind: 'acceptSubscription',
    actorId: serverActorId,
    activityId: turn.nextId(),
    follower: actor,
    follow,
  });
}

export function brought(turn: RelayTurn, { relays }: Body<'brought'>): undefined {
  for (const { id, ...more } of relays) {
    if (turn.get(joinedRelays, [relayKey, id]) === undefined) continue;
    const {
      received = 0,
      taken = 0,
      refused = 0,
      shed = 0,
      lastAt = 0,
    } = turn.get(joinedReceipts, [relayKey, id]) ?? {};
    turn.put(joinedReceipts, [relayKey, id], {
      received: received + more.received,
      taken: taken + more.taken,
      refused: refused + more.refused,
      shed: shed + more.shed,
      lastAt: Math.max(lastAt, more.lastAt),
    });
  }
}

function followOf(turn: RelayTurn, { followId, form, actor }: JoinedRelay) {
  const object = form === 'actor' && actor !== undefined ? actor : everythingPublic;
  return { actorId: serverActorId, activityId: turn.nextId(), followId, object };
}

function deliver(turn: RelayTurn, { host, inbox }: JoinedRelay, intent: Intent): void {
  const partition = turn.partitionOf(slotOfKey(host));
  turn.tell(PartitionActor.deliver.to(BigInt(partition), { intent, destinations: [{ host, inbox }] }));
}

function store(turn: RelayTurn, relay: JoinedRelay): JoinedRelay {
  turn.put(joinedRelays, [relayKey, relay.id], relay);
  tell(turn);
  return relay;
}

/** Public posts of all accounts go to relays that have accepted: each partition knows them, so that a post asks nobody. */
function tell(turn: RelayTurn): void {
  turn.emit(joinedRelaysChanged, {});
  const accepted = allJoinedRelays(turn).filter(({ state }) => state === 'accepted');
  const destinations = accepted.map(({ host, inbox }) => ({ host, inbox }));
  const version = turn.nextId();
  for (let partition = 0; partition < turn.partitions; partition += 1)
    turn.tell(PartitionActor.relaysChanged.to(BigInt(partition), { version, destinations }));
}

function note(
  turn: RelayTurn,
  audit: Body<'join'>['audit'],
  host: string,
  before: string | undefined,
  after: string | undefined,
): void {
  recordAudit(turn, audit, { targetId: host, name: host, before: { state: before }, after: { state: after } });
}
