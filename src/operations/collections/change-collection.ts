/** Makes, changes and removes collections of the caller (behaviour of the Mastodon API 4.6; FEP-7aa9). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { isLanguage } from '../languages.ts';
import { operation } from '../operation.ts';
import { blank, type FieldProblem, invalid, refuseFields, tooLong } from '../refused-fields.ts';
import { candidateOf } from './featurable.ts';
import { onOwnCollection } from './known-collection.ts';

/** Undefined fields stay unchanged, or are empty. */
const Written = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  /** Empty for none; the same for `tagName`, with or without its sign. */
  language: z.string().optional(),
  tagName: z.string().optional(),
  sensitive: z.boolean().optional(),
  discoverable: z.boolean().optional(),
});
type Written = z.output<typeof Written>;

/** Throws FieldsRefused. */
function checkWritten({ name, description, language, tagName }: Written): void {
  const { nameCharactersMax, descriptionCharactersMax } = collectionLimits;
  refuseFields({
    name:
      name === undefined
        ? []
        : name.trim() === ''
          ? [blank]
          : problemOf([...name].length > nameCharactersMax, tooLong(nameCharactersMax)),
    description: problemOf(
      [...(description ?? '')].length > descriptionCharactersMax,
      tooLong(descriptionCharactersMax),
    ),
    language: problemOf(!!language && !isLanguage(language), invalid),
    tagName: problemOf(!!tagName && tagOf(tagName) === undefined, invalid),
  });
}

function problemOf(holds: boolean, problem: FieldProblem): FieldProblem[] {
  return holds ? [problem] : [];
}

function tagOf(written: string): Tag | undefined {
  const display = withoutSign(written.trim());
  const name = normaliseTagName(display);
  return name === undefined ? undefined : { name, display };
}

export const createCollection = operation({
  input: Written.extend({ accountIds: z.array(identifier) }),
  permission: 'manageOwnAccount',
  /** Throws FieldsRefused, and what `candidateOf` throws: then nothing is created. */
  async run({ caller, services }, { accountIds, ...given }): Promise<{ collectionId: Id }> {
    checkWritten({ ...given, name: given.name ?? '' });
    const candidates = [...new Set(accountIds)].map((id) => candidateOf(services, id, caller.accountId));
    const written = {
      name: given.name!.trim(),
      description: given.description ?? '',
      language: given.language || undefined,
      tag: given.tagName ? tagOf(given.tagName) : undefined,
      sensitive: given.sensitive ?? false,
      discoverable: given.discoverable ?? true,
    };
    const message = Account.createCollection.to(caller.accountId, { ...written, candidates });
    return services.client.call(message, flowOf(caller));
  },
});

export const changeCollection = operation({
  input: Written.extend({ collectionId: identifier }),
  permission: 'manageOwnAccount',
  on: onOwnCollection,
  /** Throws FieldsRefused, Failure notFound and forbidden. */
  async run({ caller, services }, { collectionId, ...given }): Promise<{ collectionId: Id }> {
    checkWritten(given);
    const { tagName, name, ...rest } = given;
    const message = Account.changeCollection.to(caller.accountId, {
      ...rest,
      collectionId,
      name: name?.trim(),
      tag: tagName === undefined ? undefined : (tagOf(tagName) ?? null),
    });
    await services.client.call(message, flowOf(caller));
    return { collectionId };
  },
});

export const removeCollection = operation({
  input: z.object({ collectionId: identifier }),
  permission: 'manageOwnAccount',
  on: onOwnCollection,
  /** Throws Failure notFound and forbidden. */
  async run({ caller, services }, { collectionId }): Promise<void> {
    await services.client.call(Account.removeCollection.to(caller.accountId, { collectionId }), flowOf(caller));
  },
});
