import { createTelemetryApp } from './app.ts';

export type { AppType } from './app.ts';

export default { fetch: createTelemetryApp().fetch };
