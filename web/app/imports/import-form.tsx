import { useState } from 'preact/hooks';
import type { ReadExport } from '../../../lib/imports/readers/read-export.ts';
import type { ImportSource } from '../../../lib/visits/imported-data.ts';
import type { ImportRoom } from '../api/operations.generated.ts';
import { exact, time } from '../format.ts';
import { Failure } from '../parts/failure.tsx';
import { Field } from '../parts/field.tsx';
import { importsWords } from '../words/imports.ts';
import { words } from '../words/index.ts';
import type { ImportProblems } from './read-files.ts';
import { TOOLS } from './tools.ts';
import { type ImportStage, useImport } from './use-import.ts';

interface ImportFormProps {
  siteId: string;
  room: ImportRoom;
  onClose: () => void;
}

/** Imports files of another tool: they are read in this page, and only sums are sent. */
export default function ImportForm({ siteId, room, onClose }: ImportFormProps) {
  const texts = importsWords;
  const { stage, read, send, reset } = useImport(siteId, room);
  const [options, setOptions] = useState<Options>({ source: 'plausible', fromDay: '', toDay: '' });
  const isBusy = stage.kind === 'reading' || stage.kind === 'sending';
  return (
    <div class="form">
      {(stage.kind === 'choosing' || stage.kind === 'faulty' || stage.kind === 'failed') && (
        <FilesForm
          options={options}
          before={room.before}
          onChange={(changed) => setOptions({ ...options, ...changed })}
          onChoose={(files) => {
            const { source, fromDay, toDay } = options;
            read({ source, files, ...(fromDay !== '' && { fromDay }), ...(toDay !== '' && { toDay }) });
          }}
          onClose={onClose}
        />
      )}
      {isBusy && (
        <>
          <label class="field">
            <span>{texts[stage.kind]}</span>
            <progress value={stage.share} />
          </label>
          <p class="soft small">{texts.stay}</p>
        </>
      )}
      {stage.kind === 'read' && <Summary read={stage.read} before={room.before} />}
      {stage.kind === 'faulty' && <Faults faults={stage.faults} />}
      {stage.kind === 'failed' && <Failure error={stage.error} />}
      <Buttons stage={stage} onSend={send} onReset={reset} onClose={onClose} />
    </div>
  );
}

/** What stays chosen when files with faults are chosen again. */
interface Options {
  source: ImportSource;
  /** Dates; empty: none. */
  fromDay: string;
  toDay: string;
}

interface FilesFormProps {
  options: Options;
  before: string;
  onChange: (changed: Partial<Options>) => void;
  onChoose: (files: readonly File[]) => void;
  onClose: () => void;
}

function FilesForm({ options, before, onChange, onChoose, onClose }: FilesFormProps) {
  const texts = importsWords;
  const { source, fromDay, toDay } = options;
  const [files, setFiles] = useState<readonly File[]>([]);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(files);
      }}
    >
      <Field label={texts.tool}>
        <select
          class="input"
          name="source"
          value={source}
          onChange={({ currentTarget }) => onChange({ source: currentTarget.value as ImportSource })}
        >
          {Object.entries(TOOLS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label={texts.files} note={texts.filesNotes[source]}>
        <input
          class="input"
          name="files"
          type="file"
          accept=".csv,.zip"
          multiple
          required
          onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
        />
      </Field>
      <div class="import-days">
        <Field label={texts.fromDay}>
          <DayInput
            name="fromDay"
            value={fromDay}
            max={toDay || before}
            onDay={(day) => onChange({ fromDay: day })}
          />
        </Field>
        <Field label={texts.toDay}>
          <DayInput
            name="toDay"
            value={toDay}
            min={fromDay}
            max={before}
            onDay={(day) => onChange({ toDay: day })}
          />
        </Field>
      </div>
      <p class="buttons">
        <button type="submit" class="button main" disabled={files.length === 0}>
          {texts.check}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {words.cancel}
        </button>
      </p>
    </form>
  );
}

interface DayInputProps {
  name: string;
  value: string;
  min?: string;
  max: string;
  onDay: (day: string) => void;
}

const DayInput = ({ onDay, ...props }: DayInputProps) => (
  <input class="input" type="date" {...props} onInput={({ currentTarget }) => onDay(currentTarget.value)} />
);

/** A date, which is a day of no zone. */
const dayOf = (date = ''): string => time(`${date}T12:00:00Z`, 'long-day', 'UTC');

const daysOf = (days: readonly string[]): string =>
  days.length === 1
    ? dayOf(days[0])
    : importsWords.days(exact(days.length), dayOf(days[0]), dayOf(days.at(-1)));

/** What the import will bring, before it is sent. */
function Summary({ read: { data, passedDays, notes }, before }: { read: ReadExport; before: string }) {
  const texts = importsWords;
  const sum = (figure: 'visitors' | 'visits' | 'hits') =>
    exact(data.days.reduce((total, day) => total + day[figure], 0));
  return (
    <>
      <p role="status">{texts.ready}</p>
      <dl class="facts">
        <dt>{texts.period}</dt>
        <dd>{daysOf(data.days.map(({ day }) => day))}</dd>
        <dt>{texts.visits}</dt>
        <dd>{sum('visits')}</dd>
        <dt>{texts.pageViews}</dt>
        <dd>{sum('hits')}</dd>
        <dt>{texts.visitors}</dt>
        <dd>{sum('visitors')}</dd>
        <dt>{texts.rows}</dt>
        <dd>{exact(data.rows)}</dd>
        {passedDays.length > 0 && (
          <>
            <dt>{texts.passed}</dt>
            <dd>
              {daysOf(passedDays)}. {texts.passedNote(dayOf(before))}
            </dd>
          </>
        )}
        <dt>{texts.leftOut}</dt>
        <dd>
          <ul>
            {notes.map((note) => (
              <li key={note}>{texts.tell(note)}</li>
            ))}
          </ul>
        </dd>
      </dl>
    </>
  );
}

/** The faults by file and line; nothing was sent. */
function Faults({ faults: { problems, isAll } }: { faults: ImportProblems }) {
  const texts = importsWords;
  return (
    <div class="failure" role="alert">
      <p>{texts.faulty}</p>
      <ul>
        {problems.map(({ message, location: { file, line, column }, rule }) => (
          <li key={message}>
            <strong>{texts.location(texts.tell(file), line, column)}</strong>: {texts.tell(rule)}
          </li>
        ))}
      </ul>
      {!isAll && <p class="soft">{texts.more}</p>}
    </div>
  );
}

interface ButtonsProps {
  stage: ImportStage;
  onSend: (read: ReadExport) => void;
  onReset: () => void;
  onClose: () => void;
}

function Buttons({ stage, onSend, onReset, onClose }: ButtonsProps) {
  if (stage.kind === 'done')
    return (
      <p class="buttons">
        <span role="status">{importsWords.done(exact(stage.imported.rows))}</span>
        <button type="button" class="button" onClick={onClose}>
          {words.close}
        </button>
      </p>
    );
  if (stage.kind !== 'read' && stage.kind !== 'reading' && stage.kind !== 'sending') return null;
  return (
    <p class="buttons">
      {stage.kind === 'read' && (
        <button type="button" class="button main" onClick={() => onSend(stage.read)}>
          {importsWords.send}
        </button>
      )}
      <button type="button" class="button" onClick={onReset}>
        {words.cancel}
      </button>
    </p>
  );
}
