/** The messages that will come to the actors of a partition: in timers and inbox, as answers of effects, and as letters. */
import type { Codec } from '../codec.ts';
import type { ActorKey } from '../contract.ts';
import { letterOf } from '../letters.ts';
import { decodeRecord } from '../partition/undecodable.ts';
import type { Keyspace } from './keyspace.ts';
import { hashedString, id } from './keyspace.ts';
import { deadLetterRecords, effectRecords, effects, inbox, inboxRecords, timerRecords, timers } from './machine.ts';
import type { Reader } from './reader.ts';
import type { Awaiting } from './rules.ts';

export class AwaitedMessages {
  /** Bodies by message and actor; of an effect, its request. */
  private readonly bodies = new Map<string, unknown[]>();
  private readonly wanted: ReadonlySet<string>;

  /** Only the messages of these rules are kept. Records that cannot be decoded are left out: the check reports them. */
  constructor(reader: Reader, rules: readonly Awaiting[]) {
    this.wanted = new Set(rules.flatMap(({ messages }) => messages.map(({ kind, number }) => nameOf(kind, number))));
    for (const [kind, key, message, body] of decoded(reader, timerRecords, timers)) this.add(kind, key, message, body);
    for (const [kind, key, message, body] of decoded(reader, inboxRecords, inbox)) this.add(kind, key, message, body);
    for (const { kind, key, message, request } of decoded(reader, effectRecords, effects))
      this.add(kind, key, message, request);
    for (const {
      key: [sequence],
      value,
    } of reader.range(deadLetterRecords, [])) {
      const { message, effect } = letterOf(sequence, value);
      if (effect === undefined) this.add(message[0], message[1], message[2], message[3]);
      else this.add(effect.kind, effect.key, effect.message, effect.request);
    }
  }

  /** Undefined where a message comes that is meant for the entry; otherwise what is wrong with it. */
  missingFor(rule: Awaiting, key: never, bytes: Uint8Array): string | undefined {
    const actor = Buffer.from(bytes.subarray(keyHeaderBytes, keyHeaderBytes + rule.keyspace.parts[0]!.bytes));
    const isComing = rule.messages.some(({ kind, number }) =>
      this.bodies
        .get(`${nameOf(kind, number)} ${actor.toString('hex')}`)
        ?.some((body) => rule.isMeant(key, body as never, bytes)),
    );
    return isComing
      ? undefined
      : `waits for ${rule.messages.map(({ name }) => name).join(' or ')}, which will not come`;
  }

  private add(kind: number, key: ActorKey, message: number, body: unknown): void {
    const name = nameOf(kind, message);
    if (!this.wanted.has(name)) return;
    const place = `${name} ${hexOf(key)}`;
    const bodies = this.bodies.get(place);
    if (bodies === undefined) this.bodies.set(place, [body]);
    else bodies.push(body);
  }
}

const keyHeaderBytes = 3;

function nameOf(kind: number, message: number): string {
  return `${kind}.${message}`;
}

/** As in keys of the actor's entries. */
function hexOf(key: ActorKey): string {
  const part = typeof key === 'bigint' ? id('actor') : hashedString('actor');
  const bytes = Buffer.alloc(part.bytes);
  (part.write as (target: Buffer, offset: number, value: ActorKey) => void)(bytes, 0, key);
  return bytes.toString('hex');
}

function* decoded<Key extends readonly unknown[], Value>(
  reader: Reader,
  records: Keyspace<Key, Uint8Array>,
  { value: codec }: { readonly value: Codec<Value> },
): Generator<Value> {
  for (const { value } of reader.range(records, [])) {
    const record = attempt(() => decodeRecord({ value: codec }, value));
    if (record !== undefined) yield record;
  }
}

function attempt<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
