/** All planted faults. */
import { faultsOfChannels } from './channels.ts';
import { faultsOfClocks } from './clocks.ts';
import { faultsOfCommits } from './commits.ts';
import type { PlantedFault } from './fault.ts';
import { faultsOfLetters } from './letters.ts';
import { faultsOfNodes } from './nodes.ts';
import { faultsOfRecords } from './records.ts';
import { faultsOfStreams } from './streams.ts';
import { faultsOfThreads } from './threads.ts';
import { faultsOfWork } from './work.ts';

export const plantedFaults: readonly PlantedFault[] = [
  ...faultsOfCommits,
  ...faultsOfChannels,
  ...faultsOfWork,
  ...faultsOfLetters,
  ...faultsOfRecords,
  ...faultsOfClocks,
  ...faultsOfThreads,
  ...faultsOfStreams,
  ...faultsOfNodes,
];
