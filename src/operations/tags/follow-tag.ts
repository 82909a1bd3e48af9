/** Follows or unfollows a tag. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

function change(message: typeof Account.followTag | typeof Account.unfollowTag) {
  return operation({
    /** With or without its sign. */
    input: z.object({ tag: z.string() }),
    permission: 'relate',
    /** Returns the normalised name. Throws Failure notFound for an invalid one. */
    async run({ caller, services }, { tag }): Promise<string> {
      const name = tagNamed(tag);
      await services.client.call(message.to(caller.accountId, { name }), flowOf(caller));
      return name;
    },
  });
}

export const followTag = change(Account.followTag);
export const unfollowTag = change(Account.unfollowTag);

/** The identity of a tag in a path. Throws Failure notFound for an invalid one. */
export function tagNamed(text: string): string {
  const name = normaliseTagName(withoutSign(text));
  if (name === undefined) throw new Failure('notFound');
  return name;
}
