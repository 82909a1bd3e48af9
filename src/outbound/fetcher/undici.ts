/**
 * The parts of undici that connections need: loading its index takes twice the CPU (80 ms per network thread,
 * measured), while the first request waits for the processor.
 */
import { createRequire } from 'node:module';
import type { Agent as AgentType, buildConnector as connectorType } from 'undici';

const packages = createRequire(import.meta.url);

export const Agent: typeof AgentType = packages('undici/lib/dispatcher/agent.js');
export const buildConnector: typeof connectorType = packages('undici/lib/core/connect.js');
