/** docs/mcp.md names each tool of the analytics service. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TOOLS } from '../../functions/mcp/tool-list.ts';

test('each tool is named', async () => {
  const document = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  expect(TOOLS.map(({ name }) => name).filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
});
