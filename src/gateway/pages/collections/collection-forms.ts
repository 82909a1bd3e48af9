/** Handles the forms of collections of accounts: POST /web/collections and below. */

import { onlyUnreachable } from '../../../federation/failures.ts';
import { resolveHandle } from '../../../operations/accounts/resolve-handle.ts';
import {
  changeCollection,
  createCollection,
  removeCollection,
} from '../../../operations/collections/change-collection.ts';
import {
  addToCollection,
  leaveCollection,
  removeFromCollection,
} from '../../../operations/collections/collection-items.ts';
import { shownCollection } from '../../../operations/collections/known-collection.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import type { RawRoute } from '../../route.ts';
import { refusalSentence } from '../failure-sentence.ts';
import { refusedDraft } from '../refused.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { collectionAnswer, collectionsAnswer, type RefusedCollection } from './collections-page.ts';

type Context = RawContext<GatewayServices>;

function idIn({ pathParameters }: Context, name: 'id' | 'item'): Id {
  const id = parseId(pathParameters[name] ?? '');
  if (id === undefined) throw new Failure('notFound');
  return id;
}

function pathOf(collectionId: Id): string {
  return `/collections/${collectionId}`;
}

function typed({ fields }: SignedInForm) {
  const of = (name: string) => fields.get(name) ?? '';
  return { name: of('name'), description: of('description'), tagName: of('tag_name') };
}

const createForm = formRoute('/web/collections', async (form) => {
  try {
    const { collectionId } = await createCollection(form, { ...typed(form), accountIds: [] });
    return redirect(pathOf(collectionId), 303);
  } catch (error) {
    return collectionsAnswer(
      { ...form.visit, account: form.account },
      refusedDraft(form.visit.words, typed(form), error),
    );
  }
});

const editForm = formRoute('/web/collections/:id/edit', async (form, context) => {
  const collectionId = idIn(context, 'id');
  const isOn = (name: string) => form.fields.get(name) !== undefined;
  const flags = { discoverable: isOn('discoverable'), sensitive: isOn('sensitive') };
  try {
    await changeCollection(form, { collectionId, ...typed(form), ...flags });
    return redirect(pathOf(collectionId), 303);
  } catch (error) {
    return again(form, collectionId, { text: refusedDraft(form.visit.words, typed(form), error) });
  }
});

const addForm = formRoute('/web/collections/:id/items', async (form, context) => {
  const collectionId = idIn(context, 'id');
  const accountId = await resolveHandle(form, { handle: form.fields.get('handle') ?? '' }).catch(onlyUnreachable);
  if (accountId === undefined)
    return again(form, collectionId, { account: form.visit.words.lists.collections.noSuchAccount });
  try {
    await addToCollection(form, { collectionId, accountId });
    return redirect(pathOf(collectionId), 303);
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'validation' && failure.code !== 'forbidden') throw failure;
    return again(form, collectionId, { account: refusalSentence(form.visit.words, failure) });
  }
});

/** Throws Failure forbidden for somebody else's: its page has no such form. */
function again(
  form: SignedInForm,
  collectionId: Id,
  refused: { text: RefusedCollection } | { account: string },
): Answer {
  const shown = shownCollection(form.services, collectionId, form.account.id);
  if (shown.collection.accountId !== form.account.id) throw new Failure('forbidden');
  return collectionAnswer({ ...form.visit, account: form.account }, shown, refused);
}

const takeOutForm = formRoute('/web/collections/:id/items/:item/remove', async (form, context) => {
  const collectionId = idIn(context, 'id');
  await removeFromCollection(form, { collectionId, itemId: idIn(context, 'item') });
  return redirect(pathOf(collectionId), 303);
});

const leaveForm = formRoute('/web/collections/:id/items/:item/leave', async (form, context) => {
  const collectionId = idIn(context, 'id');
  await leaveCollection(form, { collectionId, itemId: idIn(context, 'item') });
  return redirect(pathOf(collectionId), 303);
});

const removeForm = formRoute('/web/collections/:id/remove', async (form, context) => {
  await removeCollection(form, { collectionId: idIn(context, 'id') });
  return redirect('/collections', 303);
});

export const collectionForms: readonly RawRoute<GatewayServices>[] = [
  ...[createForm, editForm, addForm, takeOutForm, leaveForm, removeForm],
];
