import { NeonDbError } from '@neondatabase/serverless';
import { DomainError } from '../errors.ts';
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

const UNIQUE_VIOLATION = '23505';

/** Turns a name that another environment of the project has into `CONFLICT`; every other error passes through. */
export async function refuseTakenName<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof NeonDbError && error.code === UNIQUE_VIOLATION)
      throw new DomainError('CONFLICT', 'The project has an environment of this name.');
    throw error;
  }
}
