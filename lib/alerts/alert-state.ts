/** The states of an alert (docs/alerts.md#states). Pure: the caller passes what holds and when. */

export const ALERT_STATES = ['ok', 'firing', 'no_data', 'muted'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** An open alarm is over when its condition hasn't held for this long, so that a value around the threshold isn't many alarms. */
export const CALM_MINUTES = 5;
const MINUTE_MS = 60_000;

export interface AlertStatus {
  state: AlertState;
  /** Since when an alarm is open: channels have heard that the alert fires, and not yet that it is over. Null: none is. */
  alarmSince: number | null;
  /** Since when the condition of an open alarm hasn't held. */
  calmSince: number | null;
}

/** What an evaluated minute says. */
export interface Observation {
  /** The end of the minute, epoch milliseconds. */
  at: number;
  /** Whether the condition holds; null: there is no data. */
  holds: boolean | null;
  muted: boolean;
}

export interface Step extends AlertStatus {
  /** Whether the state changed, or an alarm began or ended. */
  changed: boolean;
  /** What channels are to hear. */
  message: 'firing' | 'over' | null;
}

/**
 * The status after one more minute. An alarm is opened once and closed once. Without data it stays open, and while the alert is muted too:
 * channels hear nothing then, and what they should know when the time is over.
 */
export function stepAlert(status: AlertStatus, { at, holds, muted }: Observation): Step {
  const next = nextOf(status, { at, holds, muted });
  return { ...next, changed: next.state !== status.state || next.message !== null };
}

function nextOf(
  { alarmSince, calmSince }: AlertStatus,
  { at, holds, muted }: Observation,
): Omit<Step, 'changed'> {
  if (muted) return { state: 'muted', alarmSince, calmSince: null, message: null };
  if (holds === null) return { state: 'no_data', alarmSince, calmSince: null, message: null };
  if (holds)
    return {
      state: 'firing',
      alarmSince: alarmSince ?? at,
      calmSince: null,
      message: alarmSince === null ? 'firing' : null,
    };
  if (alarmSince === null) return { state: 'ok', alarmSince: null, calmSince: null, message: null };
  const calm = calmSince ?? at;
  if (at - calm >= (CALM_MINUTES - 1) * MINUTE_MS)
    return { state: 'ok', alarmSince: null, calmSince: null, message: 'over' };
  return { state: 'firing', alarmSince, calmSince: calm, message: null };
}
