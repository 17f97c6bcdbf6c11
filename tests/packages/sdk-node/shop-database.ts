import { createScratchDatabase } from '../../../dev/scratch-database.ts';
import { SERVER } from '../../services/server.ts';

/** An empty database that other processes reach. */
export async function startShopDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const { url, drop } = await createScratchDatabase(SERVER, { isDurable: false });
  return { url, close: drop };
}
