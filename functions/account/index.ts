import { createAccountApp } from './app.ts';

const app = createAccountApp();

export default { fetch: app.fetch };
