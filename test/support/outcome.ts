import { Failure, type FailureCode } from '../../src/runtime/errors.ts';

/** The outcome of a call: `answered`, or the code of its Failure. Rejects with any other error. */
export async function outcomeOf(question: unknown): Promise<FailureCode | 'answered'> {
  try {
    await question;
    return 'answered';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
