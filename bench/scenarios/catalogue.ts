/** All scenarios, in the order of the table. */
import type { Scenario } from '../scenario.ts';
import { homeScenario } from './home.ts';
import { statusScenario } from './status.ts';

export const scenarios: readonly Scenario[] = [statusScenario, homeScenario];
