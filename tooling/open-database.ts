/** Opens the database for commands that run on this machine. */
import { DATABASE_FOLDER, lockLocalFolder, readRunning } from './local-folder.ts';
import { startNeon } from './neon/start-neon.ts';
import { applySchema } from './schema/apply-schema.ts';

export interface OpenDatabase {
  url: string;
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Opens a database by its address. `local` is the database of `npm run dev`: through the running process, otherwise from `.local/`,
 * with the current schema.
 */
export async function openOwnDatabase(choice: 'local' | { url: string }): Promise<OpenDatabase> {
  if (choice !== 'local') return startNeon({ database: choice });
  const running = await readRunning();
  if (running !== undefined) return { ...running, close: async () => {} };
  const release = lockLocalFolder();
  try {
    const neon = await startNeon({ database: { dir: DATABASE_FOLDER } });
    await neon.withClient(applySchema);
    const close = async (): Promise<void> => {
      await neon.close();
      release();
    };
    return { url: neon.url, endpoint: neon.endpoint, close };
  } catch (error) {
    release();
    throw error;
  }
}
