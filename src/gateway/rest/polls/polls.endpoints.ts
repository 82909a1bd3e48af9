/** The endpoints of polls (specification 5: polls of posts with a limited audience need a token). */

import { z } from 'zod';
import type { StatusView } from '../../../actors/account/status-views.queries.ts';
import { refreshPollWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { visiblePoll } from '../../../operations/polls/visible-poll.ts';
import { voteInPoll } from '../../../operations/polls/vote-in-poll.ts';
import type { Id } from '../../../runtime/ids.ts';
import { PollEntity, pollEntity, UserPollEntity } from '../../entities/poll.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { json } from '../../http/answers.ts';
import { id, integer, list, required } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

function openPoll({ addresses }: GatewayServices, { status, tally, author }: StatusView) {
  return pollEntity(status.id, status.poll!, tally, status.emojis, addresses, author.profile);
}

function pollFor(services: GatewayServices, view: StatusView, viewerId: Id) {
  const { status } = view;
  const { choices } = services.presenter.state(status.id, viewerId);
  const voted = choices.length > 0 || status.accountId === viewerId;
  return {
    ...openPoll(services, view),
    voted,
    own_votes: [...choices],
  };
}

export const getPoll = endpoint({
  method: 'GET',
  path: '/api/v1/polls/:id',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'Returns a poll, if the viewer may see its status.',
  answer: PollEntity,
  handler({ services, caller, grant }, { id: pollId }) {
    const view = visiblePoll(services, pollId, grant?.accountId);
    if (grant?.accountId === undefined) return json(openPoll(services, view));
    refreshPollWhenOld(services, view, caller);
    return json(pollFor(services, view, grant.accountId));
  },
});

export const postVotes = endpoint({
  method: 'POST',
  path: '/api/v1/polls/:id/votes',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id, choices: required(list(required(integer))) }),
  summary: 'Votes in a poll; choices are indexes of its options, from 0.',
  answer: UserPollEntity,
  async handler(context, { id: pollId, choices }) {
    const { services, grant } = context;
    const { statusId } = await voteInPoll(context, { pollId, choices });
    services.presenter.forget(statusId, grant.accountId);
    return json(pollFor(services, visiblePoll(services, statusId, grant.accountId), grant.accountId));
  },
});

export const pollEndpoints = [getPoll, postVotes];
