import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';
import { useRefusal } from './refusals.tsx';

interface TextFieldProps
  extends Pick<
    ComponentProps<'input'>,
    | 'name'
    | 'type'
    | 'required'
    | 'minLength'
    | 'maxLength'
    | 'autocomplete'
    | 'inputMode'
    | 'autocapitalize'
    | 'spellcheck'
    | 'placeholder'
  > {
  label: string;
  note?: string;
  value: string;
  onText: (text: string) => void;
}

/** A field of one line with its name. */
export function TextField({ label, note, onText, ...input }: TextFieldProps) {
  const { marks, rule } = useRefusal(typeof input.name === 'string' ? input.name : undefined);
  return (
    <Field label={label} rule={rule} {...(note !== undefined && { note })}>
      <input
        class="input"
        {...input}
        {...marks}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </Field>
  );
}
