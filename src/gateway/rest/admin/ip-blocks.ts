/** The endpoints of ranges of IP addresses from which nobody signs up, or comes at all. */
import { z } from 'zod';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { addressSeverities } from '../../../actors/policy/access.ts';
import {
  blockAddress,
  changeAddressBlock,
  listAddressBlocks,
  showAddressBlock,
  unblockAddress,
} from '../../../operations/administration/ip-blocks.ts';
import { AdminIpBlockEntity, adminIpBlockEntity } from '../../entities/admin/access.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { choice, id, integerWithin, required, text, textUpTo } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/ip_blocks';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read:ip_blocks'] };
const writing = { scopes: ['admin:write:ip_blocks'] };

const severity = choice(addressSeverities);
const content = {
  comment: textUpTo(instanceLimits.addressCommentCharactersMax),
  /** In seconds; 0 for a block that never expires. */
  expires_in: integerWithin(0, instanceLimits.addressBlockSecondsMax),
};

const getBlocks = staffEndpoint(listAddressBlocks, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the blocked ranges of IP addresses, latest first.',
  answer: z.array(AdminIpBlockEntity),
  handler(context, given) {
    const page = listAddressBlocks(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, adminIpBlockEntity);
  },
});

const getBlock = staffEndpoint(showAddressBlock, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a blocked range of IP addresses.',
  answer: AdminIpBlockEntity,
  handler: (context, given) => json(adminIpBlockEntity(showAddressBlock(context, given))),
});

const postBlock = staffEndpoint(blockAddress, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ ip: required(text), severity: required(severity), ...content }),
  summary: 'Refuses sign-ups or all requests from a range of IP addresses, or makes sign-ups wait for approval.',
  answer: AdminIpBlockEntity,
  async handler(context, { ip: range, severity: chosen, comment, expires_in: expiresInSeconds }) {
    return json(
      adminIpBlockEntity(await blockAddress(context, { range, severity: chosen, comment, expiresInSeconds })),
    );
  },
});

const putBlock = staffEndpoint(changeAddressBlock, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, ip: text, severity, ...content }),
  summary: 'Changes a blocked range of IP addresses; what is not given stays.',
  answer: AdminIpBlockEntity,
  async handler(context, { id: blockId, ip: range, severity: chosen, comment, expires_in: expiresInSeconds }) {
    const change = { id: blockId, range, severity: chosen, comment, expiresInSeconds };
    return json(adminIpBlockEntity(await changeAddressBlock(context, change)));
  },
});

const deleteBlock = staffEndpoint(unblockAddress, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Unblocks a range of IP addresses.',
  answer: EmptyEntity,
  async handler(context, { id: range }) {
    await unblockAddress(context, { range });
    return empty();
  },
});

export const adminIpBlockEndpoints = [getBlocks, getBlock, postBlock, putBlock, deleteBlock];
