/** Hashtags as staff see them: whether each may trend, be suggested, and be posted. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { tagsWithIds } from '../../actors/tags.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import type { ReviewedTag } from './review-trends.ts';
import { Reviews } from './reviews.ts';

/** The tags that were ever in a public status here, those with the highest ids first. Ids derive from names. */
export const listTags = operation({
  input: z.object({
    maxId: identifier.optional(),
    sinceId: identifier.optional(),
    minId: identifier.optional(),
    limit: z.int().min(1),
  }),
  permission: 'manageTaxonomies',
  audit: reads,
  async run({ caller, services }, { maxId, sinceId, minId, limit }): Promise<ReviewedTag[]> {
    const after = minId ?? sinceId ?? -1n;
    const isWithin = (id: Id) => id > after && (maxId === undefined || id < maxId);
    const found = await services.slices.run(tagsWithIds(services.snapshots, isWithin), caller.asker);
    found.sort(([one], [other]) => (one < other ? 1 : -1));
    const names = (minId === undefined ? found.slice(0, limit) : found.slice(-limit)).map(([, name]) => name);
    return services.slices.run(reviewedTags(services, names), caller.asker);
  },
});

/** Throws Failure notFound for a tag that no public status here ever had. */
export const showTag = operation({
  input: z.object({ id: identifier }),
  permission: 'manageTaxonomies',
  audit: reads,
  run: ({ services }, { id }) => tagWithId(services, id),
});

/** Undefined fields stay unchanged; whatever was changed, the tag counts as reviewed. Throws Failure notFound. */
export const changeTag = operation({
  input: z.object({
    id: identifier,
    isTrendable: z.boolean().optional(),
    isUsable: z.boolean().optional(),
    isListable: z.boolean().optional(),
  }),
  permission: 'manageTaxonomies',
  audit: 'changeTag',
  async run({ caller, services, audit }, { id, ...decision }): Promise<ReviewedTag> {
    const { name } = await tagWithId(services, id);
    const reviewed = { kind: 'tag' as const, name, label: `#${name}` };
    const message = Instance.reviewTrend.to(instanceKey, { ...reviewed, ...decision, audit });
    await services.client.call(message, flowOf(caller));
    return tagNamed(services, name);
  },
});

/** Throws Failure notFound. */
async function tagWithId(services: Services, id: Id): Promise<ReviewedTag> {
  const [first] = await services.slices.run(tagsWithIds(services.snapshots, (one) => one === id));
  if (first === undefined) throw new Failure('notFound');
  return tagNamed(services, first[1]);
}

async function tagNamed(services: Services, name: string): Promise<ReviewedTag> {
  const [tag] = await services.slices.run(reviewedTags(services, [name]));
  return tag!;
}

function* reviewedTags(services: Services, names: readonly string[]): Generator<undefined, ReviewedTag[]> {
  const reviews = new Reviews(services);
  const tags: ReviewedTag[] = [];
  for (const name of names) {
    yield;
    tags.push({ name, history: yield* services.tagHistories.of(name), ...reviews.tag(name) });
  }
  return tags;
}
