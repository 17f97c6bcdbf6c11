import { type QueryKey, useMutation } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { queries } from '../api/queries.ts';

interface ActionOptions<Output> {
  /** Beginnings of the keys of answers that it changes: those are asked for again. */
  changes?: readonly QueryKey[];
  onDone?: (output: Output) => void;
}

/** Something that a person does and that changes data: `run(input)`, and whether it is under way or failed. */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { changes = [], onDone }: ActionOptions<Output> = {},
) {
  // The library takes a new function only after the page is painted. Who presses Enter before that sends what was typed all the same.
  const newest = useRef(act);
  newest.current = act;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (input: Input) => newest.current(input),
    onSuccess: async (output: Output) => {
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone?.(output);
    },
  });
  return { run: mutate, isPending, error, reset };
}
