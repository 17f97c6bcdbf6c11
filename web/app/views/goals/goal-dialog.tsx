import { useState } from 'preact/hooks';
import { changeGoal, createGoal, type GoalItem } from '../../api/operations.generated.ts';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { goalWords } from '../../words/goals.ts';
import { words } from '../../words/index.ts';
import { draftOf, TargetFields, targetOf } from './target-fields.tsx';

const MAX_NAME_LENGTH = 100;

interface GoalDialogProps {
  siteId: string;
  /** Undefined: a new one. */
  goal?: Pick<GoalItem, 'id' | 'name' | 'event' | 'page'>;
  onClose: () => void;
}

/** Adds a goal or changes one. */
export function GoalDialog({ siteId, goal, onClose }: GoalDialogProps) {
  const [name, setName] = useState(goal?.name ?? '');
  const [target, setTarget] = useState(draftOf(goal ?? {}));
  const { run, ...state } = useAction(
    () => {
      const input = { siteId, name, ...targetOf(target) };
      return goal === undefined ? createGoal(input) : changeGoal({ ...input, goalId: goal.id });
    },
    { changes: [['goals', siteId]], onDone: onClose },
  );
  return (
    <FormDialog
      title={goal === undefined ? goalWords.goals.add : words.forms.change(goal.name)}
      submit={goal === undefined ? words.forms.add : words.save}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <Field label={goalWords.goals.name}>
        <input
          class="input"
          name="name"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <TargetFields siteId={siteId} name="target" target={target} onChange={setTarget} />
    </FormDialog>
  );
}
