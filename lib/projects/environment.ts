import { refuseTaken } from '../db.ts';
import type { Environment } from './schemas.ts';

export interface EnvironmentRow {
  id: string;
  name: string;
  created_at: Date;
}

export const toEnvironment = ({ id, name, created_at }: EnvironmentRow): Environment => ({
  id,
  name,
  createdAt: created_at.toISOString(),
});

/** Turns a name that another environment of the project has into `CONFLICT`. */
export const refuseTakenName = <T>(query: Promise<T>): Promise<T> =>
  refuseTaken(query, 'The project already has an environment with this name.');
