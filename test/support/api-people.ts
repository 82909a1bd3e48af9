/** alice and bob in different partitions, carol beside alice, and the API over them. */

import { MemoryApi } from './memory-api.ts';
import { People } from './people.ts';

export async function newPeople() {
  const people = new People();
  const alice = people.local('alice');
  const bob = people.local('bob');
  const carol = people.local('carol');
  return { people, api: new MemoryApi(people.server), alice, bob, carol };
}
