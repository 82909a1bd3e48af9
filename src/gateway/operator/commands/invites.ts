/** Commands about invites. */
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { rulesListedMax } from '../../../operations/administration/domain-blocks.ts';
import { addServerInvite, endInvite, endInvites, listInvites } from '../../../operations/administration/invites.ts';
import type { InviteView } from '../../../operations/invites/invites.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command } from './command.ts';
import { asOneLine, text, UsageError, wholeNumber } from './reading.ts';

const hourSeconds = 60 * 60;
const hoursMax = Math.floor(instanceLimits.inviteSecondsMax / hourSeconds);
const commentCharactersMax = 200;

const list = command({
  words: 'invites list',
  flags: {
    before: { value: 'ID', sentence: 'Only invites older than this one.' },
    limit: { value: 'NUMBER', sentence: `How many to list, ${rulesListedMax} by default.` },
  },
  sentence: 'Lists the invites of everybody, the latest first.',
  read: (_argument, flags) => ({
    maxId: text(flags, 'before'),
    limit: wholeNumber(flags, 'limit', rulesListedMax) ?? rulesListedMax,
  }),
  operation: listInvites,
  print: ({ items, full, oldest }) => [
    ...items.map(lineOf),
    ...(items.length === 0 && !full ? ['There are no invites.'] : []),
    ...(full ? [`Older ones: --before ${oldest}`] : []),
  ],
});

const add = command({
  words: 'invites add',
  flags: {
    uses: { value: 'NUMBER', sentence: 'How many people may use it; any number by default.' },
    hours: { value: 'NUMBER', sentence: 'How long it holds; for ever by default.' },
    comment: { value: 'TEXT', sentence: 'What it is for; staff see it.' },
  },
  sentence: 'Makes an invite of the server itself: whoever uses it needs no approval.',
  read: (_argument, flags) => {
    const hours = wholeNumber(flags, 'hours', hoursMax);
    return {
      maxUses: wholeNumber(flags, 'uses', instanceLimits.inviteUsesMax),
      expiresIn: hours === undefined ? undefined : hours * hourSeconds,
      comment: text(flags, 'comment'),
    };
  },
  operation: addServerInvite,
  print: ({ id, url }) => [url, `Its number is ${id}.`],
});

const remove = command({
  words: 'invites remove',
  argument: 'ID',
  sentence: 'Ends an invite: nobody signs up with it any more.',
  read(given) {
    if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of an invite.`);
    return { inviteId: given };
  },
  operation: endInvite,
  print: ({ id }) => [`Ended the invite ${id}.`],
});

const removeAll = command({
  words: 'invites remove-all',
  sentence: 'Ends all invites that there are.',
  read: () => ({}),
  operation: endInvites,
  print: () => ['Ended all invites.'],
});

function lineOf({ id, invite, state, creator }: InviteView): string {
  const { code, uses, usesMax, expiresAt, comment } = invite;
  return [
    ...[id, code, state === 'usedUp' ? 'used up' : state],
    creator === undefined ? 'server' : `@${creator.profile.username}`,
    `${uses} of ${usesMax ?? 'any number'}`,
    ...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString()}`]),
    asOneLine(comment, commentCharactersMax),
  ]
    .join('  ')
    .trimEnd();
}

export const inviteCommands = [list, add, remove, removeAll];
