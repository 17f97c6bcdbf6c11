import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../lib/languages.ts';

interface LanguageSelectProps {
  language: Language;
  onChoose: (language: Language) => void;
}

/** The languages that the service writes in, each by its own name. */
export const LanguageSelect = ({ language, onChoose }: LanguageSelectProps) => (
  <select
    class="input"
    name="language"
    value={language}
    onChange={({ currentTarget }) => onChoose(currentTarget.value as Language)}
  >
    {LANGUAGES.map((one) => (
      <option key={one} value={one} lang={one}>
        {LANGUAGE_NAMES[one]}
      </option>
    ))}
  </select>
);
