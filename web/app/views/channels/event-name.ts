import { messageWords } from '../../words/messages.ts';

/** What an event is called; one that is not known here by its own name. */
export const nameOfEvent = (event: string): string => messageWords.channels.eventNames[event] ?? event;
