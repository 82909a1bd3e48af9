/** Features a tag on the caller's profile, or stops featuring it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { type FeaturedTagView, findFeaturedTag } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { blank, invalid, refuseFields } from '../refused-fields.ts';
import { tagNamed } from './follow-tag.ts';

/** Refuses a tag that is featured already, and an invalid one. */
export const addFeaturedTag = operation({
  /** With or without its sign. */
  input: z.object({ name: z.string() }),
  permission: 'manageOwnAccount',
  async run(context, given): Promise<FeaturedTagView> {
    const display = withoutSign(given.name.trim());
    const name = normaliseTagName(display);
    const problem = display === '' ? blank : invalid;
    if (name === undefined) return refuseFields({ tag: [problem] }) as never;
    const featuredId = await feature(context, { name, display, isNew: true });
    return shown(context.services, context.caller.accountId, featuredId);
  },
});

/** A tag that is featured already stays. Throws Failure notFound for an invalid name. */
export const featureTag = operation({
  input: z.object({ tag: z.string() }),
  permission: 'manageOwnAccount',
  /** Returns the normalised name. */
  async run(context, { tag }): Promise<string> {
    const name = tagNamed(tag);
    await feature(context, { name, display: withoutSign(tag), isNew: false });
    return name;
  },
});

export const unfeatureTag = operation({
  input: z.object({ tag: z.string() }),
  permission: 'manageOwnAccount',
  /** Returns the normalised name. */
  async run(context, { tag }): Promise<string> {
    const name = tagNamed(tag);
    await unfeature(context, name);
    return name;
  },
});

/** Throws Failure notFound for a tag that the caller does not feature. */
export const removeFeaturedTag = operation({
  input: z.object({ featuredId: identifier }),
  permission: 'manageOwnAccount',
  async run(context, { featuredId }): Promise<void> {
    await unfeature(context, shown(context.services, context.caller.accountId, featuredId).name);
  },
});

function shown({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id, featuredId: Id): FeaturedTagView {
  const tag = findFeaturedTag(snapshots, accountId, featuredId);
  if (tag === undefined) throw new Failure('notFound');
  return tag;
}

async function feature(
  { caller, services }: OperationContext<AccountCaller>,
  tag: { name: string; display: string; isNew: boolean },
): Promise<Id> {
  const { featuredId } = await services.client.call(Account.featureTag.to(caller.accountId, tag), flowOf(caller));
  return featuredId;
}

async function unfeature({ caller, services }: OperationContext<AccountCaller>, name: string): Promise<void> {
  await services.client.call(Account.unfeatureTag.to(caller.accountId, { name }), flowOf(caller));
}
