/** What holds for this server: what staff stored, and the options where they stored nothing. */
import type { InstanceSettings, RegistrationMode } from '../../actors/instance/instance.messages.ts';
import { storedSettings } from '../../actors/instance/instance.queries.ts';
import type { Services } from '../../services/services.ts';
import { defaultPrivacyPolicy } from './default-privacy-policy.ts';

export interface EffectiveSettings extends InstanceSettings {
  readonly registrations: RegistrationMode;
  readonly title: string;
  readonly description: string;
  readonly rules: NonNullable<InstanceSettings['rules']>;
  readonly publishPeers: boolean;
  readonly privacyPolicy: NonNullable<InstanceSettings['privacyPolicy']>;
}

export function settingsOf({ snapshots, options }: Pick<Services, 'snapshots' | 'options'>): EffectiveSettings {
  const stored = storedSettings(snapshots);
  return {
    ...stored,
    registrations: stored.registrations ?? options.registrations,
    title: stored.title ?? options.title,
    description: stored.description ?? '',
    rules: stored.rules ?? [],
    publishPeers: stored.publishPeers ?? true,
    privacyPolicy: stored.privacyPolicy ?? defaultPrivacyPolicy,
  };
}
