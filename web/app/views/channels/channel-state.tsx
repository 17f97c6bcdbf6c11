import type { Channel } from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { messageWords } from '../../words/messages.ts';

export type ChannelState = keyof typeof messageWords.channels.states;

export function stateOf({ kind, confirmedAt, pausedAt, failingSince }: Channel): ChannelState {
  if (pausedAt !== null) return 'paused';
  if (kind === 'mail' && confirmedAt === null) return 'waiting';
  return failingSince === null ? 'active' : 'failing';
}

export function StateMark({ channel }: { channel: Channel }) {
  const state = stateOf(channel);
  return <span class={`badge channel-state ${state}`}>{messageWords.channels.states[state]}</span>;
}

/** Why a channel is in its state, and what happens next; empty for an active one. */
export function stateText(channel: Channel): string {
  const texts = messageWords.channels;
  const at = (instant: string | null): string => time(instant ?? 0, 'long-hour', zoneHere());
  switch (stateOf(channel)) {
    case 'active':
      return '';
    case 'waiting':
      return texts.waitingText;
    case 'failing':
      return texts.failingText(at(channel.failingSince));
    case 'paused':
      return texts.pausedTexts[channel.pauseReason ?? 'person'](at(channel.pausedAt));
  }
}
