interface TabListProps<Name extends string> {
  label: string;
  names: readonly Name[];
  chosen: Name;
  textOf: (name: Name) => string;
  onChoose: (index: number) => void;
}

/** Tabs that choose what a panel shows. */
export const TabList = <Name extends string>({
  label,
  names,
  chosen,
  textOf,
  onChoose,
}: TabListProps<Name>) => (
  <div class="tabs" role="tablist" aria-label={label}>
    {names.map((name, index) => (
      <button
        key={name}
        type="button"
        role="tab"
        aria-selected={name === chosen}
        onClick={() => onChoose(index)}
      >
        {textOf(name)}
      </button>
    ))}
  </div>
);
