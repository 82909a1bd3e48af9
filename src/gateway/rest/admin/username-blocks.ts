/** The endpoints of user names with which nobody signs up, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  blockUsername,
  listUsernameBlocks,
  showUsernameBlock,
  unblockUsername,
} from '../../../operations/administration/username-blocks.ts';
import { AdminUsernameBlockEntity, adminUsernameBlockEntity } from '../../entities/admin/access.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, id, required, text } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/username_blocks';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'] };

const getBlocks = staffEndpoint(listUsernameBlocks, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the user names with which nobody signs up, latest first.',
  answer: z.array(AdminUsernameBlockEntity),
  handler(context, given) {
    const page = listUsernameBlocks(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, adminUsernameBlockEntity);
  },
});

const getBlock = staffEndpoint(showUsernameBlock, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a user name with which nobody signs up.',
  answer: AdminUsernameBlockEntity,
  handler: (context, given) => json(adminUsernameBlockEntity(showUsernameBlock(context, given))),
});

const postBlock = staffEndpoint(blockUsername, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ username: required(text), exact: boolean, allow_with_approval: boolean }),
  summary: 'Refuses sign-ups with user names that contain a text, or are exactly it, or makes them wait for approval.',
  answer: AdminUsernameBlockEntity,
  async handler(context, { username, exact: isExact, allow_with_approval: allowWithApproval }) {
    return json(adminUsernameBlockEntity(await blockUsername(context, { username, isExact, allowWithApproval })));
  },
});

const deleteBlock = staffEndpoint(unblockUsername, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Accepts sign-ups with a user name again.',
  answer: EmptyEntity,
  async handler(context, { id: username }) {
    await unblockUsername(context, { username });
    return empty();
  },
});

export const adminUsernameBlockEndpoints = [getBlocks, getBlock, postBlock, deleteBlock];
