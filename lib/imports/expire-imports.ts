import { runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/**
 * Removes imports that were broken off and not begun again for a day, oldest first (`expire_imports` of the schema). The next run continues
 * where this one ends. Returns how many of their rows it deleted.
 */
export const expireImports = (ports: Ports): Promise<{ deletedRows: number }> =>
  runBatches(ports, (instant) => ports.sql`select * from expire_imports(${instant}::timestamptz)`);
