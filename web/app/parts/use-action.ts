import { type QueryKey, useMutation } from '@tanstack/preact-query';
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
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: act,
    onSuccess: async (output: Output) => {
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone?.(output);
    },
  });
  return { run: mutate, isPending, error, reset };
}
