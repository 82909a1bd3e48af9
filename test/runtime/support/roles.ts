/** Roles for supervisors of tests: owners, gateways that answer the operator and cannot be terminated, network threads. */
import { effectsRole, ownerRole, type Role, type ThreadName } from '../../../src/runtime/threads/role.ts';

export interface Counts {
  readonly owner: number;
  readonly gateway: number;
  readonly network: number;
}

const common = { answersOperator: false, isTerminable: true, linkedTo: [] };

export function rolesOf(counts: Counts, limits: Pick<Role, 'heapBytesMax' | 'youngBytesMax'> = {}): Role[] {
  const { heapBytesMax, youngBytesMax } = limits;
  const everybody = Object.keys(counts);
  return [
    {
      ...common,
      name: ownerRole,
      count: counts.owner,
      loadsEarly: true,
      stopOrder: 3,
      linkedTo: everybody,
      heapBytesMax,
    },
    {
      ...{ name: 'gateway', count: counts.gateway, loadsEarly: true, stopOrder: 1, linkedTo: everybody },
      ...{ answersOperator: true, isTerminable: false, heapBytesMax, youngBytesMax },
    },
    {
      ...common,
      name: effectsRole,
      count: counts.network,
      loadsEarly: false,
      stopOrder: 2,
      linkedTo: [effectsRole],
      heapBytesMax,
    },
  ];
}

const firstNumbers: Readonly<Record<string, number>> = { owner: 0, gateway: 100, network: 200 };

/** A thread outside of any supervisor. */
export function threadName(role: string, index: number): ThreadName {
  return { role, index, number: (firstNumbers[role] ?? 300) + index };
}
