/**
 * `node scripts/dimensions.ts [--check]`: writes what the database and docs/reports.md have of lib/visits/dimensions.ts, and what the database
 * has of the gap between visits, or says that it is out of date.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { insertDimensions } from './dimensions/insert-dimensions.ts';
import { renderDimensions } from './dimensions/render-dimensions.ts';
import { formatSql } from './sql/format-sql.ts';

await writeGenerated(join(ROOT, 'schema/functions/dimensions.generated.sql'), formatSql(renderDimensions()));

const REPORTS = join(ROOT, 'docs/reports.md');
await writeGenerated(REPORTS, insertDimensions(await readFile(REPORTS, 'utf8')));
