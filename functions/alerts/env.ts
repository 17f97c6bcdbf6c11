import * as v from 'valibot';
import { databaseFields } from '../../lib/http/env-fields.ts';

export const Env = v.object(databaseFields);
