import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderNotices } from '../../scripts/build/third-party-notices.ts';
import { ROOT } from '../../tooling/deployment.ts';

const fileOf = (name: string): string => join(ROOT, 'node_modules', name, 'dist/index.js');

test('names each bundled package once, with its licence', async () => {
  const notices = await renderNotices([fileOf('hono'), fileOf('hono'), join(ROOT, 'lib/db.ts')]);
  expect(notices.match(/^hono [\d.]+$/gm)).toHaveLength(1);
  expect(notices).toContain('Copyright (c) 2021 - present, Yusuke Wada and Hono contributors');
});

test('names the data that generated files hold', async () => {
  const notices = await renderNotices([]);
  for (const data of ['world-atlas', 'matomo-org/referrer-spam-list', 'dinero.js'])
    expect(notices).toContain(data);
});

test('refuses a package whose licence is not allowed', async () => {
  await expect(renderNotices([fileOf('axe-core')])).rejects.toThrow(
    'axe-core is bundled, and its licence is MPL-2.0',
  );
});
