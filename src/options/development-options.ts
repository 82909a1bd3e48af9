/** Options for the development of applications. */
import { option } from './option.ts';
import { moment } from './values.ts';

export const developmentOptions = [
  option({
    name: 'clock',
    environment: 'MURMURATION_CLOCK',
    schema: moment,
    default: undefined,
    sentence:
      'For development, on this machine only: the moment at which the server believes it starts, from which its clock goes on. "murmuration clock forward SECONDS" sets it forward.',
  }),
] as const;
