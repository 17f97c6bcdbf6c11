import { createAnalyticsApp } from './app.ts';

const app = createAnalyticsApp();

export default { fetch: app.fetch };
