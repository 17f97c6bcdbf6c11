/** Views that are loaded when they are opened, with their words. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

/** The modules with words that a page has, by name: `es`, `goals`. */
const WORDS = ['en', 'es', 'pt', 'adding', 'backend', 'behaviour', 'goals', 'messages', 'settings'];
const wordsIn = (paths: readonly string[]): string[] =>
  paths
    .flatMap((path) => /^\/app\/(\w+)-[0-9a-f]{8}\.js$/.exec(path)?.[1] ?? [])
    .filter((name) => WORDS.includes(name));

test('a view brings its words when it is opened, in the language of the page alone', async () => {
  const owner = await newSite(stack());
  const { page, complaints } = await openDashboard(stack(), newContext, owner, '/sites?lang=es');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(`${stack().baseUrl}/sites/${owner.siteId}?lang=es`);
  await page.getByRole('button', { name: 'Más' }).click();
  await page.getByRole('link', { name: 'Ajustes', exact: true }).waitFor();
  expect(wordsIn(loaded)).toEqual(['es']);
  await page.getByRole('link', { name: 'Ajustes', exact: true }).click();
  await page.getByRole('region', { name: 'Eliminar el sitio' }).waitFor();
  expect(wordsIn(loaded).sort()).toEqual(['es', 'messages', 'settings']);
  expect(complaints).toEqual([]);
});

test('a view whose files don’t come says so, and comes with the page that is loaded anew', async () => {
  const owner = await newSite(stack());
  const { page } = await openDashboard(stack(), newContext, owner, `/sites/${owner.siteId}`);
  await page.route('**/app/settings-*.js', (route) => route.abort());
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('alert').getByText('no connection').waitFor();
  await page.unrouteAll();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Delete the website' }).waitFor();
});
