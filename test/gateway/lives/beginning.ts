/** What people have from the beginning, so that a story meets it: a list, an endorsement, a collection, a post, a tag. */
import { listsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { type LivesTown, pickOf } from './town.ts';

export async function settleIn(town: LivesTown): Promise<void> {
  const { random, server } = town;
  for (const me of town.locals) {
    const others = town.everybody.filter((one) => one !== me);
    const followed = others.filter((one) => town.people.relationship(me, one).follow?.state === 'accepted');
    await town.ask(me, 'POST', '/api/v1/lists', { title: 'a list', exclusive: random.chance(0.5) });
    const [list] = listsOf(server.read, me.id);
    const friend = pickOf(random, followed);
    if (friend !== undefined) {
      await town.ask(me, 'POST', '/api/v1/lists/:id/accounts', { id: list!.id, account_ids: [`${friend.id}`] });
      await town.ask(me, 'POST', '/api/v1/accounts/:id/endorse', { id: random.pick(followed).id });
    }
    const candidates = [`${random.pick(others.filter((one) => town.isHere(one))).id}`];
    const collection = { name: 'a collection', sensitive: false, discoverable: true, account_ids: candidates };
    await town.ask(me, 'POST', '/api/v1/collections', collection);
    await town.ask(me, 'POST', '/api/v1/statuses', { status: 'hello #cats', quote_approval_policy: 'public' });
    await town.ask(me, 'POST', `/api/v1/tags/:name/${random.pick(['follow', 'feature'])}`, { name: 'cats' });
  }
}
