import { exact } from '../../format.ts';
import { alertWords } from '../../words/alerts.ts';
import type { Alert, AlertSource } from './alert-source.ts';
import { when } from './alert-text.ts';
import { useChannels } from './use-alerts.ts';

/** Who hears of it. */
export function Heard({ source, alert: { channels } }: { source: AlertSource; alert: Alert }) {
  const texts = alertWords.list;
  const known = useChannels(source);
  if (known?.length === 0) return <>{alertWords.form.noChannels}</>;
  if (channels.length === 0) return <>{`${texts.channels}: ${texts.everyChannel}`}</>;
  const names = channels.flatMap((id) => known?.find((channel) => channel.id === id)?.name ?? []);
  return (
    <>
      {names.length > 0
        ? `${texts.channels}: ${names.join(', ')}`
        : texts.channelCount(channels.length, exact(channels.length))}
    </>
  );
}

interface SinceProps {
  alert: Alert;
  state: Alert['state'];
  zone: string;
}

/** Since when it is as it is. */
export function Since({ alert, state, zone }: SinceProps) {
  const texts = alertWords.list;
  if (state === 'muted') return <>{texts.mutedUntil(when(alert.mutedUntil ?? alert.since, zone))}</>;
  if (alert.evaluatedTo === null) return <>{texts.notEvaluated}</>;
  return <>{texts.since(when(alert.since, zone))}</>;
}
