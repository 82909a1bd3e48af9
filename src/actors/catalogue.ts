/** All actors and all keyspaces: what an owner thread loads. The one registry of each. */
import type { ActorImplementation } from '../runtime/contract.ts';
import { accountActor } from './account/account.actor.ts';
import { accountKeyspaces } from './account/account.state.ts';
import { directoryActor } from './directory/directory.actor.ts';
import { directoryKeyspaces } from './directory/directory.state.ts';
import { domainActor } from './domain/domain.actor.ts';
import { domainKeyspaces } from './domain/domain.state.ts';
import { instanceActor } from './instance/instance.actor.ts';
import { instanceKeyspaces } from './instance/instance.state.ts';
import { partitionActor } from './partition/partition.actor.ts';
import { partitionKeyspaces } from './partition/partition.state.ts';
import { sessionActor } from './session/session.actor.ts';
import { sessionKeyspaces } from './session/session.state.ts';
import { timelineKeyspaces } from './timelines.state.ts';

export const actors: readonly ActorImplementation[] = [
  accountActor,
  directoryActor,
  domainActor,
  instanceActor,
  partitionActor,
  sessionActor,
];

export interface CataloguedKeyspace {
  readonly number: number;
  readonly name: string;
}

export const keyspaces: readonly CataloguedKeyspace[] = [
  ...accountKeyspaces,
  ...timelineKeyspaces,
  ...directoryKeyspaces,
  ...domainKeyspaces,
  ...partitionKeyspaces,
  ...sessionKeyspaces,
  ...instanceKeyspaces,
];
