import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../../lib/languages.ts';
import { time, zoneHere } from '../../format.ts';
import { THEMES, type Theme } from '../../page-cookies.ts';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { chooseLanguage, chooseTheme } from '../../parts/preferences.tsx';
import { Section } from '../../parts/section.tsx';
import {
  CLOCKS,
  type Clock,
  chooseClock,
  chosenClock,
  shortcutsOn,
  switchShortcuts,
} from '../../state/own-preferences.ts';
import { language, words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';

/** Language, colours, times and shortcuts. Each choice holds at once, and in this browser alone. */
export function Appearance() {
  const texts = peopleWords.account;
  const [theme, setTheme] = useState(document.documentElement.dataset.theme as Theme);
  const [clock, setClock] = useState<Clock>(chosenClock());
  const [hasShortcuts, setShortcuts] = useState(shortcutsOn());
  return (
    <Section title={texts.appearance} text={texts.appearanceText}>
      <div class="beside">
        <Field label={words.nav.language}>
          <select
            class="input"
            name="language"
            value={language}
            onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
          >
            {LANGUAGES.map((one) => (
              <option key={one} value={one} lang={one}>
                {LANGUAGE_NAMES[one]}
              </option>
            ))}
          </select>
        </Field>
        <RadioChoices
          label={words.nav.theme}
          name="theme"
          value={theme}
          choices={THEMES.map((value) => ({ value, label: words.nav.themes[value] }))}
          onChoose={(chosen) => {
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        />
        <div class="noted">
          <RadioChoices
            label={texts.clock}
            name="clock"
            value={clock}
            choices={CLOCKS.map((value) => ({ value, label: texts.clocks[value] }))}
            onChoose={(chosen) => {
              chooseClock(chosen);
              setClock(chosen);
            }}
          />
          <small class="soft">{texts.clockNote(time(Date.now(), 'hour', zoneHere()))}</small>
        </div>
        <fieldset class="choices">
          <legend>{texts.shortcuts}</legend>
          <label>
            <input
              type="checkbox"
              name="shortcuts"
              checked={hasShortcuts}
              onChange={({ currentTarget: { checked } }) => {
                switchShortcuts(checked);
                setShortcuts(checked);
              }}
            />
            <span>
              {texts.shortcutsOn}
              <small class="soft">{texts.shortcutsNote}</small>
            </span>
          </label>
        </fieldset>
      </div>
    </Section>
  );
}
