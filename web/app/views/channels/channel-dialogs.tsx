import { useState } from 'preact/hooks';
import {
  type Channel,
  changeChannel,
  createChannel,
  deleteChannel,
  rotateSecret,
} from '../../api/operations.generated.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { LanguageSelect } from '../../parts/language-select.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { language as pageLanguage, words } from '../../words/index.ts';
import { messageWords } from '../../words/messages.ts';

type Kind = Channel['kind'];
type Event = Channel['events'][number];

const KINDS: readonly Kind[] = ['mail', 'webhook', 'slack'];
const EVENTS: readonly Event[] = [
  'alert.firing',
  'alert.over',
  'report.ready',
  'import.finished',
  'site.first_visit',
  'outcome.confirmed',
  'channel.paused',
];
const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
const MAX_URL_LENGTH = 1000;

export type CreatedChannel = Awaited<ReturnType<typeof createChannel>>['data'];

interface AddChannelProps {
  projectId: string;
  /** What it hears of unless the person chooses otherwise. Default: nothing. */
  events?: readonly Event[];
  onDone: (made: CreatedChannel) => void;
  onClose: () => void;
}

export function AddChannel({ projectId, events: first = [], onDone, onClose }: AddChannelProps) {
  const texts = messageWords.channels;
  const [kind, setKind] = useState<Kind>('mail');
  const [where, setWhere] = useState('');
  const [own, setOwn] = useState<OwnFields>({ name: '', events: first, language: pageLanguage });
  const { run, error, isPending, reset } = useAction(
    () => {
      const { name, events, language } = own;
      return createChannel({
        ...{ projectId, kind, language, events: [...events] },
        ...(kind === 'mail' ? { address: where } : { url: where.trim() }),
        ...(name.trim() !== '' && { name }),
      });
    },
    { changes: [['channels', projectId]], onDone: ({ data }) => onDone(data) },
  );
  return (
    <FormDialog
      title={texts.add}
      submit={words.forms.add}
      onSubmit={() => run()}
      onClose={onClose}
      fields={['address', 'url', 'name']}
      {...{ error, isPending }}
    >
      <RadioChoices
        label={texts.kind}
        name="kind"
        value={kind}
        choices={KINDS.map((value) => ({ value, label: texts.kinds[value], note: texts.kindNotes[value] }))}
        onChoose={(chosen) => {
          if ((chosen === 'mail') !== (kind === 'mail')) setWhere('');
          setKind(chosen);
          reset();
        }}
      />
      {kind === 'mail' ? (
        <TextField
          label={texts.address}
          name="address"
          type="email"
          required
          autocomplete="off"
          maxLength={MAX_EMAIL_LENGTH}
          value={where}
          onText={setWhere}
        />
      ) : (
        <TextField
          label={texts.url}
          note={texts.urlNote}
          name="url"
          type="url"
          required
          autocomplete="off"
          maxLength={MAX_URL_LENGTH}
          placeholder="https://"
          value={where}
          onText={setWhere}
        />
      )}
      <ChannelFields fields={own} isNew change={setOwn} />
    </FormDialog>
  );
}

interface OwnFields {
  name: string;
  events: readonly Event[];
  language: Channel['language'];
}

interface OneChannelProps {
  projectId: string;
  channel: Channel;
  onClose: () => void;
}

export function ChangeChannelDialog({ projectId, channel, onClose }: OneChannelProps) {
  const { id: channelId, name, events, language } = channel;
  const [own, setOwn] = useState<OwnFields>({ name, events, language });
  const { run, ...state } = useAction(
    () => changeChannel({ projectId, channelId, ...own, events: [...own.events] }),
    { changes: [['channels', projectId]], onDone: onClose },
  );
  return (
    <FormDialog
      title={words.forms.change(name)}
      submit={words.save}
      onSubmit={() => run()}
      onClose={onClose}
      fields={['name']}
      {...state}
    >
      <ChannelFields fields={own} change={setOwn} />
    </FormDialog>
  );
}

interface ChannelFieldsProps {
  fields: OwnFields;
  /** Of a new channel the name may be left out. */
  isNew?: boolean;
  change: (fields: OwnFields) => void;
}

/** What can be changed of a channel: what it is called, what it gets, and in which language. */
function ChannelFields({ fields, isNew = false, change }: ChannelFieldsProps) {
  const texts = messageWords.channels;
  const { name, events, language } = fields;
  const toggle = (event: Event): void =>
    change({
      ...fields,
      events: events.includes(event) ? events.filter((one) => one !== event) : [...events, event],
    });
  return (
    <>
      <TextField
        label={texts.name}
        {...(isNew && { note: texts.nameNote })}
        name="name"
        required={!isNew}
        maxLength={MAX_NAME_LENGTH}
        autocomplete="off"
        value={name}
        onText={(text) => change({ ...fields, name: text })}
      />
      <fieldset class="choices">
        <legend>{texts.events}</legend>
        {EVENTS.map((event) => (
          <label key={event}>
            <input
              type="checkbox"
              name="events"
              value={event}
              checked={events.includes(event)}
              onChange={() => toggle(event)}
            />
            {texts.eventNames[event]}
          </label>
        ))}
        <small class="soft">{texts.eventsNote}</small>
      </fieldset>
      <Field label={texts.language}>
        <LanguageSelect language={language} onChoose={(chosen) => change({ ...fields, language: chosen })} />
      </Field>
    </>
  );
}

interface RotateProps extends OneChannelProps {
  onDone: (secret: string) => void;
}

/** The new secret is shown after it. Nothing is lost: the old one signs for a day too. */
export function RotateDialog({ projectId, channel, onDone, onClose }: RotateProps) {
  const texts = messageWords.channels;
  const { run, ...state } = useAction(() => rotateSecret({ projectId, channelId: channel.id }), {
    changes: [['channels', projectId]],
    onDone: ({ data }) => onDone(data.secret),
  });
  return (
    <FormDialog
      title={texts.rotateTitle(channel.name)}
      submit={texts.rotate}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <p>{texts.rotateText}</p>
    </FormDialog>
  );
}

export const DeleteDialog = ({
  projectId,
  channel,
  onClose,
  onDone,
}: OneChannelProps & { onDone: () => void }) => (
  <ConfirmDialog
    title={words.forms.delete(channel.name)}
    submit={words.forms.deleteIt}
    act={() => deleteChannel({ projectId, channelId: channel.id })}
    changes={[['channels', projectId]]}
    onDone={onDone}
    onClose={onClose}
  >
    <p>{messageWords.channels.deleteText}</p>
  </ConfirmDialog>
);
