/** The name of this program, and the version of the Mastodon API that clients may expect. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { projectFile } from '../options/project-files.ts';

const Manifest = z.object({ name: z.string(), version: z.string(), homepage: z.string().optional() });
const manifest = Manifest.parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')));

/** As NodeInfo names it. */
export const software = { name: manifest.name, version: manifest.version, homepage: manifest.homepage } as const;

/**
 * Clients parse the leading version of Mastodon and enable features by it; some refuse to work without one, or to call
 * what a later release brought (docs/decisions/0041).
 */
export const compatibleVersion = `4.6.0 (compatible; Murmuration ${manifest.version})`;

/**
 * What newer clients read instead. It rises when everything that a number promises is served: 2 grouped notifications,
 * 3 attribution domains, 4 deleting media, 5 filters that blur, 7 quotes, 8 profiles, 9 and 11 descriptions of avatars and
 * headers, 10 collections (docs/decisions/0041; test/gateway/api-document/versions.test.ts).
 */
export const apiVersions = { mastodon: 11 } as const;
