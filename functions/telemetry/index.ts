import { createTelemetryApp } from './app.ts';

export default { fetch: createTelemetryApp().fetch };
