import { createTrackApp } from './app.ts';

export default { fetch: createTrackApp().fetch };
