import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { LANGUAGE_NAMES } from '../../../../lib/languages.ts';
import { type Channel, changeChannel, testChannel } from '../../api/operations.generated.ts';
import { queries } from '../../api/queries.ts';
import { time, zoneHere } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useFields } from '../../state/telemetry-query.ts';
import { messageWords } from '../../words/messages.ts';
import { ChangeChannelDialog, DeleteDialog, RotateDialog } from './channel-dialogs.tsx';
import { StateMark, stateOf, stateText } from './channel-state.tsx';
import { Deliveries } from './deliveries.tsx';
import { nameOfEvent } from './event-name.ts';
import { Verify } from './verify.tsx';

/** For how long deliveries are asked for again after a message was sent off. */
const WATCH_MS = 30_000;

/** A secret that was made just now, and the channel that it is of. */
export interface MadeSecret {
  channelId: string;
  secret: string;
}

interface ChannelDetailsProps {
  projectId: string;
  channel: Channel;
  mayChange: boolean;
  made: MadeSecret | undefined;
  setMade: (made: MadeSecret | undefined) => void;
}

/** One channel: its state, what can be done with it, and what was sent to it. */
export function ChannelDetails({ projectId, channel, mayChange, made, setMade }: ChannelDetailsProps) {
  const texts = messageWords.channels;
  const { hrefWith } = useFields();
  const [watchedUntil, watchUntil] = useState(0);
  const watch = () => watchUntil(Date.now() + WATCH_MS);
  const isMade = made?.channelId === channel.id;
  return (
    <>
      <p class="spaced">
        <Link href={hrefWith({ channel: undefined })}>← {texts.all}</Link>
      </p>
      <div class="sections">
        {isMade && (
          <ShownOnce
            title={texts.secretMade(channel.name)}
            text={texts.once}
            label={texts.secret}
            secret={made.secret}
            done={texts.copied}
            onDone={() => setMade(undefined)}
          />
        )}
        <Section title={channel.name}>
          <Facts channel={channel} />
          {mayChange && <Actions {...{ projectId, channel, setMade, watch }} />}
        </Section>
        {channel.kind === 'webhook' && <Verify isOpen={isMade} />}
        <Deliveries {...{ projectId, channel, mayChange, watchedUntil, watch }} />
      </div>
    </>
  );
}

function Facts({ channel }: { channel: Channel }) {
  const texts = messageWords.channels;
  const { kind, address, url, events, language, createdAt, oldSecretUntil } = channel;
  const zone = zoneHere();
  return (
    <>
      <p>
        <StateMark channel={channel} /> <span class="soft">{stateText(channel)}</span>
      </p>
      <dl class="facts">
        <dt>{texts.kinds[kind]}</dt>
        <dd class="address">{address ?? url}</dd>
        <dt>{texts.events}</dt>
        <dd>{events.length === 0 ? texts.noEvents : events.map(nameOfEvent).join(' · ')}</dd>
        {kind !== 'webhook' && (
          <>
            <dt>{texts.language}</dt>
            <dd>{LANGUAGE_NAMES[language]}</dd>
          </>
        )}
        <dt>{texts.since}</dt>
        <dd>{time(createdAt, 'long-day', zone)}</dd>
      </dl>
      {oldSecretUntil !== null && (
        <p class="soft">{texts.oldUntil(time(oldSecretUntil, 'long-hour', zone))}</p>
      )}
    </>
  );
}

interface ActionsProps {
  projectId: string;
  channel: Channel;
  setMade: (made: MadeSecret | undefined) => void;
  /** Called when a message waits to be sent. */
  watch: () => void;
}

type Open = 'change' | 'rotate' | 'delete';

function Actions({ projectId, channel, setMade, watch }: ActionsProps) {
  const texts = messageWords.channels;
  const { go } = useFields();
  const [open, setOpen] = useState<Open | undefined>();
  const [said, say] = useState('');
  const { id: channelId, kind, pausedAt, pauseReason } = channel;
  const changes = [['channels', projectId]];
  const test = useAction(() => testChannel({ projectId, channelId }), {
    onDone: ({ data }) => {
      say(data.sent === 'test' ? texts.testSent : texts.questionSent);
      watch();
    },
  });
  const pause = useAction((paused: boolean) => changeChannel({ projectId, channelId, paused }), {
    changes,
    onDone: () => say(''),
  });
  const close = () => setOpen(undefined);
  const error = test.error ?? pause.error;
  const button = (label: string, act: () => void, isDisabled = false) => (
    <button type="button" class="button" disabled={isDisabled} onClick={act}>
      {label}
    </button>
  );
  return (
    <>
      <p class="buttons">
        {pausedAt === null &&
          button(
            stateOf(channel) === 'waiting' ? texts.askAgain : texts.test,
            () => test.run(undefined),
            test.isPending,
          )}
        {pausedAt === null && button(texts.pause, () => pause.run(true), pause.isPending)}
        {pausedAt !== null &&
          pauseReason !== 'unsubscribed' &&
          button(texts.resume, () => pause.run(false), pause.isPending)}
        {button(texts.change, () => setOpen('change'))}
        {kind === 'webhook' && button(texts.rotate, () => setOpen('rotate'))}
        <button type="button" class="button danger apart" onClick={() => setOpen('delete')}>
          {texts.delete}
        </button>
      </p>
      <p role="status" class="said">
        {said}
      </p>
      {error && <Failure error={error} />}
      {open === 'change' && <ChangeChannelDialog {...{ projectId, channel }} onClose={close} />}
      {open === 'rotate' && (
        <RotateDialog
          {...{ projectId, channel }}
          onDone={(secret) => {
            setMade({ channelId, secret });
            close();
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog
          {...{ projectId, channel }}
          onDone={() => {
            queries.removeQueries({ queryKey: ['deliveries', channelId] });
            go({ channel: undefined }, { replace: true });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
