/** Invalid requests about collections of accounts. */
import { asked, notFound, type Row, read, unknownIds, write } from './bad-asking.ts';

/** Asked with a collection of bob's, which is gone again afterwards. */
async function withCollection(question: (id: string) => ReturnType<typeof write>): ReturnType<typeof write> {
  const { body } = await write('collections', { name: 'A collection' });
  const id = String(body.collection!.id);
  const answer = await question(id);
  await write(`collections/${id}`, {}, 'DELETE');
  return answer;
}

const notFeaturable = 'This account cannot be added to collections';

export const collectionRows: Row[] = [
  ...unknownIds.flatMap((id): Row[] => [
    [`the collection ${id}`, 404, notFound, () => read(`collections/${id}`)],
    [`the collections of ${id}`, 404, notFound, () => read(`accounts/${id}/collections`)],
    [`those with ${id}`, 404, notFound, () => read(`accounts/${id}/in_collections`)],
    [`a change of the collection ${id}`, 404, notFound, () => write(`collections/${id}`, { name: 'x' }, 'PATCH')],
    [`the removal of the collection ${id}`, 404, notFound, () => write(`collections/${id}`, {}, 'DELETE')],
    [`an account for the collection ${id}`, 404, notFound, () => write(`collections/${id}/items`, { account_id: '1' })],
    [
      `the account ${id} for a collection`,
      404,
      notFound,
      () => withCollection((collection) => write(`collections/${collection}/items`, { account_id: id })),
    ],
    [
      `the item ${id}`,
      404,
      notFound,
      () => withCollection((collection) => write(`collections/${collection}/items/${id}`, {}, 'DELETE')),
    ],
    [
      `leaving by the item ${id}`,
      404,
      notFound,
      () => withCollection((collection) => write(`collections/${collection}/items/${id}/revoke`)),
    ],
    [`a new collection with ${id}`, 404, notFound, () => write('collections', { name: 'x', account_ids: [id] })],
  ]),
  [
    'no account for a collection',
    422,
    /can't be blank/,
    () => withCollection((collection) => write(`collections/${collection}/items`)),
  ],
  [
    'an account that does not want to be found',
    403,
    notFeaturable,
    () =>
      withCollection((collection) =>
        write(`collections/${collection}/items`, { account_id: asked.town.people.erin.id }),
      ),
  ],
  [
    'a new collection with one',
    403,
    notFeaturable,
    () => write('collections', { name: 'x', account_ids: [asked.town.people.erin.id] }),
  ],
  [
    'the collections that somebody else is in',
    403,
    /not allowed/,
    () => read(`accounts/${asked.town.people.erin.id}/in_collections`),
  ],
];
