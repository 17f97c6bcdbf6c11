/** The first item of each id, with the id in lower case. */
export function firstOfEach<Event extends { id: string }>(events: readonly Event[]): Event[] {
  const first = new Map<string, Event>();
  for (const event of events) {
    const id = event.id.toLowerCase();
    if (!first.has(id)) first.set(id, { ...event, id });
  }
  return [...first.values()];
}
