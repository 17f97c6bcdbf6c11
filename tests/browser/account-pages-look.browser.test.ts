/** The account pages: languages, colour schemes, phones, keyboards. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import type { View } from '../../web/account/page-words.ts';
import { signUp } from '../functions/account/browser.ts';
import { useStack } from '../services/use-stack.ts';
import { confirmAddress, linkTo, newEmail, newOwner, openPage, PASSWORD, titleOf } from './account-pages.ts';
import { useChromium } from './chromium.ts';
import { measureContrast } from './contrast.ts';

const stack = useStack();
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);

const NARROW = { width: 320, height: 640 };
const PATHS = ['/sign-in', '/confirm-email', '/reset-password', '/join'] as const;
const CONFIRM_LINK = `/confirm-email#aa.bb.${'A'.repeat(43)}`;
const RESET_LINK = '/reset-password#Aa4Zt8Kw2Xv6Rb1Ns5Lp9Hd3';

/** The addresses of the pages in a language, as links lead to them. */
async function linksIn(language: Language): Promise<string[]> {
  const { link } = await (await newOwner(stack())).invite('viewer');
  return ['/sign-in#', CONFIRM_LINK, RESET_LINK, link].map((path) => path.replace('#', `?lang=${language}#`));
}

/** Shows a view as the script does, with an error in each element for errors. */
const reveal = (page: Page, name: string) =>
  page.evaluate((name) => {
    for (const view of document.querySelectorAll<HTMLElement>('[data-view]'))
      view.hidden = view.dataset.view !== name;
    for (const wrong of document.querySelectorAll('.wrong')) wrong.textContent = 'Wrong';
    for (const element of document.querySelectorAll('[data-fill]'))
      element.textContent = 'ana.de-sousa@example.com';
  }, name);

const viewsOf = (page: Page): Promise<View[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-view]')].map(({ dataset }) => dataset.view as View),
  );

/** Contrast between the border of each field and its background. WCAG 2.2, 1.4.11 requires 3. */
const edgeContrast = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((channel) => {
        const share = Number(channel) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return [...document.querySelectorAll('input')].map((input) => {
      const section = input.closest('section') as HTMLElement;
      const levels = [getComputedStyle(input).borderTopColor, getComputedStyle(section).backgroundColor].map(
        luminance,
      );
      return (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
    });
  });

describe.each(LANGUAGES)('%s', (language) => {
  test.each(['light', 'dark'] as const)(
    '%s: every view is legible, and fits a phone',
    async (colorScheme) => {
      for (const link of await linksIn(language)) {
        const { page, complaints } = await open(link, {
          colorScheme,
          viewport: NARROW,
        });
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
        for (const name of await viewsOf(page)) {
          await reveal(page, name);
          const section = page.locator('section:visible');
          expect(await section.locator('h1').innerText()).toContain(titleOf(name, language).trim());
          const { measured, faint } = await measureContrast(page);
          expect([name, measured > 10, faint]).toEqual([name, true, []]);
          const wide = await page.evaluate(() =>
            [...document.querySelectorAll('body *')]
              .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
              .map(({ outerHTML }) => outerHTML.slice(0, 80)),
          );
          expect([name, wide]).toEqual([name, []]);
          const low = await section
            .locator('button, .others a')
            .evaluateAll((all) =>
              all.map((one) => one.getBoundingClientRect().height).filter((height) => height < 44),
            );
          expect([name, low]).toEqual([name, []]);
        }
        expect((await edgeContrast(page)).filter((ratio) => ratio < 3)).toEqual([]);
        expect(complaints).toEqual([]);
      }
    },
  );

  test('what the service refuses is said in the language', async () => {
    const { script, views, links } = WORDS[language];
    const { email } = await signUp(stack());
    const owner = await newOwner(stack());
    const { id, link } = await owner.invite('viewer');
    const { page, submit, heading } = await open(link.replace('#', `?lang=${language}#`));
    const alert = page.locator('section:visible form > [role=alert]');
    expect(await heading()).toBe(views['sign-in'].title);
    await submit({ email, password: 'six lamps and a ladder' });
    const refusal = script.sentences['No account has this e-mail address and this password.'];
    await expect.poll(() => alert.innerText()).toBe(refusal);
    await page.getByRole('button', { name: links.toSignUp }).click();
    await submit({ email: `x${email}`, password: 'short' });
    const short = script.rules['must have at least # characters']?.replace('#', '10');
    await expect.poll(() => page.locator('#sign-up-password-wrong').innerText()).toBe(short);
    await submit({ email, password: PASSWORD });
    await expect.poll(() => alert.innerText()).toBe(script.sentences['This address has an account already.']);
    await owner.takeBack(id);
    await page.locator('section:visible').getByRole('button', { name: links.toSignIn }).click();
    await submit({ email, password: PASSWORD });
    await expect.poll(heading).toBe(views.refused.title);
  });

  test('the role of who joins is said in the language', async () => {
    const { script, buttons, views, links } = WORDS[language];
    const { link } = await (await newOwner(stack(), 'Seis cordas')).invite('viewer');
    const { page, heading, submit, text } = await open(link.replace('#', `?lang=${language}#`));
    await page.getByRole('button', { name: links.toSignUp }).click();
    expect(await page.locator('section:visible .main').innerText()).toBe(buttons.signUpToJoin);
    const email = newEmail();
    await submit({ email, password: PASSWORD });
    await expect.poll(heading).toBe(views.unconfirmed.title);
    await confirmAddress(page, linkTo(stack(), email));
    await page.getByRole('button', { name: links.opened }).click();
    await expect.poll(heading).toBe(views.confirm.title);
    await submit();
    await expect.poll(heading).toBe(`${titleOf('joined', language)}Seis cordas`);
    expect(await text()).toContain(script.roles.viewer);
    expect(await text()).toContain(script.rights.viewer);
  });
});

test('the schemes differ', async () => {
  const grounds = await Promise.all(
    (['light', 'dark'] as const).map(async (colorScheme) => {
      const { page } = await open('/sign-in', { colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    }),
  );
  expect(grounds).toEqual(['rgb(251, 250, 246)', 'rgb(15, 23, 25)']);
});

test.each([
  ['es-MX', 'es'],
  ['pt-BR', 'pt-PT'],
  ['fr-FR', 'en'],
])('a browser in %s gets the pages in %s', async (locale, language) => {
  for (const path of PATHS) {
    const { page } = await open(path, { locale });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  }
});

test('the language changes without losing what follows the #, and links keep it', async () => {
  const { page, heading } = await open(RESET_LINK);
  await page.getByRole('link', { name: 'Español' }).click();
  await expect.poll(heading).toBe(WORDS.es.views.reset.title);
  expect(page.url()).toBe(stack().baseUrl + RESET_LINK.replace('#', '?lang=es#'));
  expect(await page.getByRole('link', { name: 'Español' }).getAttribute('aria-current')).toBe('page');
  await page.locator('section:visible [name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(heading).toBe(WORDS.es.views.over.title);
  await page.getByRole('link', { name: WORDS.es.links.newLink }).click();
  await expect.poll(heading).toBe(WORDS.es.views.forgot.title);
});

test('by the keyboard alone: up, out and in, each step shown', async () => {
  const { page, heading } = await open('/sign-in');
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      return { id: at.id || at.textContent, outline: getComputedStyle(at).outlineStyle };
    });
  const press = async (...keys: string[]): Promise<string | null> => {
    for (const key of keys) await page.keyboard.press(key);
    const { id, outline } = await focused();
    expect([id, outline]).toEqual([id, 'solid']);
    return id;
  };
  const { en } = WORDS;
  const email = newEmail();
  expect((await focused()).id).toBe('sign-in-email');
  expect(await press('Tab')).toBe('sign-in-password');
  expect(await press('Tab')).toBe(en.script.showPassword);
  expect(await press('Tab')).toBe(en.buttons.signIn);
  expect(await press('Tab')).toBe(en.links.toSignUp);
  expect(await press('Enter')).toBe('sign-up-email');
  await page.keyboard.type(email);
  expect(await press('Enter')).toBe('sign-up-password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(heading).toBe(en.views.unconfirmed.title);
  expect((await focused()).id).toBe('unconfirmed-title');
  expect(await press('Tab')).toBe(en.buttons.sendAnother);
  expect(await press('Tab')).toBe(en.links.opened);
  expect(await press('Tab')).toBe(en.links.later);
  await page.keyboard.press('Enter');
  await expect.poll(heading).toBe(en.views['signed-in'].title);
  // A view without a field focuses its heading, for screen readers, without an outline.
  expect((await focused()).id).toBe('signed-in-title');
  expect(await press('Tab')).toBe(en.links.toDashboard);
  expect(await press('Tab')).toBe(en.links.signOut);
  await page.keyboard.press('Space');
  await expect.poll(heading).toBe(en.views['sign-in'].title);
  expect((await focused()).id).toBe('sign-in-email');
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(heading).toBe(en.views.unconfirmed.title);
});

test('every field has a label and a description of its error; errors are read out', async () => {
  for (const link of await linksIn('en')) {
    const { page } = await open(link);
    const fields = await page.evaluate(() =>
      [...document.querySelectorAll('input')].map(({ id, labels, ariaDescribedByElements }) => ({
        id,
        label: labels?.[0]?.textContent ?? '',
        described: ariaDescribedByElements?.at(-1)?.id,
      })),
    );
    for (const { id, label, described } of fields)
      expect([label !== '', described]).toEqual([true, `${id}-wrong`]);
    const [forms, alerts] = await page.evaluate(() => [
      document.forms.length,
      document.querySelectorAll('form > [role=alert]').length,
    ]);
    expect(alerts).toBe(forms);
    const names = await page.evaluate(() =>
      [...document.querySelectorAll('section')].map(
        (section) => section.ariaLabelledByElements?.[0]?.tagName,
      ),
    );
    expect(new Set(names)).toEqual(new Set(['H1']));
  }
});

test('without JavaScript it says so, and no form sends a password anywhere', async () => {
  const context = await newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack().baseUrl}/sign-in`);
  expect(await page.locator('noscript').innerText()).toBe(WORDS.en.needsScript);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  await page.locator('#sign-in-password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(() => complaints.join()).toContain("form-action 'none'");
  expect(asked).toEqual([]);
});
