/** All scenarios, in the order of the table. */
import type { Scenario } from '../scenario.ts';
import { badHostsScenario } from './bad-hosts.ts';
import { besideBackupScenario } from './beside-backup.ts';
import { besideRemovalScenario } from './beside-removal.ts';
import { besideSearchScenario } from './beside-search.ts';
import { changedListsScenario } from './changed-lists.ts';
import { choosyScenario } from './choosy.ts';
import { clusterScenario } from './cluster.ts';
import { deliveriesScenario } from './deliveries.ts';
import { fanOutScenario } from './fan-out.ts';
import { filesScenario } from './files.ts';
import { growthScenario } from './growth.ts';
import { homeScenario } from './home.ts';
import { illustratedHomeScenario } from './illustrated-home.ts';
import { inboundScenario } from './inbound.ts';
import { largeUploadsScenario } from './large-uploads.ts';
import { listsScenario } from './lists.ts';
import { memoryScenario } from './memory.ts';
import { microScenario } from './micro.ts';
import { neighboursScenario } from './neighbours.ts';
import { overloadScenario } from './overload.ts';
import { ownListsScenario } from './own-lists.ts';
import { photosScenario } from './photos.ts';
import { postScenario } from './post.ts';
import { pushScenario } from './push.ts';
import { relayScenario } from './relay.ts';
import { relayReceptionScenario } from './relay-reception.ts';
import { retentionScenario } from './retention.ts';
import { returningScenario } from './returning.ts';
import { searchScenario } from './search.ts';
import { soakScenario } from './soak.ts';
import { startScenario } from './start.ts';
import { statusScenario } from './status.ts';
import { streamingScenario } from './streaming.ts';
import { throughputScenario } from './throughput.ts';
import { townhallScenario } from './townhall.ts';
import { walkScenario } from './walk.ts';

export const scenarios: readonly Scenario[] = [
  statusScenario,
  homeScenario,
  illustratedHomeScenario,
  filesScenario,
  photosScenario,
  largeUploadsScenario,
  listsScenario,
  ownListsScenario,
  walkScenario,
  returningScenario,
  changedListsScenario,
  choosyScenario,
  growthScenario,
  neighboursScenario,
  townhallScenario,
  postScenario,
  fanOutScenario,
  streamingScenario,
  deliveriesScenario,
  pushScenario,
  relayScenario,
  relayReceptionScenario,
  badHostsScenario,
  inboundScenario,
  memoryScenario,
  throughputScenario,
  overloadScenario,
  startScenario,
  microScenario,
  searchScenario,
  besideSearchScenario,
  besideBackupScenario,
  besideRemovalScenario,
  retentionScenario,
  soakScenario,
  clusterScenario,
];
