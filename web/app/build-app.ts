/**
 * `node web/app/build-app.ts [--check]`: builds the dashboard's files and the list of those that its pages name. Fails if they are over their
 * budget. With `--check` it compares only.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeUse } from '../../tooling/budget.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { writeGenerated } from '../../tooling/write-generated.ts';
import { BUDGET, bundleApp } from './bundle-app.ts';

const FOLDER = join(ROOT, 'functions/dashboard/assets/app');

const { files, named, typeface, sizes } = await bundleApp();
const budgets = Object.entries(BUDGET) as [keyof typeof BUDGET, number][];
const over = budgets.filter(([name, most]) => sizes[name] > most).map(([name]) => name);
const uses = budgets.map(([name, most]) => `${name} ${describeUse(sizes[name], most, kib)}`);
process.stdout.write(`dashboard, KiB gzipped: ${uses.join(', ')}, all views ${kib(sizes.all)}\n`);
if (over.length > 0) {
  process.stderr.write(`The dashboard is over its budget: ${over.join(', ')}\n`);
  process.exitCode = 1;
} else {
  if (!process.argv.includes('--check')) await writeFiles();
  await writeGenerated(
    join(ROOT, 'functions/dashboard/app-files.generated.ts'),
    `// Made by \`node web/app/build-app.ts\`.\nexport const APP_FILES = ${JSON.stringify(named, null, 2)} as const;\n`,
  );
  await writeGenerated(
    join(ROOT, 'lib/http/typeface.generated.ts'),
    `// Made by \`node web/app/build-app.ts\`.\nexport const TYPEFACE = '${typeface}';\n`,
  );
}

/** Old files go last, so that a page that is loaded meanwhile finds its own. */
async function writeFiles(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await Promise.all([...files].map(([name, contents]) => writeFile(join(FOLDER, name), contents)));
  const old = (await readdir(FOLDER)).filter((name) => !files.has(name));
  await Promise.all(old.map((name) => rm(join(FOLDER, name))));
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
