/**
 * Actors for tests of the runtime. A player runs a script by name: scripts are functions that a test registers, so that
 * a message can cross a channel, stay in an inbox or wait in a timer as plain data.
 */
import { z } from 'zod';
import { packed } from '../../../src/runtime/codec.ts';
import {
  type ActorImplementation,
  type ActorKind,
  call,
  cast,
  contract,
  type DelegatedReply,
  type Envelope,
  implement,
} from '../../../src/runtime/contract.ts';
import { effectType } from '../../../src/runtime/effects.ts';
import { cacheable, eventType, invalidation } from '../../../src/runtime/events/event.ts';
import { composeId, slotCount } from '../../../src/runtime/ids.ts';
import type { Turn } from '../../../src/runtime/partition/turn.ts';
import { id, keyspace, uint32, uint53 } from '../../../src/runtime/storage/keyspace.ts';

export const Line = z.object({ script: z.string(), argument: z.unknown() });
export type Line = z.infer<typeof Line>;

const playerKind: ActorKind<bigint> = { kind: 200, name: 'player' };
const stageKind: ActorKind<bigint> = { kind: 201, name: 'stage', routing: 'partition' };

export const Player = contract(playerKind, {
  act: call(1, Line, z.unknown()),
  hear: cast(2, Line),
  answered: cast(3, z.unknown()),
});
/** The partition's own actor. */
export const Stage = contract(stageKind, { hear: cast(1, Line) });

export const Fetch = effectType(1, 'fetch', z.object({ what: z.string() }));
export const Said = eventType(1, 'said', z.object({ what: z.string() }));
/** Events that invalidate what threads cache, at once and not. */
export const Decided = eventType(2, 'decided', z.object({}), () => [invalidation(cacheable('decisions'), 0)]);
export const Guessed = eventType(3, 'guessed', z.object({}), () => [
  invalidation(cacheable('guesses', { mayLag: true }), 0),
]);

const bound = { by: 'owner', reason: 'tests end' } as const;

/** One value per player. */
export const notes = keyspace<[bigint, number], string>({
  number: 200,
  name: 'notes',
  remembered: true,
  owner: 'player',
  key: [id('player'), uint53('position')],
  value: packed(),
  bound,
});
/** What hardly any player has. */
export const grudges = keyspace<[bigint, number], string>({
  number: 203,
  name: 'grudges',
  sparse: true,
  owner: 'player',
  key: [id('player'), uint53('position')],
  value: packed(),
  bound,
});
/** A keyspace that every actor of a partition writes. */
export const board = keyspace<[number, number], string>({
  number: 201,
  name: 'board',
  owner: 'player',
  sharedWith: ['stage'],
  partitionWide: true,
  scopeParts: 1,
  key: [uint32('topic'), uint53('position')],
  value: packed(),
  bound,
});
/** Statistics. */
export const tally = keyspace<[number], number>({
  number: 202,
  name: 'tally',
  owner: 'player',
  partitionWide: true,
  beginsAnewIfDamaged: true,
  key: [uint32('day')],
  value: packed(),
  bound,
});
export const playerKeyspaces = [notes, grudges, board, tally] as const;

export type PlayerTurn = Turn<bigint>;
export type Script = (turn: PlayerTurn, argument: unknown) => unknown;

export class Scripts {
  readonly actors: readonly ActorImplementation[];
  private readonly scripts = new Map<string, Script>();

  constructor() {
    const play = (turn: PlayerTurn, line: Line): unknown => {
      const script = this.scripts.get(line.script);
      if (script === undefined) throw new Error(`no script is called ${line.script}`);
      return script(turn, line.argument);
    };
    const hear = (turn: PlayerTurn, line: Line): undefined | DelegatedReply => {
      play(turn, line);
      return undefined;
    };
    const answered = (turn: PlayerTurn, answer: unknown): undefined | DelegatedReply =>
      hear(turn, { script: 'answered', argument: answer });
    this.actors = [
      implement<PlayerTurn>()(Player, { act: play, hear, answered }),
      implement<PlayerTurn>()(Stage, { hear }),
    ];
  }

  define(script: string, run: Script): void {
    this.scripts.set(script, run);
  }
}

export function act(player: bigint, script: string, argument?: unknown): Envelope<unknown> {
  return Player.act.to(player, { script, argument });
}

export function hear(player: bigint, script: string, argument?: unknown): Envelope {
  return Player.hear.to(player, { script, argument });
}

/** A player's id in the middle of a partition's slots, so that two players of one partition have slots of their own. */
export function playerOf(partition: number, partitions: number, index = 0): bigint {
  return composeId(1, Math.floor((partition * slotCount) / partitions) + 1 + index, 0);
}
