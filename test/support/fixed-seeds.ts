/** Properties of fast-check get the same values in every run; in the long suite new ones, and a failure prints its seed. */
import { configureGlobal } from 'fast-check';

if (process.env.MURMURATION_LONG_TESTS === undefined) configureGlobal({ seed: 1 });
