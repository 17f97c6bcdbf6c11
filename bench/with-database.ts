import { createScratchDatabase } from '../dev/scratch-database.ts';

/** Creates an empty database on the server at `serverUrl`, passes it to `use`, and drops it afterwards. */
export async function withDatabase<T>(serverUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const database = await createScratchDatabase(serverUrl);
  try {
    return await use(database.url);
  } finally {
    await database.drop();
  }
}
