/** Schemas of alerts (docs/alerts.md). */
import * as v from 'valibot';
import { described, Id, Instant, Name, oneTo } from '../fields.ts';
import { Cursor, Limit } from '../paging.ts';
import { OneEnvironment } from '../projects/schemas.ts';
import { OneSite } from '../sites/schemas.ts';
import { NO_DATA_REASONS } from './alert-condition.ts';
import { COMPARES, ENVIRONMENT_METRICS, SITE_METRICS } from './alert-fields.ts';
import { ALERT_STATES } from './alert-state.ts';
import { environmentSubject, siteSubject } from './alert-subject.ts';

/** Maximum alerts of a site, and of an environment. */
export const MAX_ALERTS = 50;
export const MAX_FOR_MINUTES = 1440;
const MAX_CHANNELS = 10;

const MutedUntil = v.nullable(
  described(Instant, 'Until then the alert sends nothing: it is `muted`. Null: it isn’t muted.'),
);
const Threshold = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(0),
  v.maxValue(1e15),
  v.description(
    'In the unit of the metric: `conversion_rate` and `error_rate` percent, percentiles milliseconds, `revenue` the currency. Of ' +
      '`rose_by` and `fell_by` percent. Of `silent` nothing: leave it out.',
  ),
);
const Compare = v.pipe(
  v.picklist(COMPARES),
  v.description(
    '`rose_by` and `fell_by` compare with the same hours of the last four weeks. `silent`: nothing came.',
  ),
);
const ForMinutes = described(
  oneTo(MAX_FOR_MINUTES),
  'How long a time is looked at. Counts are added up over it, rates and percentiles are of the whole of it, and `visitors_now` has to be ' +
    'beyond the threshold in each of its minutes.',
);
const Channels = v.pipe(
  v.array(Id),
  v.maxLength(MAX_CHANNELS),
  v.transform((ids) => [...new Set(ids)]),
  v.description('Ids of channels of the project. Empty: the channels that want every alert.'),
);

const rule = {
  compare: Compare,
  threshold: v.optional(Threshold, 0),
  forMinutes: v.optional(ForMinutes, 5),
};
const said = { name: Name, channels: v.optional(Channels, []), mutedUntil: v.optional(MutedUntil, null) };
const SiteMetricName = v.picklist(SITE_METRICS);
const EnvironmentMetricName = v.picklist(ENVIRONMENT_METRICS);
const segment = {
  segment: v.optional(
    described(Id, 'A segment of the site, whose filters are copied into the alert. Goes without `filters`.'),
  ),
};

const siteRule = { metric: SiteMetricName, ...siteSubject, ...segment, ...rule };
const environmentRule = { metric: EnvironmentMetricName, ...environmentSubject, ...rule };

export const CreateSiteAlert = v.strictObject({ ...OneSite.entries, ...said, ...siteRule });
export type CreateSiteAlert = v.InferOutput<typeof CreateSiteAlert>;
export const CreateEnvironmentAlert = v.strictObject({
  ...OneEnvironment.entries,
  ...said,
  ...environmentRule,
});
export type CreateEnvironmentAlert = v.InferOutput<typeof CreateEnvironmentAlert>;

export const PreviewSiteAlert = v.strictObject({ ...OneSite.entries, ...siteRule });
export type PreviewSiteAlert = v.InferOutput<typeof PreviewSiteAlert>;
export const PreviewEnvironmentAlert = v.strictObject({ ...OneEnvironment.entries, ...environmentRule });
export type PreviewEnvironmentAlert = v.InferOutput<typeof PreviewEnvironmentAlert>;

const changed = {
  name: v.optional(Name),
  channels: v.optional(Channels),
  mutedUntil: v.optional(MutedUntil),
  compare: v.optional(Compare),
  threshold: v.optional(Threshold),
  forMinutes: v.optional(ForMinutes),
};
const says = <Fields extends v.ObjectEntries>(fields: Fields) =>
  v.pipe(
    v.strictObject(fields),
    v.description('At least one field. A field of the subject that is null is taken away.'),
    v.check(
      (input) =>
        Object.keys(input).some((field) => !/^(?:siteId|projectId|environmentId|alertId)$/.test(field)),
      'must have at least one field to change',
    ),
  );
const nullable = <Fields extends Record<string, v.OptionalSchema<v.GenericSchema, undefined>>>(
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, v.optional(v.nullable(schema.wrapped))]),
  ) as {
    [Name in keyof Fields]: v.OptionalSchema<v.NullableSchema<Fields[Name]['wrapped'], undefined>, undefined>;
  };

export const ChangeSiteAlert = says({
  ...OneSite.entries,
  alertId: Id,
  ...changed,
  metric: v.optional(SiteMetricName),
  ...nullable(siteSubject),
});
export type ChangeSiteAlert = v.InferOutput<typeof ChangeSiteAlert>;
export const ChangeEnvironmentAlert = says({
  ...OneEnvironment.entries,
  alertId: Id,
  ...changed,
  metric: v.optional(EnvironmentMetricName),
  ...nullable(environmentSubject),
});
export type ChangeEnvironmentAlert = v.InferOutput<typeof ChangeEnvironmentAlert>;

export const OneSiteAlert = v.strictObject({ ...OneSite.entries, alertId: Id });
export type OneSiteAlert = v.InferOutput<typeof OneSiteAlert>;
export const OneEnvironmentAlert = v.strictObject({ ...OneEnvironment.entries, alertId: Id });
export type OneEnvironmentAlert = v.InferOutput<typeof OneEnvironmentAlert>;

const history = { limit: Limit(20), cursor: Cursor() };
export const SiteAlertHistory = v.strictObject({ ...OneSiteAlert.entries, ...history });
export const EnvironmentAlertHistory = v.strictObject({ ...OneEnvironmentAlert.entries, ...history });
export type AlertHistory =
  | v.InferOutput<typeof SiteAlertHistory>
  | v.InferOutput<typeof EnvironmentAlertHistory>;

const Reason = v.nullable(
  v.pipe(
    v.picklist(NO_DATA_REASONS),
    v.description(
      'Why there is no data. `never_received`: nothing ever came. `not_counted`: the minutes aren’t counted yet. `nothing_to_divide`: a ' +
        'rate or percentile of nothing. `no_baseline`: four weeks aren’t known yet. `small_baseline`: they hold too little. `no_goal`: it ' +
        'was deleted.',
    ),
  ),
);

const Mover = v.object({ dimension: v.string(), value: v.string(), change: v.number() });

export const AlertChange = v.object({
  at: Instant,
  state: v.picklist(ALERT_STATES),
  message: v.nullable(
    v.pipe(v.picklist(['firing', 'over']), v.description('What channels heard of it. Null: nothing.')),
  ),
  value: v.nullable(v.number()),
  baseline: v.nullable(v.number()),
  threshold: v.number(),
  reason: Reason,
  changed: v.pipe(
    v.array(Mover),
    v.description('What changed most against the same length of time before, the most first.'),
  ),
});
export type AlertChange = v.InferOutput<typeof AlertChange>;

const fieldsOf = {
  id: Id,
  name: v.string(),
  compare: v.picklist(COMPARES),
  threshold: v.number(),
  forMinutes: v.number(),
  channels: v.array(Id),
  mutedUntil: v.nullable(Instant),
  state: v.picklist(ALERT_STATES),
  since: described(Instant, 'Since when it has this state.'),
  alarmSince: v.nullable(
    described(
      Instant,
      'Since when an alarm is open. Null: none is. It stays open without data and while the alert is muted.',
    ),
  ),
  value: v.nullable(described(v.number(), 'In the last evaluated minutes. Null: no data.')),
  baseline: v.nullable(
    described(
      v.number(),
      'Mean of the same hours of the last four weeks. Null: unknown, or not compared with.',
    ),
  ),
  unit: v.picklist(['count', 'percent', 'ms', 'currency']),
  reason: Reason,
  evaluatedTo: v.nullable(described(Instant, 'End of the last evaluated minute. Null: none was.')),
  createdAt: Instant,
};

export const SiteAlert = v.object({ ...fieldsOf, metric: SiteMetricName, ...siteSubject });
export type SiteAlert = v.InferOutput<typeof SiteAlert>;
export const EnvironmentAlert = v.object({
  ...fieldsOf,
  metric: EnvironmentMetricName,
  ...environmentSubject,
});
export type EnvironmentAlert = v.InferOutput<typeof EnvironmentAlert>;

export const ListAllAlerts = v.strictObject({
  state: v.optional(v.picklist(ALERT_STATES)),
  limit: Limit(50),
});
export type ListAllAlerts = v.InferOutput<typeof ListAllAlerts>;

/** An alert with what it is of. */
export const OwnedAlert = v.variant('kind', [
  v.object({
    ...{ kind: v.literal('site'), projectId: Id, siteId: Id },
    site: described(v.string(), 'The site’s name.'),
    ...SiteAlert.entries,
  }),
  v.object({
    ...{ kind: v.literal('environment'), projectId: Id, environmentId: Id },
    environment: described(v.string(), 'The environment’s name.'),
    ...EnvironmentAlert.entries,
  }),
]);
export type OwnedAlert = v.InferOutput<typeof OwnedAlert>;

export const AlertPreview = v.object({
  from: Instant,
  to: Instant,
  stepMinutes: described(
    v.number(),
    'How far apart the values are: 60, and `firings` by the minute for sites.',
  ),
  countedFrom: v.nullable(
    described(
      Instant,
      'From when on everything is counted. Null: nothing is yet. Earlier values are null; ask again: a site is counted back within minutes.',
    ),
  ),
  values: v.array(
    v.object({ time: Instant, value: v.nullable(v.number()), baseline: v.nullable(v.number()) }),
  ),
  firings: v.pipe(
    v.array(v.object({ from: Instant, to: v.nullable(Instant), value: v.number() })),
    v.description(
      'When the alert would have begun to fire, and when it would have been over; null: it still would fire. At most 100, the last ones.',
    ),
  ),
  fired: described(v.number(), 'How often it would have fired.'),
});
export type AlertPreview = v.InferOutput<typeof AlertPreview>;
