/** Tables and functions of the database. */
import pg from 'pg';
import { VERSION } from '../../../lib/version.ts';
import { applySchema as apply } from '../../../tooling/schema/apply-schema.ts';
import { directUrl } from '../direct-url.ts';
import type { SetupRun, Step } from '../step.ts';

export const applySchema: Step = {
  title: 'Apply the schema',
  plan: () => [
    `npm run db:apply: brings the database to ${VERSION}. A database that has tables of something else is refused.`,
  ],
  run: (run) =>
    withOwner(run, async (client) => {
      const { migrations, functionsMade } = await apply(client, { report: run.tell });
      run.tell(
        migrations.length > 0 || functionsMade
          ? `the database is of ${VERSION} now`
          : `the database was of ${VERSION} already`,
      );
    }).catch((error: unknown) => {
      const { message, hint } = error as { message: string; hint?: string };
      throw new Error(
        `The schema isn't applied to its end: ${message}${hint ? ` (${hint})` : ''}. Nothing is lost: run setup again, and it goes on there.`,
        { cause: error },
      );
    }),
};

/** Lends a connection of the database's owner. */
export async function withOwner<T>(
  { file }: Pick<SetupRun, 'file'>,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: directUrl(file.answers.DATABASE_URL as string) });
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
