/** The actors of the bank: accounts, which hold money and a journal, and one vault a partition, which counts. */
import { z } from 'zod';
import { type ActorKind, call, cast, contract } from '../../../src/runtime/contract.ts';
import { effectType } from '../../../src/runtime/effects.ts';
import { eventType } from '../../../src/runtime/events/event.ts';

const accountKind: ActorKind<bigint> = { kind: 210, name: 'account' };
const vaultKind: ActorKind<bigint> = { kind: 211, name: 'vault', routing: 'partition' };

/** Every operation of the load has its own number, by which its traces are found. */
const operation = z.number();
/** Where an operation left its trace: the account and the position in its journal. */
const Receipt = z.object({ account: z.bigint(), position: z.number() });
export type Receipt = z.infer<typeof Receipt>;

export const Account = contract(accountKind, {
  deposit: call(1, z.object({ operation, amount: z.number() }), Receipt),
  transfer: call(2, z.object({ operation, to: z.bigint(), amount: z.number() }), Receipt),
  credit: cast(3, z.object({ operation, from: z.bigint(), sequence: z.number(), amount: z.number() })),
  read: call(4, z.object({}), z.object({ position: z.number(), balance: z.number() })),
  remind: call(5, z.object({ operation, after: z.number(), whom: z.bigint() }), Receipt),
  reminded: cast(6, z.object({ operation, due: z.number(), partition: z.number() })),
  fetch: call(7, z.object({ operation }), Receipt),
  fetched: cast(8, z.object({ operation, answer: z.number() })),
  /** Delegates the reply along the way; the last account gives it. */
  ask: call(9, z.object({ operation, way: z.array(z.bigint()) }), Receipt),
  /** Writes a lot and then throws. */
  refuse: call(10, z.object({ operation, to: z.bigint() })),
  /** Sends a message whose handler throws. */
  trip: call(11, z.object({ operation, whom: z.bigint() }), Receipt),
  fall: cast(12, z.object({ operation })),
  mint: call(13, z.object({ operation, count: z.number() }), z.object({ receipt: Receipt, ids: z.array(z.bigint()) })),
  /** Sends this many credits of nothing at once. */
  flood: call(14, z.object({ operation, to: z.array(z.bigint()), count: z.number() }), Receipt),
});

export const Vault = contract(vaultKind, { counted: cast(1, z.object({ operation })) });

/** Asks the outside world for a number. */
export const Lookup = effectType(1, 'lookup', z.object({ operation }));

/** An entry was added to a journal. */
export const Booked = eventType(1, 'booked', z.object({ account: z.bigint(), position: z.number() }));
