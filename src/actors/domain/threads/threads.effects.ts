/** The effect of threads: number 3, of those of domains. */
import { effectType } from '../../../runtime/effects.ts';
import { type ThreadStepped, ThreadStepRequest } from './threads.messages.ts';

/** Fetches one thing of a thread. What is new is stored before the answer. */
export const fetchThreadStep = effectType<ThreadStepRequest, ThreadStepped>(3, 'fetch thread step', ThreadStepRequest);
