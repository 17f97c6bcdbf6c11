import { TextField } from './text-field.tsx';

const MAX_NAME_LENGTH = 100;
const MAX_DOMAIN_LENGTH = 253;

interface Named {
  name: string;
  domain: string;
}

interface SiteFieldsProps extends Named {
  texts: { name: string; nameNote?: string; domain: string; domainNote: string };
  onChange: (changed: Partial<Named>) => void;
}

/** What a site is called, and its domain. */
export const SiteFields = ({ texts, name, domain, onChange }: SiteFieldsProps) => (
  <>
    <TextField
      label={texts.name}
      {...(texts.nameNote !== undefined && { note: texts.nameNote })}
      name="name"
      required
      maxLength={MAX_NAME_LENGTH}
      value={name}
      onText={(text) => onChange({ name: text })}
    />
    <TextField
      label={texts.domain}
      note={texts.domainNote}
      name="domain"
      required
      maxLength={MAX_DOMAIN_LENGTH}
      inputMode="url"
      autocapitalize="none"
      spellcheck={false}
      placeholder="example.com"
      value={domain}
      onText={(text) => onChange({ domain: text })}
    />
  </>
);
