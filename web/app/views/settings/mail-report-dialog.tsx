import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  type Channel,
  changeMailReport,
  createMailReport,
  listChannels,
  type MailReport,
  type Site,
} from '../../api/operations.generated.ts';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { LanguageSelect } from '../../parts/language-select.tsx';
import { useRefusal } from '../../parts/refusals.tsx';
import { useAction } from '../../parts/use-action.ts';
import { language as pageLanguage, words } from '../../words/index.ts';
import { messageWords } from '../../words/messages.ts';
import { useSegments } from '../site/use-segments.ts';
import { weekdayName } from './weekday-name.ts';

const EVERY = ['day', 'week', 'month'] as const;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

interface MailReportDialogProps {
  site: Site;
  /** Undefined: a new one. */
  report?: MailReport;
  onClose: () => void;
}

/** Adds a report by mail, or changes one. Its recipients are mail channels of the project. */
export function MailReportDialog({ site, report, onClose }: MailReportDialogProps) {
  const texts = messageWords.reports;
  const [every, setEvery] = useState<MailReport['every']>(report?.every ?? 'week');
  const [weekday, setWeekday] = useState(report?.weekday ?? 1);
  const [language, setLanguage] = useState<MailReport['language']>(report?.language ?? pageLanguage);
  const [segment, setSegment] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(
    report?.recipients.map(({ address }) => address) ?? [],
  );
  const [others, setOthers] = useState('');
  const recipients = [...new Set([...chosen, ...addressesIn(others)])];
  const { run, ...state } = useAction(
    () => {
      const input = { siteId: site.id, every, weekday, language, recipients };
      return report === undefined
        ? createMailReport({ ...input, ...(segment !== '' && { segment }) })
        : changeMailReport({ ...input, mailReportId: report.id });
    },
    {
      changes: [
        ['mail-reports', site.id],
        ['channels', site.projectId],
      ],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={report === undefined ? texts.add : texts.change}
      submit={report === undefined ? words.forms.add : words.save}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={recipients.length === 0}
      fields={['recipients']}
      {...state}
    >
      <RadioChoices
        label={texts.every}
        name="every"
        value={every}
        choices={EVERY.map((value) => ({
          value,
          label: texts.everyChoices[value],
          note: texts.everyNotes[value],
        }))}
        onChoose={setEvery}
      />
      {every === 'week' && (
        <Field label={texts.weekday}>
          <select
            class="input"
            name="weekday"
            value={weekday}
            onChange={({ currentTarget }) => setWeekday(Number(currentTarget.value))}
          >
            {WEEKDAYS.map((day) => (
              <option key={day} value={day}>
                {weekdayName(day)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <RecipientFields
        {...{ site, chosen, setChosen, others, setOthers }}
        isEmpty={recipients.length === 0}
      />
      <Field label={texts.language}>
        <LanguageSelect language={language} onChoose={setLanguage} />
      </Field>
      {report === undefined ? (
        <SegmentField {...{ site, segment, setSegment }} />
      ) : (
        <p class="soft small">
          {texts.segment}: {report.segment?.name ?? texts.noSegment}. {texts.segmentNote}
        </p>
      )}
    </FormDialog>
  );
}

/** One address a line. Commas part addresses too, as mail programs copy them. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== '');

interface RecipientFieldsProps {
  site: Site;
  chosen: readonly string[];
  setChosen: (chosen: readonly string[]) => void;
  others: string;
  setOthers: (others: string) => void;
  isEmpty: boolean;
}

/** The mailboxes of the project to choose from, and a field for others. */
function RecipientFields({ site, chosen, setChosen, others, setOthers, isEmpty }: RecipientFieldsProps) {
  const texts = messageWords.reports;
  const { projectId } = site;
  const { data } = useQuery({
    queryKey: ['channels', projectId],
    queryFn: ({ signal }) => listChannels({ projectId }, signal),
  });
  const { marks, rule } = useRefusal('recipients');
  const known = (data?.data ?? []).filter(isMailbox).map(({ address }) => address);
  const toggle = (address: string): void =>
    setChosen(chosen.includes(address) ? chosen.filter((one) => one !== address) : [...chosen, address]);
  return (
    <>
      {known.length > 0 && (
        <fieldset class="choices">
          <legend>{texts.recipients}</legend>
          {known.map((address) => (
            <label key={address}>
              <input
                type="checkbox"
                name="recipients"
                value={address}
                checked={chosen.includes(address)}
                onChange={() => toggle(address)}
              />
              <span class="address">{address}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Field
        label={known.length > 0 ? texts.others : texts.addresses}
        rule={rule}
        note={isEmpty ? texts.noRecipient : texts.othersNote}
      >
        <textarea
          class="input"
          name="others"
          autocapitalize="none"
          spellcheck={false}
          value={others}
          {...marks}
          onInput={({ currentTarget }) => setOthers(currentTarget.value)}
        />
      </Field>
    </>
  );
}

const isMailbox = (channel: Channel): channel is Channel & { address: string } => channel.address !== null;

interface SegmentFieldProps {
  site: Site;
  segment: string;
  setSegment: (segment: string) => void;
}

/** The segments that the project shares. Nothing without one. */
function SegmentField({ site, segment, setSegment }: SegmentFieldProps) {
  const texts = messageWords.reports;
  const { data } = useSegments(site.id);
  const shared = (data?.data ?? []).filter((one) => one.shared);
  if (shared.length === 0) return null;
  return (
    <Field label={texts.segment}>
      <select
        class="input"
        name="segment"
        value={segment}
        onChange={({ currentTarget }) => setSegment(currentTarget.value)}
      >
        <option value="">{texts.noSegment}</option>
        {shared.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
