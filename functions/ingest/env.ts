import * as v from 'valibot';
import { databaseFields, saltRedisFields } from '../../lib/http/env-fields.ts';

export const Env = v.object({ ...databaseFields, ...saltRedisFields });
