import { createContentApp } from './app.ts';

export type { AppType } from './app.ts';

const app = createContentApp();

export default { fetch: app.fetch };
