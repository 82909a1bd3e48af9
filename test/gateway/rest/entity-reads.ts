/** Reads whose answers are held against their shapes, where a path says all. */

/** Lists of which this server has nothing. */
export const emptyLists = [
  'GET /api/v1/accounts/:id/identity_proofs',
  'GET /api/v1/instance/peers',
  'GET /api/v1/instance/rules',
  'GET /api/v1/custom_emojis',
];
/** That need neither a token nor parameters. */
export const openReads = [
  '/api/v2/instance',
  '/api/v1/instance',
  '/api/v1/instance/rules',
  '/api/v1/instance/extended_description',
  '/api/v1/instance/privacy_policy',
  '/api/v1/instance/peers',
  '/api/v1/instance/languages',
  '/api/v1/custom_emojis',
];
