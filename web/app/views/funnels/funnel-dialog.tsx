import { useState } from 'preact/hooks';
import { changeFunnel, createFunnel, type Funnel } from '../../api/operations.generated.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useAction } from '../../parts/use-action.ts';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { draftOf, type TargetDraft, TargetFields, targetOf } from '../goals/target-fields.tsx';

const MAX_NAME_LENGTH = 100;
const MIN_STEPS = 2;
const MAX_STEPS = 8;
const NEW_STEP: TargetDraft = { kind: 'page', text: '' };

interface FunnelDialogProps {
  siteId: string;
  /** Undefined: a new one. */
  funnel?: Funnel;
  onDone: (funnel: Funnel) => void;
  onClose: () => void;
}

/** Builds a funnel step by step. Each step says how many visits reached it. */
export function FunnelDialog({ siteId, funnel, onDone, onClose }: FunnelDialogProps) {
  const texts = behaviourWords.funnels;
  const [name, setName] = useState(funnel?.name ?? '');
  const [steps, setSteps] = useState<readonly TargetDraft[]>(
    funnel?.steps.map(draftOf) ?? [NEW_STEP, NEW_STEP],
  );
  const { run, ...state } = useAction(
    () => {
      const input = { siteId, name, steps: steps.map(targetOf) };
      return funnel === undefined ? createFunnel(input) : changeFunnel({ ...input, funnelId: funnel.id });
    },
    { changes: [['funnels', siteId]], onDone: ({ data }) => onDone(data) },
  );
  return (
    <FormDialog
      title={funnel === undefined ? texts.add : words.forms.change(funnel.name)}
      submit={funnel === undefined ? words.forms.add : words.save}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <Field label={texts.name}>
        <input
          class="input"
          name="name"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      {steps.map((step, index) => (
        <fieldset key={index} class="step">
          <legend>{texts.step(index + 1)}</legend>
          <TargetFields
            siteId={siteId}
            name={`step-${index}`}
            target={step}
            onChange={(next) => setSteps(steps.with(index, next))}
          />
          {steps.length > MIN_STEPS && (
            <p class="buttons">
              <button type="button" class="button plain" onClick={() => setSteps(steps.toSpliced(index, 1))}>
                <Icon name="delete" />
                {texts.removeStep(index + 1)}
              </button>
            </p>
          )}
        </fieldset>
      ))}
      {steps.length < MAX_STEPS && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => setSteps([...steps, NEW_STEP])}>
            <Icon name="plus" />
            {texts.addStep}
          </button>
        </p>
      )}
    </FormDialog>
  );
}
