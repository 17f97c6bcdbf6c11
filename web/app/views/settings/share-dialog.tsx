import { useState } from 'preact/hooks';
import { VALUE_LISTS } from '../../../../lib/visits/dimensions.ts';
import { type CreatedShare, createShare, type Share, type Site } from '../../api/operations.generated.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

type Part = Share['reports'][number];

const MAX_NAME_LENGTH = 100;
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

const EMBEDDINGS = ['nobody', 'anyone', 'some'] as const;
type Embedding = (typeof EMBEDDINGS)[number];

/** The parts that a share can have, in the order of the choices. Lists of a dimension have its words. */
const partNames = (): [Part, string][] =>
  Object.entries({
    ...settingsWords.shares.reports,
    ...Object.fromEntries(VALUE_LISTS.map(({ path, dimension }) => [path, words.dimensions[dimension].list])),
  }) as [Part, string][];

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

/** Makes a share, and then shows its link, once. */
export function ShareDialog({ site, onClose }: { site: Site; onClose: () => void }) {
  const [made, setMade] = useState<CreatedShare | undefined>();
  return made === undefined ? (
    <ShareForm site={site} onDone={setMade} onClose={onClose} />
  ) : (
    <MadeShare share={made} onClose={onClose} />
  );
}

interface ShareFormProps {
  site: Site;
  onDone: (share: CreatedShare) => void;
  onClose: () => void;
}

function ShareForm({ site, onDone, onClose }: ShareFormProps) {
  const texts = settingsWords.shares;
  const names = partNames();
  const all = names.map(([part]) => part);
  const [name, setName] = useState('');
  const [reports, setReports] = useState<readonly Part[]>(all);
  const [password, setPassword] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [embedding, setEmbedding] = useState<Embedding>('nobody');
  const [origins, setOrigins] = useState('');
  const { run, ...state } = useAction(
    () =>
      createShare({
        siteId: site.id,
        name,
        reports: [...reports],
        embedOrigins: { nobody: [], anyone: ['*'], some: linesOf(origins) }[embedding],
        ...(password !== '' && { password }),
        ...(lastDay !== '' && { expiresAt: new Date(`${lastDay}T23:59:59.999`).toISOString() }),
      }),
    { changes: [['shares', site.id]], onDone: ({ data }) => onDone(data) },
  );
  const toggle = (part: Part): void =>
    setReports(reports.includes(part) ? reports.filter((one) => one !== part) : [...reports, part]);
  return (
    <FormDialog
      title={texts.add}
      submit={texts.add}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={reports.length === 0}
      {...state}
    >
      <TextField
        label={texts.name}
        note={texts.nameNote}
        name="name"
        required
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onText={setName}
      />
      <fieldset class="choices">
        <legend>{texts.parts}</legend>
        <p class="buttons">
          <button type="button" class="link" onClick={() => setReports(all)}>
            {texts.all}
          </button>
          <button type="button" class="link" onClick={() => setReports([])}>
            {texts.nothing}
          </button>
        </p>
        <div class="checks">
          {names.map(([part, partName]) => (
            <label key={part}>
              <input
                type="checkbox"
                name="reports"
                value={part}
                checked={reports.includes(part)}
                onChange={() => toggle(part)}
              />
              {partName}
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        label={texts.password}
        note={texts.passwordNote}
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={MAX_PASSWORD_LENGTH}
        value={password}
        onText={setPassword}
      />
      <RadioChoices
        label={texts.embedding}
        name="embedding"
        value={embedding}
        choices={EMBEDDINGS.map((value) => ({ value, label: texts.embeddings[value] }))}
        onChoose={setEmbedding}
      />
      {embedding === 'some' && (
        <Field label={texts.origins} note={texts.originsNote}>
          <textarea
            class="input"
            name="origins"
            required
            value={origins}
            onInput={({ currentTarget }) => setOrigins(currentTarget.value)}
          />
        </Field>
      )}
      <TextField
        label={texts.end}
        note={texts.endNote}
        name="lastDay"
        type="date"
        value={lastDay}
        onText={setLastDay}
      />
    </FormDialog>
  );
}

function MadeShare({ share, onClose }: { share: CreatedShare; onClose: () => void }) {
  const texts = settingsWords.shares;
  const link = share.pageUrl;
  return (
    <Dialog title={texts.created(share.name)} onClose={onClose}>
      <div class="body form">
        <p>{texts.createdText}</p>
        <h3>{texts.link}</h3>
        <CopyText text={link} label={texts.link} />
        {share.embedOrigins.length > 0 && (
          <>
            <h3>{texts.embed}</h3>
            <CopyText
              text={`<iframe src="${link}" title="${quoted(share.name)}" width="100%" height="900" style="border:0" loading="lazy"></iframe>`}
              label={texts.embed}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** A text within quotes of HTML that the owner copies. */
const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
