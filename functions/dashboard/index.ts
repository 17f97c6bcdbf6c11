import { createDashboardApp } from './app.ts';

const app = createDashboardApp();

export default { fetch: app.fetch };
