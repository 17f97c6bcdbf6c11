import type { Fragment, Sql } from '../../db.ts';

/**
 * Selects which texts of the site reach which targets (`kind, text_id, target`), from a relation `target, kind, pattern`
 * (schema/migrations/0002-sites.sql, `site_goals`), for a statement with a `range`.
 *
 * Patterns with wildcards are compared with every text of the site, first by their constant `like`. Without `**`, as many segments are all
 * that `page_matches` asks for beside it, and what depends on the pattern alone is worked out once. Patterns without wildcards are looked
 * up by the primary key of `site_texts`.
 */
export function textsOfTargets(sql: Sql, targets: Fragment): Fragment {
  const isWild = sql`kind = 1 and position('*' in pattern) > 0`;
  return sql`
    select wanted.target, wanted.kind, text.id as text_id
    from (${targets}) wanted
    join site_texts text on text.site_key = (select site_key from range) and text.value = wanted.pattern
    where (${isWild}) is not true
    union all
    select wanted.target, wanted.kind, text.id
    from (
      select *, as_like(pattern) as likeness, right(pattern, 2) = '**' as is_deep, cardinality(string_to_array(pattern, '/')) as segments
      from (${targets}) wild where ${isWild} offset 0
    ) wanted
    join site_texts text on text.site_key = (select site_key from range)
      and text.value like wanted.likeness
      and case when is_deep then page_matches(text.value, wanted.pattern)
        else cardinality(string_to_array(text.value, '/')) = wanted.segments end`;
}

/** A condition on `site_goals goal`: the goals of the range's site. */
export const ofSite = (sql: Sql): Fragment =>
  sql`site_id = (select id from sites where key = (select site_key from range))`;
