/** The endpoints about the server itself, and those that clients read at start. */
import { getActivity } from './get-activity.ts';
import { getCustomEmojis } from './get-custom-emojis.ts';
import {
  getExtendedDescription,
  getPrivacyPolicy,
  getRules,
  getTermsOfService,
  getTermsOfServiceOf,
} from './get-documents.ts';
import { getDomainBlocks } from './get-domain-blocks.ts';
import { getHealth } from './get-health.ts';
import { getInstance, getInstanceV1 } from './get-instance.ts';
import { getLanguages } from './get-languages.ts';
import { getPeers, searchPeers } from './get-peers.ts';
import { getPreferences } from './get-preferences.ts';

export const instanceEndpoints = [
  getInstance,
  getInstanceV1,
  getRules,
  getExtendedDescription,
  getPrivacyPolicy,
  getTermsOfService,
  getTermsOfServiceOf,
  getActivity,
  getPeers,
  searchPeers,
  getDomainBlocks,
  getLanguages,
  getCustomEmojis,
  getPreferences,
  getHealth,
];
