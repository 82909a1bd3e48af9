/** The endpoints that pin own statuses (specification 4.3: POST and DELETE on the pin and unpin routes). */
import { pinStatus, unpinStatus } from '../../../operations/statuses/pin-status.ts';
import { statusChange } from '../status-change.ts';

export const postPin = statusChange({
  path: '/api/v1/statuses/:id/pin',
  scope: 'write:accounts',
  summary: 'Pins a status of the user to the profile.',
  operation: pinStatus,
  shownAs: 'single',
});

const unpinning = {
  scope: 'write:accounts',
  summary: 'Unpins a status of the user.',
  operation: unpinStatus,
  shownAs: 'single',
} as const;

export const postUnpin = statusChange({
  ...unpinning,
  methods: ['POST', 'DELETE'],
  path: '/api/v1/statuses/:id/unpin',
});
export const deletePin = statusChange({ ...unpinning, methods: ['DELETE'], path: '/api/v1/statuses/:id/pin' });

export const pinEndpoints = [postPin, postUnpin, deletePin];
