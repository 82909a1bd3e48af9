/** Terms of service: publishing and withdrawing versions, and telling everybody here of one. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { renderStatusText } from '../../actors/text/render.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { allTerms, type EffectiveTerms } from '../instance/terms-of-service.ts';
import { operation } from '../operation.ts';
import { htmlOf, Written } from './write-documents.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;
/** How long everybody is told above the home of terms that hold already. */
const shownDays = 30;

/** `day` (since 1970): when they take effect. */
export const publishTerms = operation({
  input: Written.extend({ day: z.int().min(0) }),
  permission: 'manageSettings',
  audit: 'publishTerms',
  async run({ caller, services, audit }, { day, ...written }) {
    const content = await htmlOf(services, written);
    if (content === '') throw new Failure('validation', { text: 'The terms of service are empty.' });
    await services.client.call(Instance.publishTerms.to(instanceKey, { day, content, audit }), flowOf(caller));
  },
});

export const withdrawTerms = operation({
  input: z.object({ day: z.int().min(0) }),
  permission: 'manageSettings',
  audit: 'withdrawTerms',
  run: ({ caller, services, audit }, { day }) =>
    services.client.call(Instance.withdrawTerms.to(instanceKey, { day, audit }), flowOf(caller)),
});

/**
 * Announces a version to everybody here until it takes effect, and tells everybody by mail, whatever mails they have switched
 * off. Throws Failure notFound, and validation where that was done before.
 */
export const tellTerms = operation({
  input: z.object({ day: z.int().min(0) }),
  permission: 'manageSettings',
  audit: 'tellTerms',
  async run({ caller, services, audit }, { day }) {
    const now = services.now();
    const words = services.languages.preset;
    const at = day * dayMilliseconds;
    const address = `${services.addresses.origin}/terms-of-service?date=${new Date(at).toISOString().slice(0, 10)}`;
    const { willChange, haveChanged } = words.mails.terms;
    const text = at > now ? willChange({ day: words.formats.day(at), address }) : haveChanged({ address });
    const { html } = renderStatusText(text, { mentions: new Map() });
    const endsAt = at > now ? at : now + shownDays * dayMilliseconds;
    const announcement = { text, html, endsAt, allDay: true, mentions: [], statuses: [], tags: [] };
    await services.client.call(Instance.tellTerms.to(instanceKey, { day, announcement, audit }), flowOf(caller));
  },
});

export interface ListedTerms extends EffectiveTerms {
  readonly isInForce: boolean;
}

/** Oldest first. */
export const listTerms = operation({
  input: z.object({}),
  permission: 'manageSettings',
  audit: reads,
  run({ services }): ListedTerms[] {
    const versions = allTerms(services);
    const inForce = versions.findLast(({ isEffective }) => isEffective);
    return versions.map((version) => ({ ...version, isInForce: version === inForce }));
  },
});
