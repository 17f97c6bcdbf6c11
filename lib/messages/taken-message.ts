import type { Language } from '../languages.ts';
import type { MessageEvent } from './event-types.ts';
import type { ChannelKind } from './message-schemas.ts';

/** A message that this sender has taken. */
export interface Taken {
  project_id: string;
  id: string;
  event: MessageEvent;
  payload: object;
  decided_at: Date;
  /** How often it was taken, with this time. */
  attempts: number;
  /** Null: a mail to a member. */
  channel_id: string | null;
  kind: ChannelKind;
  address: string | null;
  language: Language;
  /** Of `channel.confirm`: the confirmed address of whoever made the channel; null if it isn't confirmed. */
  asked_by: string | null;
  secret_salt: string | null;
  /** Null: the secret wasn't rotated in the last day. */
  old_secret_salt: string | null;
}
