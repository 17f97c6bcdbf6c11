import { createScratchDatabase } from '../dev/scratch-database.ts';

/** Lets `use` have a new, empty database of the server at `serverUrl`, and drops it afterwards. */
export async function withDatabase<T>(serverUrl: string, use: (url: string) => Promise<T>): Promise<T> {
  const database = await createScratchDatabase(serverUrl);
  try {
    return await use(database.url);
  } finally {
    await database.drop();
  }
}
