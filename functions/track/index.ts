import { createTrackApp } from './app.ts';

export type { AppType } from './app.ts';

export default { fetch: createTrackApp().fetch };
