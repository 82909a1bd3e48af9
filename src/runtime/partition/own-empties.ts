/**
 * What is known to be empty of the actor of a turn. It is looked up once for many keyspaces: a mention asks about blocks,
 * mutes and policies that hardly anybody has, and encoding a key for each costs more than the rest of asking (measured).
 */
import type { Committed } from '../storage/committed.ts';
import type { Keyspace } from '../storage/keyspace.ts';

type ActorKeyspace = Pick<Keyspace<never, never>, 'number' | 'prefix' | 'slotOf'>;

/** Slot and number, which `EmptyScopes` leaves out. */
const headerBytes = 3;

export class OwnEmpties {
  private readonly committed: Pick<Committed, 'emptyBitOf' | 'emptiesOf'>;
  private scope: string | undefined;
  private bits = 0;

  constructor(committed: Pick<Committed, 'emptyBitOf' | 'emptiesOf'>) {
    this.committed = committed;
  }

  /** `key` begins with that of the actor. Scopes of more parts are not known here. */
  has(space: ActorKeyspace, key: readonly unknown[]): boolean {
    const bit = this.committed.emptyBitOf(space);
    if (bit === 0) return false;
    this.scope ??= space.prefix(key.slice(0, 1), space.slotOf(key)).toString('latin1', headerBytes);
    if ((this.bits & bit) === 0) this.bits = this.committed.emptiesOf(this.scope);
    return (this.bits & bit) !== 0;
  }
}
