import { createDocsApp } from './app.ts';

export type { AppType } from './app.ts';

const app = createDocsApp();

export default { fetch: app.fetch };
