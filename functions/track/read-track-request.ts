import * as v from 'valibot';
import { type Repaired, repairEvents } from '../../lib/collection/repair-events.ts';
import { TrackFrame, TrackRequest } from '../../lib/collection/track-request.ts';
import { check } from '../../lib/http/issues.ts';
import { refuseHostile } from '../../lib/http/json.ts';

interface Reading extends Pick<Repaired, 'invalid' | 'warnings'> {
  request: TrackRequest;
}

/**
 * The request that a body is. One whose events all keep the rules is read at once; otherwise each event is judged alone. Throws
 * `VALIDATION_ERROR` if anything but an event breaks a rule.
 */
export function readTrackRequest(body: Record<string, unknown>): Reading {
  const request = isHarmless(body) ? v.safeParse(TrackRequest, body, { abortEarly: true }) : undefined;
  if (request?.success) return { request: request.output, invalid: [], warnings: [] };
  const { events: _, ...rest } = body;
  refuseHostile(rest);
  const { events: given, ...frame } = check(TrackFrame, body);
  const { events, invalid, warnings } = repairEvents(given, () => crypto.randomUUID());
  return { request: { ...frame, events }, invalid, warnings };
}

function isHarmless(body: Record<string, unknown>): boolean {
  try {
    refuseHostile(body);
    return true;
  } catch {
    return false;
  }
}
