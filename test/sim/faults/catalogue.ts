/** All planted faults. */
import { faultsOfChannels } from './channels.ts';
import { faultsOfClocks } from './clocks.ts';
import { faultsOfCommits } from './commits.ts';
import type { PlantedFault } from './fault.ts';
import { faultsOfRecords } from './records.ts';
import { faultsOfThreads } from './threads.ts';
import { faultsOfWork } from './work.ts';

export const plantedFaults: readonly PlantedFault[] = [
  ...faultsOfCommits,
  ...faultsOfChannels,
  ...faultsOfWork,
  ...faultsOfRecords,
  ...faultsOfClocks,
  ...faultsOfThreads,
];
