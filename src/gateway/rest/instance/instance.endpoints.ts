/** The endpoints about the server itself, and what clients read at start. */
import { getCustomEmojis } from './get-custom-emojis.ts';
import { getExtendedDescription, getPrivacyPolicy, getRules } from './get-documents.ts';
import { getHealth } from './get-health.ts';
import { getInstance, getInstanceV1 } from './get-instance.ts';
import { getLanguages } from './get-languages.ts';
import { getPeers } from './get-peers.ts';
import { getPreferences } from './get-preferences.ts';

export const instanceEndpoints = [
  getInstance,
  getInstanceV1,
  getRules,
  getExtendedDescription,
  getPrivacyPolicy,
  getPeers,
  getLanguages,
  getCustomEmojis,
  getPreferences,
  getHealth,
];
