import { useState } from 'preact/hooks';
import { useReader } from '../../api/reader.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { type Asked, chosenGoal, withoutGoal } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { DetailsCounts } from './details-counts.tsx';
import { DetailsQuality } from './details-quality.tsx';
import type { List } from './panels.ts';

const TABS = ['counts', 'quality'] as const;
const TABLES = { counts: DetailsCounts, quality: DetailsQuality };

interface DetailsDialogProps {
  list: List;
  asked: Asked;
  onClose: () => void;
}

/** The whole list, part by part: searched, and sorted by any of its figures. A chosen goal is in its columns, so it chooses no visits. */
export default function DetailsDialog({ list, asked, onClose }: DetailsDialogProps) {
  const [search, setSearch] = useState('');
  const [tab, setTab] = useState<(typeof TABS)[number]>('counts');
  const reader = useReader();
  const hasGoal = chosenGoal(useSiteQuery().query) !== undefined;
  const Table = TABLES[tab];
  const texts = words.list;
  return (
    <Dialog title={words.dimensions[list.dimension].list} onClose={onClose}>
      <div class="body form">
        <input
          class="input"
          type="search"
          autofocus
          aria-label={texts.search}
          placeholder={texts.search}
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {reader.shows === undefined && (
          <TabList
            label={words.quality.tabs}
            names={TABS}
            chosen={tab}
            textOf={(name) => words.quality[name]}
            onChoose={(index) => setTab(TABS[index] ?? 'counts')}
          />
        )}
        <Table {...{ list, search: search.trim() }} asked={hasGoal ? withoutGoal(asked) : asked} />
      </div>
    </Dialog>
  );
}
