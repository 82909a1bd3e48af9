/** Steps about replies that need consent: whoever is asked, and everybody else, sees each decision at once. */
import { descendants, ids, me, other, posting, type Step, status } from './visible-cast.ts';

export const consentSteps: readonly Step[] = [
  {
    what: 'a change of who may reply',
    act: [other, 'PUT', status('of bob', '/interaction_policy'), () => ({ reply_approval_policy: 'approved' })],
    seen: [[me, status('of bob'), (body) => String(body.reply_approval!.current_user), 'manual']],
  },
  ...(
    [
      ['consent to a reply', 'authorize', true],
      ['refusal of a reply', 'reject', false],
    ] as const
  ).flatMap(([what, verb, isShown]): Step[] => [
    posting(`the reply for ${verb}`, me, () => ({ status: 'may I', in_reply_to_id: ids['of bob'] }), [
      [other, () => 'interaction_requests', (body) => body.length, 1],
    ]),
    {
      what,
      act: [other, 'POST', () => `interaction_requests/${ids[`the reply for ${verb}`]}/${verb}`],
      seen: [
        [other, () => 'interaction_requests', (body) => body.length, 0],
        [
          other,
          status('of bob', '/context'),
          (body) => descendants(body).includes(ids[`the reply for ${verb}`]!),
          isShown,
        ],
      ],
    },
  ]),
  {
    what: 'a reply taken out of its thread',
    act: [other, 'POST', () => `interaction_requests/${ids['the reply for authorize']}/reject`],
    seen: [[other, status('of bob', '/context'), (body) => descendants(body).length, 1]],
  },
];
