import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';

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
export const TextField = ({ label, note, onText, ...input }: TextFieldProps) => (
  <Field label={label} {...(note !== undefined && { note })}>
    <input class="input" {...input} onInput={({ currentTarget }) => onText(currentTarget.value)} />
  </Field>
);
