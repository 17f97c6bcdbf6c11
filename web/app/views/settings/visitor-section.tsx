import { useState } from 'preact/hooks';
import {
  deleteVisitor,
  exportVisitor,
  type Site,
  type VisitorExport,
} from '../../api/operations.generated.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

const ID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** Everything known of one visitor, for the visitor to have or to have deleted. */
export function VisitorSection({ site }: { site: Site }) {
  const texts = settingsWords.visitors;
  const [visitorId, setVisitorId] = useState('');
  const [message, setMessage] = useState('');
  const [isDeleting, setDeleting] = useState(false);
  const { run, error, isPending } = useAction(() => exportVisitor({ siteId: site.id, visitorId }), {
    onDone: ({ data }: { data: VisitorExport }) => {
      const { visits, events, unstored } = data;
      const isKnown = visits.length + events.length + unstored.length > 0;
      setMessage(isKnown ? texts.exported(visits.length, events.length) : texts.unknown);
      if (isKnown) saveFile(`visitor-${visitorId}.json`, JSON.stringify(data, null, 2));
    },
  });
  return (
    <Section title={texts.title} text={texts.text}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (event.submitter?.getAttribute('value') === 'delete') setDeleting(true);
          else run();
        }}
      >
        <Field label={texts.id}>
          <input
            class="input"
            name="visitorId"
            required
            pattern={ID}
            autocomplete="off"
            spellcheck={false}
            placeholder="00000000-0000-4000-8000-000000000000"
            value={visitorId}
            onInput={({ currentTarget }) => {
              setVisitorId(currentTarget.value.trim());
              setMessage('');
            }}
          />
        </Field>
        {error && <Failure error={error} />}
        <p class="buttons">
          <button type="submit" class="button" disabled={isPending}>
            {texts.export}
          </button>
          <button type="submit" class="button danger" value="delete">
            {texts.delete}
          </button>
          <span role="status">{message}</span>
        </p>
      </form>
      {isDeleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          submit={words.forms.deleteIt}
          act={() => deleteVisitor({ siteId: site.id, visitorId })}
          changes={[]}
          onDone={() => {
            setDeleting(false);
            setMessage(texts.deleted);
          }}
          onClose={() => setDeleting(false)}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
