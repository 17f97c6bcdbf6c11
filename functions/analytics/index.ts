import { createAnalyticsApp } from './app.ts';

export type { AppType } from './app.ts';

const app = createAnalyticsApp();

export default { fetch: app.fetch };
