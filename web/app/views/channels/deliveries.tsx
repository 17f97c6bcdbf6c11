import { useState } from 'preact/hooks';
import {
  type Channel,
  type Delivery,
  listDeliveries,
  resendDelivery,
} from '../../api/operations.generated.ts';
import { milliseconds, time, zoneHere } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { messageWords } from '../../words/messages.ts';
import { nameOfEvent } from './event-name.ts';

/** While a message is on its way, its delivery is asked for again. */
const AGAIN_MS = 1500;
/** What is tried again sooner than this is waited for. */
const SOON_MS = 30_000;

interface DeliveriesProps {
  projectId: string;
  channel: Channel;
  mayChange: boolean;
  watchedUntil: number;
  watch: () => void;
}

/** Each attempt to send something to a channel, newest first. */
export function Deliveries({ projectId, channel, mayChange, watchedUntil, watch }: DeliveriesProps) {
  const texts = messageWords.deliveries;
  const { id: channelId, pausedAt } = channel;
  const [said, say] = useState('');
  const pages = usePages(
    ['deliveries', channelId],
    (part, signal) => listDeliveries({ projectId, channelId, ...part }, signal),
    (rows) => Date.now() < watchedUntil + (rows.some(isSoon) ? SOON_MS : 0) && AGAIN_MS,
  );
  const resend = useAction(
    (delivery: Delivery) => resendDelivery({ projectId, channelId, deliveryId: delivery.id }),
    {
      changes: [['deliveries', channelId]],
      onDone: () => {
        say(texts.resent);
        watch();
      },
    },
  );
  const { rows, error, refetch } = pages;
  const newest = newestOfMessages(rows ?? []);
  return (
    <Section title={texts.title} text={texts.text}>
      {error && <Failure error={error} retry={refetch} />}
      {resend.error && <Failure error={resend.error} />}
      <p role="status" class="said">
        {said}
      </p>
      {rows?.length === 0 && (
        <div>
          <strong>{texts.none}</strong>
          {mayChange && pausedAt === null && <p class="soft">{texts.noneText}</p>}
        </div>
      )}
      {rows && rows.length > 0 && (
        <ul class="deliveries" aria-label={texts.title}>
          {rows.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isNewest={newest.has(delivery.id)}
              resend={
                mayChange && pausedAt === null && newest.has(delivery.id)
                  ? () => resend.run(delivery)
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      <More of={pages} />
    </Section>
  );
}

const isSoon = ({ nextAt }: Delivery): boolean =>
  nextAt !== null && Date.parse(nextAt) < Date.now() + SOON_MS;

/** The ids of the last attempt of each message: how the message is now is said of it alone. */
function newestOfMessages(rows: readonly Delivery[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const { id, messageId } of rows) if (!newest.has(messageId)) newest.set(messageId, id);
  return new Set(newest.values());
}

interface DeliveryRowProps {
  delivery: Delivery;
  isNewest: boolean;
  /** Undefined: the person may not. */
  resend: (() => void) | undefined;
}

function DeliveryRow({ delivery, isNewest, resend }: DeliveryRowProps) {
  const texts = messageWords.deliveries;
  const { event, at, attempt, status, durationMs, answer, fault } = delivery;
  const when = time(at, 'long-second', zoneHere());
  const isAccepted = status !== null && status >= 200 && status < 300;
  const next = isNewest ? nextOf(delivery) : '';
  return (
    <li>
      <div class="what">
        <strong>{nameOfEvent(event)}</strong>
        <p class="soft small">
          {when}
          {attempt > 1 && ` · ${texts.attempt(attempt)}`}
        </p>
      </div>
      <div class="result">
        <span class={isAccepted ? 'badge good' : 'badge failed'}>{status ?? texts.noAnswer}</span>
        <span class="soft small">{milliseconds(durationMs)}</span>
        {next !== '' && <span class="small">{next}</span>}
      </div>
      {resend && (
        <button type="button" class="button" onClick={resend}>
          {texts.resend}
          <span class="unseen">
            {' '}
            {nameOfEvent(event)}, {when}
          </span>
        </button>
      )}
      {fault !== null && (
        <p class="soft small answer" lang="en">
          {fault}
        </p>
      )}
      {answer.trim() !== '' && <Answer text={answer} />}
    </li>
  );
}

/** The first part of what the receiver answered. A long one is opened. */
function Answer({ text }: { text: string }) {
  const [line = ''] = text.trim().split('\n');
  const isShort = line.length <= 100 && text.trim() === line;
  return isShort ? (
    <p class="answer small">
      <code>{line}</code>
    </p>
  ) : (
    <details class="answer small">
      <summary>{messageWords.deliveries.answer}</summary>
      <pre class="body-text">{text}</pre>
    </details>
  );
}

/** What comes of a message whose last attempt this is; empty if it was accepted. */
function nextOf({ state, nextAt }: Delivery): string {
  const texts = messageWords.deliveries;
  if (state === 'failed') return texts.failed;
  if (state === 'dropped') return texts.dropped;
  if (nextAt === null) return '';
  return Date.parse(nextAt) <= Date.now()
    ? texts.sending
    : texts.again(time(nextAt, 'long-hour', zoneHere()));
}
