import { useState } from 'preact/hooks';
import {
  changeSegment,
  createSegment,
  deleteSegment,
  type Segment,
  type Site,
} from '../../api/operations.generated.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { readSegment, writeSegment } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { textOf } from './filter-text.ts';

const MAX_NAME_LENGTH = 100;
/** Every report may have been about the segment. */
const ALL = [[]];

interface SegmentDialogProps {
  site: Site;
  /** Undefined: a new one, of the page's filters. */
  segment: Segment | undefined;
  mayShare: boolean;
  onClose: () => void;
}

/** Keeps the page's filters as a segment; or names, shares, refills and deletes one. */
export default function SegmentDialog({ site, segment, mayShare, onClose }: SegmentDialogProps) {
  const { query, go } = useSiteQuery();
  const texts = words.segments;
  const [name, setName] = useState(segment?.name ?? '');
  const [shared, setShared] = useState(segment?.shared ?? false);
  const [refills, setRefills] = useState(segment === undefined);
  const [deletes, setDeletes] = useState(false);
  const filters = writeSegment(query.filters);
  const { run, ...state } = useAction(
    () => {
      const fields = { siteId: site.id, name: name.trim(), shared, ...(refills && { filters }) };
      return segment === undefined
        ? createSegment({ ...fields, filters })
        : changeSegment({ ...fields, segmentId: segment.id });
    },
    {
      changes: ALL,
      onDone({ data: { id } }) {
        onClose();
        // What the segment has now needn't hold twice.
        go({ ...query, segment: id, filters: refills ? [] : query.filters });
      },
    },
  );
  if (segment !== undefined && deletes)
    return (
      <ConfirmDialog
        title={words.forms.delete(segment.name)}
        submit={words.forms.deleteIt}
        act={() => deleteSegment({ siteId: site.id, segmentId: segment.id })}
        changes={[['segments', site.id]]}
        onDone={() => {
          onClose();
          go({ ...query, segment: undefined });
        }}
        onClose={onClose}
      >
        <p>{segment.shared ? texts.deleteShared : texts.deleteOwn}</p>
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={segment === undefined ? texts.save.replace(/ …$/, '') : words.forms.change(segment.name)}
      submit={words.save}
      onSubmit={() => run()}
      onClose={onClose}
      error={state.error}
      isPending={state.isPending}
      isIncomplete={name.trim() === ''}
    >
      <Field label={texts.name}>
        <input
          class="input"
          required
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <ul class="hints">
        {(refills ? query.filters : readSegment(segment?.filters ?? {})).map((filter) => (
          <li key={filter.dimension}>{textOf(filter)}</li>
        ))}
      </ul>
      <div class="choices">
        {segment !== undefined && query.filters.length > 0 && (
          <Check label={texts.refill} isChecked={refills} onChange={setRefills} />
        )}
        {mayShare && <Check label={texts.isShared} isChecked={shared} onChange={setShared} />}
      </div>
      {segment !== undefined && (
        <button type="button" class="button danger" onClick={() => setDeletes(true)}>
          {words.forms.deleteIt}
        </button>
      )}
    </FormDialog>
  );
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

const Check = ({ label, isChecked, onChange }: CheckProps) => (
  <label>
    <input
      type="checkbox"
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
);
