import { createAccountApp } from './app.ts';

export type { AppType } from './app.ts';

const app = createAccountApp();

export default { fetch: app.fetch };
