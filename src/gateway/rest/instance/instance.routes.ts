/** The routes of the instance that are not of the API: its built-in picture. */
import { bannerRoute } from './banner.ts';

export const instanceRoutes = [bannerRoute];
