/** Rows of entities-shape.test.ts: collections of accounts, for curators, members and strangers. */
import type { Answered, Ask } from '../../support/asking.ts';
import type { User } from '../../support/users.ts';
import type { Row } from './entities-kept-rows.ts';

interface Scene {
  readonly ask: Ask;
  readonly alice: User;
  readonly erin: User;
}

/** Each row makes a collection of alice's with erin in it, and removes it. */
export function collectionRows(scene: () => Scene): readonly Row[] {
  const about = async (question: (id: string, itemId: string) => Promise<Answered>): Promise<Answered> => {
    const { ask, alice, erin } = scene();
    await ask(erin, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    const given = { name: 'Birds', tag_name: 'birds', language: 'en', account_ids: [erin.id] };
    const { body } = await ask(alice, 'POST', '/api/v1/collections', given);
    const { id, items } = body.collection!;
    const answer = await question(String(id), String(items![0]!.id));
    await ask(alice, 'DELETE', `/api/v1/collections/${id}`);
    return answer;
  };
  const asAlice = (method: string, pathOf: (id: string, itemId: string) => string, given?: object) =>
    about((id, itemId) => scene().ask(scene().alice, method, pathOf(id, itemId), given));
  const again = async (id: string, itemId: string): Promise<Answered> => {
    const { ask, alice, erin } = scene();
    await ask(alice, 'DELETE', `/api/v1/collections/${id}/items/${itemId}`);
    return ask(alice, 'POST', `/api/v1/collections/${id}/items`, { account_id: erin.id });
  };
  return [
    [
      'POST /api/v1/collections',
      () => scene().ask(scene().alice, 'POST', '/api/v1/collections', { name: 'A collection' }),
    ],
    ['GET /api/v1/collections/:id', () => asAlice('GET', (id) => `/api/v1/collections/${id}`)],
    ['GET /api/v1/collections/:id', () => about((id) => scene().ask(undefined, 'GET', `/api/v1/collections/${id}`))],
    ['PATCH /api/v1/collections/:id', () => asAlice('PATCH', (id) => `/api/v1/collections/${id}`, { name: 'Owls' })],
    ['PUT /api/v1/collections/:id', () => asAlice('PUT', (id) => `/api/v1/collections/${id}`, { tag_name: '' })],
    [
      'GET /api/v1/accounts/:id/collections',
      () => about(() => scene().ask(scene().erin, 'GET', `/api/v1/accounts/${scene().alice.id}/collections`)),
    ],
    [
      'GET /api/v1/accounts/:id/in_collections',
      () => about(() => scene().ask(scene().erin, 'GET', `/api/v1/accounts/${scene().erin.id}/in_collections`)),
    ],
    ['GET /api/v1/notifications', () => about(() => scene().ask(scene().erin, 'GET', '/api/v1/notifications'))],
    ['GET /api/v2/notifications', () => about(() => scene().ask(scene().erin, 'GET', '/api/v2/notifications'))],
    ['POST /api/v1/collections/:collection_id/items', () => about(again)],
    [
      'DELETE /api/v1/collections/:collection_id/items/:id',
      () => asAlice('DELETE', (id, itemId) => `/api/v1/collections/${id}/items/${itemId}`),
    ],
    [
      'POST /api/v1/collections/:collection_id/items/:id/revoke',
      () =>
        about((id, itemId) => scene().ask(scene().erin, 'POST', `/api/v1/collections/${id}/items/${itemId}/revoke`)),
    ],
    ['DELETE /api/v1/collections/:id', () => asAlice('DELETE', (id) => `/api/v1/collections/${id}`)],
  ];
}
