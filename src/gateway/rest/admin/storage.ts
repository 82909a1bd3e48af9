/** The endpoint of what takes the disk space, our own. */
import { storageState } from '../../../operations/administration/storage-state.ts';
import { AdminStorageEntity, adminStorageEntity } from '../../entities/admin/storage.ts';
import { json } from '../../http/answers.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const getStorage = staffEndpoint(storageState, {
  scopes: ['admin:read'],
  method: 'GET',
  path: '/api/murmuration/v1/admin/storage',
  summary:
    'Shows what takes the disk space, and which old posts of other servers go. Asking for it begins to measure where the figures are an hour old: ask again while it says so.',
  answer: AdminStorageEntity,
  handler: async (context) => json(adminStorageEntity(await storageState(context, {}))),
});

export const adminStorageEndpoints = [getStorage];
