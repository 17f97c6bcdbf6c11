const PATHS = {
  filter: 'M3 5h18M6.5 12h11M10 19h4',
  close: 'M6 6l12 12M18 6L6 18',
  except: 'M5 12h14',
  down: 'M6 9l6 6 6-6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0',
  edit: 'M4 20l1-4L16 5l3 3L8 19l-4 1zM14 7l3 3',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9',
  note: 'M5 4h14v10l-6 6H5zM19 14h-6v6',
  enlarge: 'M14.5 4H20v5.5M9.5 20H4v-5.5M20 4l-6.5 6.5M4 20l6.5-6.5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5v.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words, which say the same: nothing reads it out. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
