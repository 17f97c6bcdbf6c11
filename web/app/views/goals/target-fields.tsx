import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { getEvents, getPages } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { behaviourWords } from '../../words/behaviour.ts';
import { goalWords } from '../../words/goals.ts';

/** What a visit has to reach, as it is being filled in. */
export interface TargetDraft {
  kind: 'event' | 'page';
  text: string;
}

interface MaybeTarget {
  event?: string;
  page?: string;
}

export const draftOf = ({ event, page }: MaybeTarget): TargetDraft =>
  page === undefined ? { kind: 'event', text: event ?? '' } : { kind: 'page', text: page };

export const targetOf = ({ kind, text }: TargetDraft): MaybeTarget =>
  kind === 'event' ? { event: text } : { page: text };

export const targetName = ({ event, page }: MaybeTarget): string =>
  page === undefined ? goalWords.targets.ofEvent(event ?? '') : goalWords.targets.ofPage(page);

const SUGGESTED = 100;
const MAX_EVENT_LENGTH = 64;
const MAX_PATTERN_LENGTH = 1024;

interface Suggestion {
  text: string;
  visits: number;
}

/** Names of events, or paths, that the site had in the last 90 days, most frequent first. */
function useSuggestions(siteId: string, kind: TargetDraft['kind']): Suggestion[] | undefined {
  const asked = { siteId, period: '90d', limit: SUGGESTED } as const;
  const { data } = useQuery({
    queryKey: ['suggestions', kind, siteId],
    queryFn: async ({ signal }) =>
      kind === 'event'
        ? (await getEvents(asked, signal)).data.map(({ name, visits }) => ({ text: name, visits }))
        : (await getPages(asked, signal)).data.map(({ path, visits }) => ({ text: path, visits })),
  });
  return data;
}

/** How many visits had it; nothing for patterns and for what may be beyond the suggestions. */
function seenNote(text: string, suggestions: readonly Suggestion[]): string | undefined {
  const found = suggestions.find((one) => one.text === text);
  if (found !== undefined) return behaviourWords.funnels.seen(exact(found.visits));
  const isComplete = suggestions.length < SUGGESTED;
  return text !== '' && !text.includes('*') && isComplete ? behaviourWords.funnels.unseen : undefined;
}

interface TargetFieldsProps {
  siteId: string;
  name: string;
  target: TargetDraft;
  onChange: (target: TargetDraft) => void;
}

/** An event by its name or a page by a pattern, with suggestions of what the site had. */
export function TargetFields({ siteId, name, target: { kind, text }, onChange }: TargetFieldsProps) {
  const texts = goalWords.targets;
  const list = useId();
  const suggestions = useSuggestions(siteId, kind);
  return (
    <>
      <RadioChoices
        label={texts.label}
        name={`${name}-kind`}
        value={kind}
        choices={[
          { value: 'event', label: texts.event },
          { value: 'page', label: texts.page },
        ]}
        onChoose={(chosen) => onChange({ kind: chosen, text: '' })}
      />
      <Field
        label={kind === 'event' ? texts.eventName : texts.pagePattern}
        note={
          (suggestions && seenNote(text, suggestions)) ??
          (kind === 'event' ? texts.eventNote : texts.patternNote)
        }
      >
        <input
          class="input"
          name={name}
          required
          maxLength={kind === 'event' ? MAX_EVENT_LENGTH : MAX_PATTERN_LENGTH}
          list={list}
          autocomplete="off"
          placeholder={kind === 'page' ? '/' : undefined}
          value={text}
          onInput={({ currentTarget }) => onChange({ kind, text: currentTarget.value })}
        />
      </Field>
      <datalist id={list}>
        {suggestions?.map((one) => (
          <option key={one.text} value={one.text} />
        ))}
      </datalist>
    </>
  );
}
