/** Invalid requests about notes, endorsements and domain blocks. */
import { asked, invalid, notFound, type Row, read, tower, unknownIds, write } from './bad-asking.ts';

const alice = () => asked.town.people.alice.id;

export const relationRows: Row[] = [
  ...['note', 'endorse', 'unendorse', 'pin', 'unpin'].flatMap((action) =>
    unknownIds.map((id): Row => [`${action} ${id}`, 404, notFound, () => write(`accounts/${id}/${action}`)]),
  ),
  ...unknownIds.map(
    (id): Row => [`the endorsements of ${id}`, 404, notFound, () => read(`accounts/${id}/endorsements`)],
  ),
  [
    'an endorsement of somebody who is not followed',
    422,
    invalid('You must be already following the person you want to endorse'),
    () => write(`accounts/${asked.town.people.erin.id}/endorse`),
  ],
  ['a note too long', 422, /Comment is too long/, () => write(`accounts/${alice()}/note`, { comment: tower(2_000) })],
  [
    'a note that is an object',
    422,
    invalid('Comment is invalid'),
    () => write(`accounts/${alice()}/note`, { comment: {} }),
  ],
  ...unknownIds.map((id): Row => [`a report of ${id}`, 404, notFound, () => write('reports', { account_id: id })]),
  [
    'a report of a status of somebody else',
    404,
    notFound,
    () => write('reports', { account_id: alice(), status_ids: ['1'] }),
  ],
  [
    'a report of a collection that there is not',
    404,
    notFound,
    () => write('reports', { account_id: alice(), collection_ids: ['1'] }),
  ],
  [
    'a report with a comment too long',
    422,
    /Comment is too long/,
    () => write('reports', { account_id: alice(), comment: 'x'.repeat(1_001) }),
  ],
  [
    'a report of a category that there is not',
    422,
    invalid('Category is not included in the list'),
    () => write('reports', { account_id: alice(), category: 'rude' }),
  ],
  ...unknownIds.flatMap((id): Row[] => [
    [`the featured tags of ${id}`, 404, notFound, () => read(`accounts/${id}/featured_tags`)],
    [`the removal of the featured tag ${id}`, 404, notFound, () => write(`featured_tags/${id}`, {}, 'DELETE')],
  ]),
  ['no featured tag', 422, invalid("Tag can't be blank"), () => write('featured_tags')],
  ['a featured tag that is none', 422, invalid('Tag is invalid'), () => write('featured_tags', { name: 'a b' })],
  ['a featured tag that is an object', 422, invalid('Name is invalid'), () => write('featured_tags', { name: {} })],
  ['the featuring of what is no tag', 404, notFound, () => write('tags/12/feature')],
  ['a follow of nobody', 422, invalid("Uri can't be blank"), () => write('follows')],
  ['a follow of somebody unknown', 404, notFound, () => write('follows', { uri: 'nobody_here' })],
  ['a follow of an address', 404, notFound, () => write('follows', { uri: 'https://here.example/@alice' })],
  ...['POST', 'DELETE'].flatMap((method): Row[] => [
    [`${method} no domain`, 422, invalid("Domain can't be blank"), () => write('domain_blocks', {}, method)],
    ...['a b', 'https://x.example/', 'x/y', '@', '.', 'x..y'].map(
      (domain): Row => [
        `${method} the domain ${domain}`,
        422,
        invalid('Domain is not a valid domain name'),
        () => write('domain_blocks', { domain }, method),
      ],
    ),
  ]),
  ['a preview of no domain', 422, invalid("Domain can't be blank"), () => read('domain_blocks/preview')],
  [
    'a preview of a b',
    422,
    invalid('Domain is not a valid domain name'),
    () => read('domain_blocks/preview?domain=a b'),
  ],
  [
    'the domain of this server',
    422,
    invalid('Domain is not a valid domain name'),
    () => write('domain_blocks', { domain: new URL(asked.town.server.origin).host }),
  ],
];
