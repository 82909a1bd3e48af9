/** Invalid requests about lists and tags. */
import { asked, invalid, notFound, type Row, read, unknownIds, write } from './bad-asking.ts';

/** Asked with a list of bob's, which is gone again afterwards. */
async function withList(question: (id: string) => ReturnType<typeof write>): ReturnType<typeof write> {
  const { body } = await write('lists', { title: 'A list' });
  const answer = await question(String(body.id));
  await write(`lists/${body.id}`, {}, 'DELETE');
  return answer;
}

export const listRows: Row[] = [
  ...['12', '_', 'a%20b', '%F0%9F%98%80', 'x'.repeat(600)].flatMap((name): Row[] => [
    [`the tag ${name.slice(0, 20)}`, 404, notFound, () => read(`tags/${name}`)],
    [`a follow of the tag ${name.slice(0, 20)}`, 404, notFound, () => write(`tags/${name}/follow`)],
    [`an end of it, ${name.slice(0, 20)}`, 404, notFound, () => write(`tags/${name}/unfollow`)],
  ]),
  ['a list without a title', 422, invalid("Title can't be blank"), () => write('lists')],
  ['a list with a title too long', 422, /Title is too long/, () => write('lists', { title: 'x'.repeat(257) })],
  [
    'a list with a policy that there is not',
    422,
    invalid('Replies policy is not included in the list'),
    () => write('lists', { title: 'x', replies_policy: 'some' }),
  ],
  ...unknownIds.flatMap((id): Row[] => [
    [`the list ${id}`, 404, notFound, () => read(`lists/${id}`)],
    [`the members of ${id}`, 404, notFound, () => read(`lists/${id}/accounts`)],
    [`the timeline of ${id}`, 404, notFound, () => read(`timelines/list/${id}`)],
    [`the lists with ${id}`, 404, notFound, () => read(`accounts/${id}/lists`)],
    [`a change of the list ${id}`, 404, notFound, () => write(`lists/${id}`, { title: 'x' }, 'PUT')],
    [`the removal of the list ${id}`, 404, notFound, () => write(`lists/${id}`, {}, 'DELETE')],
    [`a member for ${id}`, 404, notFound, () => write(`lists/${id}/accounts`, { account_ids: ['1'] })],
    [`a member out of ${id}`, 404, notFound, () => write(`lists/${id}/accounts`, { account_ids: ['1'] }, 'DELETE')],
    [
      `the member ${id}`,
      404,
      notFound,
      () => withList((list) => write(`lists/${list}/accounts`, { account_ids: [asked.town.people.alice.id, id] })),
    ],
  ]),
  [
    'a member who is not followed',
    404,
    notFound,
    () => withList((list) => write(`lists/${list}/accounts`, { account_ids: [asked.town.people.erin.id] })),
  ],
  [
    '501 members',
    422,
    invalid('Accounts are too many'),
    () => withList((list) => write(`lists/${list}/accounts`, { account_ids: Array.from({ length: 501 }, () => '1') })),
  ],
  ['a stream of no list', 400, 'Unknown channel requested', () => read('streaming/list?list=word')],
  ['a stream of a list that there is not', 404, notFound, () => read('streaming/list?list=5')],
];
