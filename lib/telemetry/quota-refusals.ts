import type { PartialSuccess } from '../otlp/rows.ts';
import { withSentence } from './partial-success.ts';

/** A quota of telemetry (docs/telemetry.md#quotas). */
export type QuotaName = 'bytesPerDay' | 'series' | 'services' | 'attributeKeys';

/** What the database answers for a request that a quota has no room for (schema/functions/telemetry-quotas.sql). */
export interface BeyondQuota {
  quota: QuotaName;
  limit: number;
  /** Which of the request's resources (`services`), keys (`attributeKeys`) or points (`series`) have no room. */
  places?: number[];
}

/** What a quota did to a request: refused items, or attributes that were left out of accepted ones. */
type Effect = 'refused' | 'leftOut';

const SENTENCES: Record<QuotaName, (count: number, limit: number) => string> = {
  bytesPerDay: (count, limit) =>
    `Refused ${count}: the project has used its quota of ${limit} bytes a day, which begins anew at 00:00 UTC.`,
  series: (count, limit) => `Refused ${count} of new series: the project has its quota of ${limit} series.`,
  services: (count, limit) =>
    `Refused ${count} of new services: the project has its quota of ${limit} services.`,
  attributeKeys: (count, limit) =>
    `Refused ${count} with new attribute keys: the project has its quota of ${limit} attribute keys.`,
};
const leftOut = (count: number, limit: number): string =>
  `Left out ${count} attributes with new keys: the project has its quota of ${limit} attribute keys.`;

/** Counts what quotas did to a request. */
export class QuotaRefusals {
  readonly #counts = new Map<string, { quota: QuotaName; effect: Effect; count: number; limit: number }>();

  add({ quota, limit }: BeyondQuota, count: number, effect: Effect = 'refused'): void {
    const key = `${quota} ${effect}`;
    const known = this.#counts.get(key);
    this.#counts.set(key, { quota, effect, limit, count: count + (known?.count ?? 0) });
  }

  addTo(partial: PartialSuccess | undefined): PartialSuccess | undefined {
    let answer = partial;
    for (const { quota, effect, count, limit } of this.#counts.values()) {
      if (count === 0) continue;
      answer =
        effect === 'refused'
          ? withSentence(answer, SENTENCES[quota](count, limit), { count, reason: quota })
          : withSentence(answer, leftOut(count, limit));
    }
    return answer;
  }
}
