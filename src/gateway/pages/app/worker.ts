/**
 * GET /sw.js: the service worker (assets/worker.js), with the addresses of what it keeps before it. Another version of any
 * of them makes it another worker, and browsers replace the one that they have.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assetFile } from '../../../options/project-files.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { bytes } from '../../http/answers.ts';
import { rawRoute } from '../../route.ts';
import { badgeAddress, icon192Address, iconAddress, scriptAddress, styleAddress } from '../assets.ts';

const kept = [styleAddress, scriptAddress, iconAddress, icon192Address, badgeAddress];
const script = readFileSync(assetFile('worker.js'), 'utf8');
const version = hash('sha256', `${kept.join(' ')} ${script}`, 'base64url').slice(0, 12);
const facts = { version, kept, icon: icon192Address, badge: badgeAddress };
const content = Buffer.from(`const facts = ${JSON.stringify(facts)};\n${script}`);

/** It runs by itself, under its own policy: it asks this server only. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
  'Cache-Control': 'no-cache',
};

export const workerRoute = rawRoute<GatewayServices>({
  method: 'GET',
  path: '/sw.js',
  handler: () => bytes(content, { contentType: 'text/javascript; charset=utf-8', headers, isKept: true }),
});
