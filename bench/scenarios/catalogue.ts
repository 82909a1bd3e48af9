/** All scenarios, in the order of the table. */
import type { Scenario } from '../scenario.ts';
import { fanOutScenario } from './fan-out.ts';
import { homeScenario } from './home.ts';
import { postScenario } from './post.ts';
import { statusScenario } from './status.ts';

export const scenarios: readonly Scenario[] = [statusScenario, homeScenario, postScenario, fanOutScenario];
