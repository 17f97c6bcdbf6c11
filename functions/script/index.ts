import { createScriptApp } from './app.ts';

const app = createScriptApp();

export default { fetch: app.fetch };
