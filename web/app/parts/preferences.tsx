import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../lib/languages.ts';
import { LANGUAGE_COOKIE, THEME_COOKIE, THEMES, type Theme } from '../page-cookies.ts';
import { language, words } from '../words/index.ts';

const YEAR_SECONDS = 31_536_000;

/** The server reads it with the next page, which then is right from its first byte on. */
function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is missing in browsers that are in use
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** Words are loaded with the page, so another language loads it again. */
export function chooseLanguage(chosen: Language): void {
  remember(LANGUAGE_COOKIE, chosen);
  window.location.reload();
}

export function chooseTheme(chosen: Theme): void {
  remember(THEME_COOKIE, chosen);
  document.documentElement.dataset.theme = chosen;
}

export const LanguageChoices = () => (
  <fieldset class="choices" aria-label={words.nav.language}>
    {LANGUAGES.map((other) => (
      <button
        key={other}
        type="button"
        lang={other}
        aria-current={other === language ? 'true' : undefined}
        onClick={() => chooseLanguage(other)}
      >
        {LANGUAGE_NAMES[other]}
      </button>
    ))}
  </fieldset>
);

export function ThemeChoices() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <fieldset class="choices" aria-label={words.nav.theme}>
      {THEMES.map((one) => (
        <button
          key={one}
          type="button"
          aria-current={one === theme ? 'true' : undefined}
          onClick={() => choose(one)}
        >
          {words.nav.themes[one]}
        </button>
      ))}
    </fieldset>
  );
}
