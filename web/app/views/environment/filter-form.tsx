import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { listServices } from '../../api/operations.generated.ts';
import { Icon } from '../../parts/icon.tsx';
import { askedOf, attributeFilters, type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

const MOST_SERVICES = 100;

/** A form whose fields are parameters of the address. `children` are its fields besides attributes. */
export function FilterForm({
  children,
  attributes = true,
}: {
  children: ComponentChildren;
  /** Whether it has a field for an attribute. */
  attributes?: boolean;
}) {
  const search = useSearch();
  const { go } = useFields();
  const [isWrong, setWrong] = useState(false);
  const texts = backendWords.filters;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { attribute = '', ...fields } = Object.fromEntries(
      [...new FormData(event.currentTarget as HTMLFormElement)].map(([name, value]) => [
        name,
        String(value).trim(),
      ]),
    );
    const [, key, value] = /^([^=]+)=(.+)$/.exec(attribute) ?? [];
    setWrong(attribute !== '' && key === undefined);
    if (attribute !== '' && key === undefined) return;
    go({
      ...fields,
      ...(key !== undefined && value !== undefined && { [`attr.${key.trim()}`]: value.trim() }),
    });
  };
  return (
    <>
      <form key={search} class="filter-form" onSubmit={submit}>
        {children}
        {attributes && (
          <label class="field">
            <span>{texts.attribute}</span>
            <input
              class="input"
              name="attribute"
              placeholder={texts.attributeHint}
              aria-invalid={isWrong || undefined}
              maxLength={512}
            />
          </label>
        )}
        <button type="submit" class="button main">
          <Icon name="search" />
          {texts.apply}
        </button>
      </form>
      {isWrong && <p role="alert">{texts.attributeRule}</p>}
      <AttributeChips />
    </>
  );
}

/** A text field of the form. */
export function TextFilter({
  name,
  label,
  type = 'text',
}: {
  name: string;
  label: string;
  type?: 'text' | 'number';
}) {
  const { fields } = useFields();
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        name={name}
        type={type}
        defaultValue={fields[name] ?? ''}
        maxLength={256}
        {...(type === 'number' && { min: 0, step: 'any' })}
      />
    </label>
  );
}

interface ChoiceFilterProps {
  name: string;
  label: string;
  /** What is shown when nothing is chosen. */
  any: string;
  /** Values with their names. */
  choices: readonly (readonly [string, string])[];
}

/** A choice of the form. It is submitted when it is changed. */
export function ChoiceFilter({ name, label, any, choices }: ChoiceFilterProps) {
  const { fields } = useFields();
  const select = useRef<HTMLSelectElement>(null);
  const chosen = fields[name] ?? '';
  const isListed = chosen === '' || choices.some(([value]) => value === chosen);
  return (
    <label class="field">
      <span>{label}</span>
      <select ref={select} class="input" name={name} onChange={() => select.current?.form?.requestSubmit()}>
        <option value="">{any}</option>
        {!isListed && (
          <option value={chosen} selected>
            {chosen}
          </option>
        )}
        {choices.map(([value, shown]) => (
          <option key={value} value={value} selected={value === chosen}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice among the services that sent spans in the range. */
export function ServiceFilter({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const asked = askedOf(environment, fields);
  const { data } = useQuery({
    queryKey: ['service-names', asked],
    queryFn: ({ signal }) => listServices({ ...asked, limit: MOST_SERVICES }, signal),
  });
  const texts = backendWords.filters;
  const names = (data?.data ?? []).map(({ name }) => [name, name] as const);
  return <ChoiceFilter name="service" label={texts.service} any={texts.anyService} choices={names} />;
}

/** The filters by attributes, each with what removes it. */
function AttributeChips() {
  const { fields, hrefWith } = useFields();
  const texts = backendWords.filters;
  const filters = Object.entries(attributeFilters(fields));
  if (filters.length === 0) return null;
  return (
    <ul class="chips" aria-label={texts.active}>
      {filters.map(([name, value]) => {
        const key = name.slice(name.indexOf('.') + 1);
        return (
          <li key={name} class="chip">
            <span class="label">
              <span class="soft">{key} =</span> {value}
            </span>
            <Link href={hrefWith({ [name]: undefined })} aria-label={texts.remove(key)}>
              <Icon name="close" />
            </Link>
          </li>
        );
      })}
      <li>
        <Link
          class="button plain"
          href={hrefWith(Object.fromEntries(filters.map(([name]) => [name, undefined])))}
        >
          {texts.clear}
        </Link>
      </li>
    </ul>
  );
}
