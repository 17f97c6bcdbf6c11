import { createContentApp } from './app.ts';

const app = createContentApp();

export default { fetch: app.fetch };
