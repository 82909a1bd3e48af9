import { Failure, type FailureCode } from '../../src/runtime/errors.ts';

/** How a question ends: `answered`, or the code of its Failure. Rejects with whatever else it rejects with. */
export async function outcomeOf(question: unknown): Promise<FailureCode | 'answered'> {
  try {
    await question;
    return 'answered';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
