/** Rows of staff.test.ts: what the operations of trends are called with. */
import { idOfName } from '../../src/actors/policy/derived-ids.ts';
import type { Callers } from './callers.ts';

export function trendInputs(callers: () => Callers): Readonly<Record<string, () => unknown>> {
  const page = () => ({ offset: 0, limit: 5 });
  /** One that a public status has. */
  const tag = async () => {
    const { people } = callers();
    await people.publish(people.local('tess'), { tags: ['birds'] });
    return { id: BigInt(idOfName('birds')) };
  };
  return {
    candidateLinks: page,
    candidateStatuses: page,
    candidateTags: page,
    changeTag: tag,
    listPublishers: () => ({}),
    listTags: () => ({ limit: 5 }),
    reviewTrend: () => ({ kind: 'publisher', name: 'birds.example', isTrendable: false }),
    showTag: tag,
  };
}
