import type { ComponentChildren } from 'preact';

interface FieldProps {
  label: string;
  /** What may stand in it, or what it is for. */
  note?: ComponentChildren;
  /** The rule that the service refused it by (`useRefusal`). */
  rule?: ComponentChildren;
  children: ComponentChildren;
}

/** A named field of a form: one control, and a note below it that isn't part of its name. */
export const Field = ({ label, note, rule, children }: FieldProps) => (
  <div class="noted">
    {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children */}
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
    {rule}
    {note && <small class="soft">{note}</small>}
  </div>
);

interface RadioChoicesProps<Value extends string> {
  label: string;
  name: string;
  value: Value;
  /** Values with what they are called, and a note on each. */
  choices: readonly { value: Value; label: string; note?: string; disabled?: boolean }[];
  onChoose: (value: Value) => void;
}

/** One of a few choices, all of them in sight. */
export const RadioChoices = <Value extends string>(props: RadioChoicesProps<Value>) => (
  <fieldset class="choices">
    <legend>{props.label}</legend>
    {props.choices.map(({ value, label, note, disabled }) => (
      <label key={value}>
        <input
          type="radio"
          name={props.name}
          value={value}
          checked={value === props.value}
          disabled={disabled}
          onChange={() => props.onChoose(value)}
        />
        <span>
          {label}
          {note && <small class="soft">{note}</small>}
        </span>
      </label>
    ))}
  </fieldset>
);
