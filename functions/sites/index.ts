import { createSitesApp } from './app.ts';

const app = createSitesApp();

export default { fetch: app.fetch };
