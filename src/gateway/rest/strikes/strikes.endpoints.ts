/** What staff have done about the user, our own: Mastodon shows it on its pages only. */
import { z } from 'zod';
import type { StoredWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { appealStrike, listOwnStrikes, showOwnStrike } from '../../../operations/strikes/own-strikes.ts';
import { Failure } from '../../../runtime/errors.ts';
import { accountEntity } from '../../entities/account.ts';
import { StrikeEntity, strikeEntity } from '../../entities/account-warning.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { id, pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerPage } from '../accounts/answers.ts';

const path = '/api/v1/strikes';

function entityOf({ services, grant }: UserContext<GatewayServices>, strike: StoredWarning): StrikeEntity {
  const account = findAccount(services.snapshots, grant.accountId);
  if (account === undefined) throw new Failure('notFound');
  return strikeEntity(strike, accountEntity(account, services.addresses));
}

const getStrikes = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  admitsMoved: true,
  scopes: ['read:accounts'],
  parameters: z.object(pageParameters(20, 40)),
  summary: 'Lists what staff have done about the user, latest first.',
  answer: z.array(StrikeEntity),
  handler: (context, given) =>
    answerPage(
      context.request,
      given,
      (bounds) => listOwnStrikes(context, bounds),
      (strike) => entityOf(context, strike),
    ),
});

const getStrike = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  authentication: 'user',
  admitsMoved: true,
  scopes: ['read:accounts'],
  parameters: z.object({ id }),
  summary: 'Shows one thing that staff have done about the user.',
  answer: StrikeEntity,
  handler: (context, { id: strikeId }) => json(entityOf(context, showOwnStrike(context, { strikeId }))),
});

const postAppeal = endpoint({
  method: 'POST',
  path: `${path}/:id/appeal`,
  authentication: 'user',
  admitsMoved: true,
  scopes: ['write:accounts'],
  parameters: z.object({ id, text: required(text) }),
  summary: 'Appeals against a strike, once, within twenty days.',
  answer: StrikeEntity,
  handler: async (context, { id: strikeId, text: said }) =>
    json(entityOf(context, await appealStrike(context, { strikeId, text: said }))),
});

export const strikeEndpoints = [getStrikes, getStrike, postAppeal];
