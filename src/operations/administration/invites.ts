/** Invites of everybody, for staff. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findInvite, invitesOf, invitesPage } from '../../actors/instance/invites/invites.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type InviteView, viewOfInvite } from '../invites/invites.ts';
import { addInvite, inviteInput } from '../invites/own-invites.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';

/** Commands send it as they read it. */
const givenId = z.coerce.bigint();
const bounds = pageInput.extend({ maxId: givenId.optional() });

/** How the audit log names an invite: whose it is. Its code is known to whoever may use it. */
const ofServer = 'server';

/** Latest first. */
export const listInvites = operation({
  input: bounds.extend({ creatorId: givenId.optional() }),
  permission: 'manageInvites',
  audit: reads,
  run({ services }, { creatorId, ...asked }): Page<InviteView> {
    const { snapshots } = services;
    const { items, ...page } =
      creatorId === undefined ? invitesPage(snapshots, asked) : invitesOf(snapshots, creatorId, asked);
    return { ...page, items: items.map((one) => viewOfInvite(services, one)) };
  },
});

/** Of the server itself: whoever uses it needs no approval. */
export const addServerInvite = operation({
  input: inviteInput,
  permission: 'administrate',
  audit: 'addInvite',
  /** Throws FieldsRefused, and Failure validation for one invite too many. */
  run: (context, given): Promise<InviteView> =>
    addInvite(context, given, undefined, { ...context.audit, name: ofServer }),
});

export const endInvite = operation({
  input: z.object({ inviteId: givenId }),
  permission: 'manageInvites',
  audit: 'endInvite',
  /** Throws Failure notFound. */
  async run({ caller, services, audit }, { inviteId }): Promise<InviteView> {
    const found = findInvite(services.snapshots, inviteId);
    if (found === undefined) throw new Failure('notFound');
    const name = viewOfInvite(services, found).creator?.profile.username ?? ofServer;
    const message = Instance.endInvite.to(instanceKey, { inviteId, audit: { ...audit, name } });
    await services.client.call(message, flowOf(caller));
    return viewOfInvite(services, findInvite(services.snapshots, inviteId) ?? found);
  },
});

/** All that there are. */
export const endInvites = operation({
  input: z.object({}),
  permission: 'manageInvites',
  audit: 'endInvites',
  async run({ caller, services, audit }): Promise<void> {
    await services.client.call(Instance.endInvites.to(instanceKey, { audit }), flowOf(caller));
  },
});
