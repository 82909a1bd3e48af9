/** What takes the disk space of the server, and what goes by rule. */
import { z } from 'zod';
import { findRetention } from '../../actors/instance/retention/retention.queries.ts';
import type { Retention } from '../../actors/instance/retention/retention.records.ts';
import type { StorageState } from '../../services/storage.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export interface ShownStorage extends StorageState {
  /** Undefined where there was never a rule. */
  readonly retention: Retention | undefined;
}

export const storageState = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: reads,
  /** Figures may be of the last hour, or not there yet. */
  async run({ services }): Promise<ShownStorage> {
    return { ...(await services.storage.state()), retention: findRetention(services.snapshots) };
  },
});
