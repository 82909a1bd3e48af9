/**
 * A kind of thread, as the supervisor starts, links, replaces and stops it. What its threads do is the business of the
 * program's entry. Two roles are known to the runtime itself: owners hold the partitions, and effects run on network
 * threads. All others are the program's own.
 */
export const ownerRole = 'owner';
export const effectsRole = 'network';

export interface Role {
  readonly name: string;
  /** How many threads of it there are. */
  readonly count: number;
  /**
   * Roles start in the order in which they are declared, each when the threads of those before are ready. Threads of a
   * role that loads early load their code with the first ones nevertheless.
   */
  readonly loadsEarly: boolean;
  /** Roles stop one after the other, the lowest number first. */
  readonly stopOrder: number;
  /** Its threads exchange messages with those of these roles; it suffices that one of two roles says so. */
  readonly linkedTo: readonly string[];
  /** Its threads carry out requests of the operator. */
  readonly answersOperator: boolean;
  /** False where a thread cannot be terminated without the process: open native sockets would end that with a fault. */
  readonly isTerminable: boolean;
  /** Per thread: one that needs more ends and is replaced. A smaller heap is collected earlier by V8. */
  readonly heapBytesMax?: number | undefined;
  /** The size of the young generation: smaller ones are collected more often, and faster. */
  readonly youngBytesMax?: number | undefined;
}

/** How many threads each role has; others than these two have none where they are not named. */
export type ThreadCounts = Readonly<Record<typeof ownerRole | typeof effectsRole, number>> &
  Readonly<Record<string, number>>;

export interface ThreadName {
  readonly role: string;
  /** From 0 on, within its role. */
  readonly index: number;
  /** Unique among the threads of a run: reply handles carry it. */
  readonly number: number;
}

export function countsOf(roles: readonly Role[]): ThreadCounts {
  const counts = Object.fromEntries(roles.map(({ name, count }) => [name, count]));
  return { ...counts, [ownerRole]: counts[ownerRole] ?? 0, [effectsRole]: counts[effectsRole] ?? 0 };
}

/** All threads, in the order in which they start. */
export function threadsOf(roles: readonly Role[]): readonly { readonly name: ThreadName; readonly role: Role }[] {
  return roles
    .flatMap((role) => Array.from({ length: role.count }, (_, index) => ({ role, index })))
    .map(({ role, index }, number) => ({ role, name: { role: role.name, index, number } }));
}

export function areLinked(one: Role, other: Role): boolean {
  return one.linkedTo.includes(other.name) || other.linkedTo.includes(one.name);
}
