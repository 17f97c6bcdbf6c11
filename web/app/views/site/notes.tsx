import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  createAnnotation,
  deleteAnnotation,
  listAnnotations,
  listAuditLog,
} from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { dateIn, time } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { Asked } from '../../state/site-query.ts';
import { useMayChange } from '../../state/use-may-change.ts';
import { words } from '../../words/index.ts';

const MAX_LENGTH = 500;
/** As many changes of the policy as are looked for. */
const POLICIES = 100;

/** What happened on a day of the site's zone. */
export interface Note {
  date: string;
  text: string;
  /** Of an annotation, which can be deleted. */
  id?: string;
}

interface NotesOptions {
  asked: Asked;
  zone: string;
  /** Of members; without it there are no notes, as in a share. */
  projectId: string | undefined;
}

const rangeOf = ({ siteId, period, from, to }: Asked) => ({
  siteId,
  ...(period && { period }),
  ...(from !== undefined && to !== undefined && { from, to }),
});

/** Annotations of the range, and to owners and admins the changes of the privacy policy, which the audit log has. */
export function useNotes({ asked, zone, projectId = '' }: NotesOptions) {
  const { shows } = useReader();
  const { siteId } = asked;
  const mayChange = useMayChange(shows === undefined ? projectId : undefined);
  const annotations = useQuery({
    queryKey: ['annotations', siteId, rangeOf(asked)],
    queryFn: ({ signal }) => listAnnotations(rangeOf(asked), signal),
    enabled: shows === undefined,
  });
  const policies = useQuery({
    queryKey: ['policies', projectId],
    queryFn: ({ signal }) =>
      listAuditLog({ projectId, action: 'privacy.replace', result: 'done', limit: POLICIES }, signal),
    enabled: mayChange,
  });
  const changed = (policies.data?.data ?? []).filter(({ site }) => site === siteId);
  const days = new Set(changed.map(({ at }) => dateIn(zone, Date.parse(at))));
  const notes: Note[] = [
    ...(annotations.data?.data ?? []),
    ...[...days].map((date) => ({ date, text: words.notes.policy })),
  ];
  return { notes, mayChange };
}

interface NotesMenuProps {
  siteId: string;
  /** Those of the drawn days. */
  notes: readonly Note[];
  mayChange: boolean;
  /** The day that a new note is first of. */
  day: string;
}

/** The notes of the drawn days in words, and the way to one more. The chart marks their days. */
export function NotesMenu({ siteId, notes, mayChange, day }: NotesMenuProps) {
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Note | undefined>();
  const texts = words.notes;
  if (notes.length === 0 && !mayChange) return null;
  return (
    <>
      <Menu plain bare name={texts.label} label={<Icon name="note" />}>
        {(close) => (
          <>
            {notes.length > 0 && (
              <ul class="notes" aria-label={texts.label}>
                {notes.map((note) => (
                  <li key={`${note.date} ${note.id}`}>
                    <span>
                      <time class="soft" dateTime={note.date}>
                        {time(`${note.date}T12:00:00Z`, 'day', 'UTC')}
                      </time>{' '}
                      {note.text}
                    </span>
                    {mayChange && note.id !== undefined && (
                      <button
                        type="button"
                        onClick={() => {
                          close();
                          setDeleted(note);
                        }}
                      >
                        <Icon name="delete" />
                        <span class="unseen">{words.forms.delete(note.text)}</span>
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )}
            {mayChange && (
              <button
                type="button"
                onClick={() => {
                  close();
                  setAdding(true);
                }}
              >
                {texts.add}
              </button>
            )}
          </>
        )}
      </Menu>
      {isAdding && <NoteDialog siteId={siteId} day={day} onClose={() => setAdding(false)} />}
      {deleted?.id !== undefined && (
        <ConfirmDialog
          title={words.forms.delete(texts.note)}
          submit={words.forms.deleteIt}
          act={() => deleteAnnotation({ siteId, annotationId: deleted.id ?? '' })}
          changes={[['annotations', siteId]]}
          onClose={() => setDeleted(undefined)}
        >
          <p>{deleted.text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface NoteDialogProps {
  siteId: string;
  /** The day that is chosen first. */
  day: string;
  onClose: () => void;
}

/** Adds a note to a day. */
function NoteDialog({ siteId, day, onClose }: NoteDialogProps) {
  const texts = words.notes;
  const [date, setDate] = useState(day);
  const [text, setText] = useState('');
  const { run, ...state } = useAction(() => createAnnotation({ siteId, date, text }), {
    changes: [['annotations', siteId]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.add.replace(/ …$/, '')}
      submit={words.save}
      onSubmit={() => run()}
      onClose={onClose}
      error={state.error}
      isPending={state.isPending}
      isIncomplete={text.trim() === ''}
    >
      <Field label={texts.day}>
        <input
          class="input"
          type="date"
          required
          value={date}
          onInput={({ currentTarget }) => setDate(currentTarget.value)}
        />
      </Field>
      <Field label={texts.note}>
        <textarea
          class="input"
          required
          maxLength={MAX_LENGTH}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
