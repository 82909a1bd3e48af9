/** Invites by people: made, listed and ended by whoever has made them. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import type { GivenAudit } from '../../actors/audit.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findInvite, invitesOf } from '../../actors/instance/invites/invites.queries.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import type { Page } from '../../actors/pages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { pageInput } from '../administration/domain-blocks.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { invalid, refuseFields, tooLong } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';
import { type InviteView, viewOfInvite } from './invites.ts';

const { inviteUsesMax, inviteSecondsMin, inviteSecondsMax, inviteCommentCharactersMax } = instanceLimits;

export const inviteInput = z.object({
  /** Any number when absent. */
  maxUses: z.int().optional(),
  /** In seconds; for ever when absent. */
  expiresIn: z.int().optional(),
  comment: z.string().optional(),
});
type Given = z.infer<typeof inviteInput> & { readonly autofollow?: boolean | undefined };

/** Without what could be taken for each other, as codes are also read aloud and typed. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const lettersOfCode = 10;

const byThemselves = { nothing: 'people do it for themselves' } as const;

/** Latest first. */
export const listOwnInvites = operation({
  input: pageInput.extend({ maxId: z.coerce.bigint().optional() }),
  permission: 'inviteUsers',
  audit: reads,
  run({ caller, services }, bounds): Page<InviteView> {
    const { items, ...page } = invitesOf(services.snapshots, ownerOf(caller), bounds);
    return { ...page, items: items.map((one) => viewOfInvite(services, one)) };
  },
});

export const makeInvite = operation({
  input: inviteInput.extend({ autofollow: z.boolean().optional() }),
  permission: 'inviteUsers',
  audit: byThemselves,
  limit: 'invites',
  /** Throws FieldsRefused, and Failure validation for one invite too many. */
  run: (context, given): Promise<InviteView> => addInvite(context, given, ownerOf(context.caller)),
});

/** Whoever has signed up with it stays. */
export const endOwnInvite = operation({
  input: z.object({ inviteId: identifier }),
  permission: 'inviteUsers',
  audit: byThemselves,
  /** Throws Failure notFound. */
  async run({ caller, services }, { inviteId }): Promise<void> {
    const message = Instance.endInvite.to(instanceKey, { inviteId, creatorId: ownerOf(caller) });
    await services.client.call(message, flowOf(caller));
  },
});

/** The operator has no account: what it invites with is of the server. Throws Failure notFound. */
function ownerOf({ accountId }: OperationContext['caller']): Id {
  if (accountId === undefined) throw new Failure('notFound');
  return accountId;
}

/** Without a creator it is one of the server itself. Throws FieldsRefused, and Failure validation. */
export async function addInvite(
  { caller, services }: OperationContext,
  { maxUses: usesMax, expiresIn, autofollow = false, comment = '' }: Given,
  creatorId: Id | undefined,
  audit?: GivenAudit,
): Promise<InviteView> {
  const isUses = usesMax === undefined || (usesMax >= 1 && usesMax <= inviteUsesMax);
  const isTime = expiresIn === undefined || (expiresIn >= inviteSecondsMin && expiresIn <= inviteSecondsMax);
  const written = cleanText(comment);
  refuseFields({
    maxUses: isUses ? [] : [invalid],
    expiresIn: isTime ? [] : [invalid],
    comment: exceedsCharacters(written, inviteCommentCharactersMax) ? [tooLong(inviteCommentCharactersMax)] : [],
  });
  const message = Instance.addInvite.to(instanceKey, {
    code: drawCode(),
    creatorId,
    usesMax,
    expiresAt: expiresIn === undefined ? undefined : services.now() + expiresIn * 1_000,
    autofollow,
    comment: written,
    audit,
  });
  const { inviteId } = await services.client.call(message, flowOf(caller));
  const added = findInvite(services.snapshots, inviteId);
  if (added === undefined) throw new Failure('outcomeUnknown');
  return viewOfInvite(services, added);
}

function drawCode(): string {
  return Array.from({ length: lettersOfCode }, () => letters[randomInt(letters.length)]).join('');
}
