import { createSitesApp } from './app.ts';

export type { AppType } from './app.ts';

const app = createSitesApp();

export default { fetch: app.fetch };
