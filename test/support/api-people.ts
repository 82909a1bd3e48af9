/** alice and bob in different partitions, carol beside alice, and the API over them. */
import { Circle } from './circle.ts';
import { MemoryApi } from './memory-api.ts';

export async function newPeople() {
  const circle = new Circle();
  const alice = await circle.local('alice', 0);
  const bob = await circle.local('bob', 1);
  const carol = await circle.local('carol', 0);
  return { circle, api: new MemoryApi(circle.server), alice, bob, carol };
}
