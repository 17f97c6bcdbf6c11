import { COUNTRIES } from '../../../lib/privacy/countries.ts';
import { country } from '../format.ts';
import { language } from '../words/index.ts';

interface CountrySelectProps {
  /** Empty: none chosen. */
  value: string;
  /** What the empty choice is called, if it may be left. */
  none?: string;
  disabled?: boolean;
  onChoose: (code: string) => void;
}

/** All countries by their names in the page's language. */
export function CountrySelect({ value, none, disabled, onChoose }: CountrySelectProps) {
  const named = COUNTRIES.map((code) => ({ code, name: country(code) })).sort((a, b) =>
    a.name.localeCompare(b.name, language),
  );
  return (
    <select
      class="input"
      name="jurisdiction"
      required={none === undefined}
      disabled={disabled}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{none ?? ''}</option>
      {named.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
