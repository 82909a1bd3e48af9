/** GET /api/v1/accounts/:id/statuses (behaviour of the Mastodon API). */
import { z } from 'zod';
import { choosePins } from '../../../actors/account/pins/pins.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { normaliseTagName, withoutSign } from '../../../actors/text/hashtags.ts';
import { refreshPinsWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encodable-status.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { boolean, id, pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { dialectOf } from '../accounts/answers.ts';
import { answerStatusPage } from '../status-answers.ts';

const parameters = z.object({
  id,
  pinned: boolean,
  exclude_replies: boolean,
  exclude_reblogs: boolean,
  exclude_direct: boolean,
  only_media: boolean,
  tagged: text,
  ...pageParameters(20, 40),
});
type Given = z.output<typeof parameters>;

export const getAccountStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Lists the statuses of an account that the viewer may see, newest first.',
  answer: z.array(StatusEntity),
  handler(context, given) {
    const { services, grant } = context;
    const account = services.presenter.publicAccount(given.id);
    if (account === undefined) throw new Failure('notFound');
    if (account.isSuspended && dialectOf(context) === 'specification') throw new Failure('gone');
    if (given.pinned) return answerPinned(context, given);
    const choice = choiceOf(given);
    return answerStatusPage(context, given, 'account', (bounds, show) => {
      const whole = takesAll(choice) ? cachedPage(context, given.id, bounds) : undefined;
      if (whole !== undefined) return whole;
      const viewer = services.presenter.viewer(grant?.accountId);
      return services.timelines.ofAccount({ accountId: given.id, choice, viewer }, bounds, (statusId) => {
        const shown = show(statusId);
        return choice.tagged === undefined || shown?.status.tags.includes(choice.tagged) === true ? shown : undefined;
      });
    });
  },
});

/** Most pages are of the newest statuses, all cached, and the viewer is shown each of them. */
function cachedPage(
  { services, grant }: OpenContext<GatewayServices>,
  accountId: Id,
  bounds: PageBounds,
): Page<EncodableStatus> | undefined {
  const ids = services.timelines.cachedPageOfAccount(accountId, bounds);
  const items = ids && services.presenter.cachedPage(ids, grant?.accountId, 'account');
  if (ids === undefined || items?.length !== ids.length) return undefined;
  return { items, newest: ids[0], oldest: ids.at(-1), full: true };
}

/** A signed-in visitor causes a refresh of a remote account's pins: the next one sees changes. */
function answerPinned(context: OpenContext<GatewayServices>, given: Given): Answer | Promise<Answer> {
  const { services, caller, grant } = context;
  if (grant !== undefined) refreshPinsWhenOld(services, given.id, caller);
  return answerStatusPage(context, given, 'account', (bounds, show) =>
    choosePins(services.snapshots, given.id, bounds, show),
  );
}

function takesAll({ tagged, ...excluded }: ReturnType<typeof choiceOf>): boolean {
  return tagged === undefined && !Object.values(excluded).includes(true);
}

function choiceOf(given: Given) {
  return {
    excludeReplies: given.exclude_replies ?? false,
    excludeReblogs: given.exclude_reblogs ?? false,
    excludeDirect: given.exclude_direct ?? false,
    onlyMedia: given.only_media ?? false,
    tagged: given.tagged === undefined || given.tagged === '' ? undefined : tagNamed(given.tagged),
  };
}

/** An invalid tag is used as given: no status has it. */
function tagNamed(text: string): string {
  return normaliseTagName(withoutSign(text)) ?? text;
}
