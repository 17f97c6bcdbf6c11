import { zoneHere } from '../format.ts';
import { Field } from './field.tsx';

interface ZoneFieldProps {
  texts: { timezone: string; timezoneNote: string };
  zone: string;
  onZone: (zone: string) => void;
}

/** The time zone of a site. The present one is in the list, whatever the browser calls it. */
export const ZoneField = ({ texts, zone, onZone }: ZoneFieldProps) => (
  <Field label={texts.timezone} note={texts.timezoneNote}>
    <select
      class="input"
      name="timezone"
      value={zone}
      onChange={({ currentTarget }) => onZone(currentTarget.value)}
    >
      {[...new Set(['UTC', zoneHere(), zone, ...Intl.supportedValuesOf('timeZone')])].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </Field>
);
