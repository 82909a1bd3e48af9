/** GET /api/v1/invites/:code: whether somebody may sign up with it. */
import { z } from 'zod';
import { InviteCodeEntity } from '../../entities/invites.ts';
import { required, text } from '../../http/parameter-types.ts';
import { inviteCodeAnswer } from '../../oauth/invite-answer.ts';
import { endpoint } from '../../route.ts';

export const getInvite = endpoint({
  method: 'GET',
  path: '/api/v1/invites/:code',
  authentication: 'none',
  parameters: z.object({ code: required(text) }),
  summary: 'Tells whether somebody may sign up with an invite.',
  answer: InviteCodeEntity,
  handler: ({ services, caller }, { code }) => inviteCodeAnswer(services, caller, code),
});
