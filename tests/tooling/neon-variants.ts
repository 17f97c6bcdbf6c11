import { randomBytes } from 'node:crypto';
import { type NeonQueryFunction, neon } from '@neondatabase/serverless';
import pg from 'pg';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { type Neon, startNeon } from '../../tooling/neon/start-neon.ts';
import { SERVER } from '../services/server.ts';

/** The real driver with complete results, in which every value is the text from PostgreSQL. */
export type RawSql = NeonQueryFunction<true, true>;

export interface Variant {
  name: string;
  start(): Promise<Started>;
}

export interface Started {
  neon: Neon;
  close(): Promise<void>;
}

/** Leaves each value unchanged. */
export const RAW_TYPES = { getTypeParser: () => (text: string) => text };

export const connect = ({ url, endpoint }: Pick<Neon, 'url' | 'endpoint'>): Sql =>
  connectDatabase({ url, endpoint });

export function connectRaw(to: Neon): RawSql {
  // This sets the driver's global settings.
  connect(to);
  return neon(to.url, { arrayMode: true, fullResults: true });
}

const embedded: Variant = {
  name: 'embedded',
  start: async () => {
    const started = await startNeon({ database: 'memory' });
    return { neon: started, close: started.close };
  },
};

/** Creates an empty database on the real server. It is dropped at the end. */
export async function startReal(serverUrl: string): Promise<Started> {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  admin.on('error', () => {});
  const database = `neon_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${database}`);
  const started = await startNeon({ database: { url: withDatabase(serverUrl, database) } });
  return {
    neon: started,
    close: async () => {
      await started.close();
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}

function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export const variants: Variant[] = [embedded, { name: 'server', start: () => startReal(SERVER) }];
