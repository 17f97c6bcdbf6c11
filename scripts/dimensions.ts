/**
 * `node scripts/dimensions.ts [--check]`: writes what the database has of lib/visits/dimensions.ts, and of the gap between visits,
 * or tells whether it is up to date.
 */
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { renderDimensions } from './dimensions/render-dimensions.ts';
import { formatSql } from './sql/format-sql.ts';

await writeGenerated(join(ROOT, 'schema/functions/dimensions.generated.sql'), formatSql(renderDimensions()));
