export { Env } from '../../../functions/ingest/env.ts';
