import * as v from 'valibot';
import { databaseFields, redisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({ ...databaseFields, ...redisFields });
export type Env = v.InferOutput<typeof Env>;
