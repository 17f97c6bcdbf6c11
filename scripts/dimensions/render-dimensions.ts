import {
  DICTIONARIES,
  fieldOf,
  NEW_VALUES,
  OTHER_DIMENSIONS,
  SITE_DOMAIN,
  VISIT_DIMENSIONS,
  type VisitDimension,
} from '../../lib/visits/dimensions.ts';
import { OTHER } from '../../lib/visits/other-value.ts';
import { SESSION_GAP_MINUTES } from '../../lib/visits/session-gap.ts';

type Dictionary = VisitDimension['dictionary'];

const DIMENSIONS: readonly VisitDimension[] = VISIT_DIMENSIONS;
/** The number of the last dimension of 0.1.0. */
const FIRST_DIMENSIONS = 15;
/** Whether it is in the key of an entry only if the entry has it, so that no older entry gets another key. */
export const isLater = ({ number }: VisitDimension): boolean => number > FIRST_DIMENSIONS;

const of = (dictionary: Dictionary) => DIMENSIONS.filter((dimension) => dimension.dictionary === dictionary);
const quote = (text: string | undefined) => (text === undefined ? 'null' : `'${text.replaceAll("'", "''")}'`);
const lines = (parts: readonly string[], between: string) => parts.join(`${between}\n`);

export const renderDimensions =
  (): string => `-- Written by \`npm run generate\` from lib/visits/dimensions.ts and lib/visits/session-gap.ts.

-- The session gap: a visit ends after this time without an event.
create or replace function session_gap() returns interval
language sql immutable parallel safe as $$
  select interval '${SESSION_GAP_MINUTES} minutes'
$$;

-- What values beyond a day's limit count as. No message has it.
create or replace function other_value() returns text
language sql immutable parallel safe as $$
  select ${quote(OTHER)}
$$;

-- What rollups count by. Dimensions of visits have the tier from which on a visit has them; \`arrives\`: only if it
-- came from elsewhere. Those without \`blocks\` have single days alone.
create or replace view dimensions as
select number::smallint, name, dictionary, lowest_tier::smallint, arrives, blocks, new_values
from (
  values
${lines(
  [
    ...DIMENSIONS.map(({ name, number, dictionary, lowestTier, arrives, newValues }) =>
      row([
        number,
        quote(name),
        quote(dictionary),
        lowestTier,
        arrives === true,
        true,
        newValues === 'closed' ? 'null' : quote(newValues),
      ]),
    ),
    ...OTHER_DIMENSIONS.map((other) =>
      row([
        other.number,
        quote(other.name),
        'null',
        'lowestTier' in other ? other.lowestTier : 'null',
        'arrives' in other,
        other.blocks,
        'null',
      ]),
    ),
  ],
  ',',
)}
) as d(number, name, dictionary, lowest_tier, arrives, blocks, new_values);

-- The number of a dimension in rollups. Another name is an error, which says the name.
create or replace function dimension_number(name text) returns smallint
language sql immutable parallel safe as $$
  select case name
${lines(
  [...DIMENSIONS, ...OTHER_DIMENSIONS].map(({ name, number }) => `    when ${quote(name)} then ${number}`),
  '',
)}
    else ('no dimension: ' || name)::integer
  end::smallint
$$;

-- What the entries of dictionaries have, as lists show it; null is left out of lists.
create or replace view entry_values as
${DICTIONARIES.map(renderValues).join('\nunion all\n')};
${DICTIONARIES.map(renderKey).join('')}${DICTIONARIES.map(renderAdmit).join('')}`;

const row = (cells: readonly unknown[]) => `    (${cells.join(', ')})`;

const renderValues = (
  dictionary: Dictionary,
): string => `select e.site_key, '${dictionary}' as dictionary, e.id, d.dimension, d.value, e.first_day, e.last_day
from site_${dictionary}s e
cross join lateral (
  values
${lines(
  of(dictionary).map(({ name, absent }) => `    (${quote(name)}, ${shown(name, absent)})`),
  ',',
)}
) as d(dimension, value)
where e.id > 0`;

function shown(name: string, absent: string | undefined): string {
  if (absent === undefined) return name;
  const other =
    absent === SITE_DOMAIN
      ? `
      (select ${FIRST_DOMAIN} from sites where key = e.site_key)`
      : ` ${quote(absent)}`;
  return `coalesce(${name},${other})`;
}

const renderKey = (dictionary: Dictionary): string => `
-- What tells an entry of site_${dictionary}s apart, of an event; absent and empty are one.
create or replace function ${dictionary}_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select ${lines(
    of(dictionary).map((dimension, n) => {
      if (isLater(dimension))
        return `    || coalesce(chr(31) || '${dimension.name}=' || (${cell(dimension, 'domain')}), '')`;
      return `${n === 0 ? '' : '    || chr(31) || '}coalesce(${cell(dimension, 'domain')}, '')`;
    }),
    '',
  )}
$$;
`;

/** The domain of a site that its origins don't name. */
const FIRST_DOMAIN = 'coalesce(sites.first_domain, sites.domain)';

const cell = ({ name, absent }: VisitDimension, domain = FIRST_DOMAIN): string =>
  absent === SITE_DOMAIN ? `nullif(event ->> '${fieldOf(name)}', ${domain})` : `event ->> '${fieldOf(name)}'`;

/** The new values that entries of a dictionary are counted with, in the order in which they give way. */
const kindsOf = (dictionary: Dictionary) =>
  NEW_VALUES.filter((kind) => of(dictionary).some(({ newValues }) => newValues === kind));

const ofKind = (dictionary: Dictionary, kind: string) =>
  of(dictionary).filter(({ newValues }) => newValues === kind);

const renderAdmit = (dictionary: Dictionary): string => `
-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
create or replace function lacking_${dictionary}s(batch jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(entry)
    from (
      select distinct on (sites.key, d.value) sites.key as site_key, d.value, (b.event ->> 'at')::bigint as at,
        case
${lines(
  kindsOf(dictionary).map(
    (kind) => `          when coalesce(
${lines(
  ofKind(dictionary, kind).map((dimension) => `            nullif(${cell(dimension)}, other_value())`),
  ',',
)}
          ) is not null then ${quote(kind)}`,
  ),
  '',
)}
        end as kind,
${lines(
  of(dictionary).map((dimension) => `        ${cell(dimension)} as ${dimension.name}`),
  ',',
)}
      from jsonb_array_elements(batch) as b(event)
      join sites on sites.id = (b.event ->> 'siteId')::uuid
      cross join lateral (values (${dictionary}_key(b.event, ${FIRST_DOMAIN}))) as d(value)
      where not exists (select from site_${dictionary}s known where known.site_key = sites.key and known.value = d.value)
      order by sites.key, d.value, at
    ) entry
  );
end
$$;

-- The batch with refused values as \`(other)\`.
create or replace function limited_${dictionary}s(batch jsonb, refused jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(
      case
${lines(
  kindsOf(dictionary).map(
    (
      kind,
    ) => `        when is_refused(refused, d.site_key, ${quote(kind)}, d.value) then as_other(b.event, array[
${lines(
  ofKind(dictionary, kind).map((dimension) => `          ${fieldCell(dimension)}`),
  ',',
)}
        ])`,
  ),
  '',
)}
        else b.event
      end
      order by b.position
    )
    from jsonb_array_elements(batch) with ordinality as b(event, position)
    left join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (
      values (sites.key, ${dictionary}_key(b.event, ${FIRST_DOMAIN}))
    ) as d(site_key, value)
  );
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as \`(other)\`; null: nothing is.
create or replace function admit_${dictionary}s(batch jsonb) returns jsonb
language plpgsql as $$
declare
  fresh constant jsonb := lacking_${dictionary}s(batch);
  refused jsonb;
  limited jsonb;
begin
  if fresh is null then
    return null;
  end if;
  refused := refuse_values(fresh);
  insert into site_${dictionary}s (
    site_key, id, first_day, last_day, value,
${lines(
  of(dictionary).map(({ name }) => `    ${name}`),
  ',',
)}
  )
  select entry.site_key, last.id + row_number() over (partition by entry.site_key order by entry.value),
    utc_day(entry.at), utc_day(entry.at), entry.value,
${lines(
  of(dictionary).map(({ name }) => `    entry.${name}`),
  ',',
)}
  from jsonb_to_recordset(fresh) as entry(
    site_key integer, value text, at bigint, kind text,
${lines(
  of(dictionary).map(({ name }) => `    ${name} text`),
  ',',
)}
  )
  join last_ids(fresh, '${dictionary}') last using (site_key)
  where not is_refused(refused, entry.site_key, entry.kind, entry.value);
  if refused is null then
    return null;
  end if;
  limited := limited_${dictionary}s(batch, refused);
  return coalesce(admit_${dictionary}s(limited), limited);
end
$$;
`;

/** The name of a field; null where the event has what isn't stored. */
function fieldCell(dimension: VisitDimension): string {
  const field = quote(fieldOf(dimension.name));
  return dimension.absent === SITE_DOMAIN
    ? `case when ${cell(dimension)} is not null
            then ${field} end`
    : field;
}
