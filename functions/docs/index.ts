import { createDocsApp } from './app.ts';

const app = createDocsApp();

export default { fetch: app.fetch };
