/** The queue on disk: an SQLite file that one process has. A message is durable when `send` resolves. */
import { DatabaseSync } from 'node:sqlite';

export interface StoredMessage {
  id: number;
  /** JSON text. */
  body: string;
  /** Deliveries so far. */
  attempts: number;
  /** Epoch milliseconds. */
  sentAt: number;
}

/** What becomes of messages after a delivery, all in one transaction. */
export interface Settlement {
  done: readonly number[];
  later: readonly { id: number; visibleAt: number }[];
  /** Moved to another queue, with no attempt so far. */
  moved: readonly { id: number; queue: string }[];
}

export interface QueueFile {
  /** Messages that are sent at the same time share one commit. Rejects if the disk takes none. */
  send(queue: string, bodies: readonly unknown[]): Promise<void>;
  /** The oldest messages that may be delivered now, at most `limit`, without those in `taken`. */
  peek(queue: string, limit: number, taken: ReadonlySet<number>): StoredMessage[];
  settle(settlement: Settlement): void;
  /** Number of messages in each queue, and the age of the oldest in milliseconds. */
  depths(): { queue: string; messages: number; oldestMs: number }[];
  close(): void;
}

interface Waiting {
  queue: string;
  bodies: string[];
  resolve(): void;
  reject(error: unknown): void;
}

/** All messages as they are at one moment, the oldest first, while another process uses the file. `message` is JSON text. */
export function* readQueueFile(path: string): Generator<{ queue: string; message: string }> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const all = db.prepare('select queue, body as message from messages order by id').iterate();
    for (const row of all) yield row as { queue: string; message: string };
  } finally {
    db.close();
  }
}

/** @param limits further SQL for the connection: a test makes the disk small */
export function openQueueFile(path: string, now: () => number = Date.now, limits = ''): QueueFile {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  // `full`: a commit returns after the disk has it, also where the machine loses power.
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists messages (
      id integer primary key autoincrement,
      queue text not null,
      body text not null,
      attempts integer not null default 0,
      sent_at integer not null,
      visible_at integer not null
    );
    create index if not exists messages_by_turn on messages (queue, visible_at, id);`);
  db.exec(limits);
  const insert = db.prepare('insert into messages (queue, body, sent_at, visible_at) values (?, ?, ?, ?)');
  const select = db.prepare(
    // A message of the future was sent before the clock was set back: it waits no longer.
    `select id, body, attempts, sent_at as sentAt from messages
    where queue = ?1 and (visible_at <= ?2 or sent_at > ?2) order by visible_at, id limit ?3`,
  );
  const remove = db.prepare('delete from messages where id = ?');
  const delay = db.prepare('update messages set attempts = attempts + 1, visible_at = ? where id = ?');
  const move = db.prepare('update messages set queue = ?, attempts = 0, visible_at = ? where id = ?');
  const count = db.prepare(
    'select queue, count(*) as messages, min(sent_at) as oldest from messages group by queue',
  );
  let waiting: Waiting[] = [];

  function flush(): void {
    const sending = waiting;
    waiting = [];
    try {
      const at = now();
      inTransaction(db, () => {
        for (const { queue, bodies } of sending) for (const body of bodies) insert.run(queue, body, at, at);
      });
    } catch (error) {
      for (const { reject } of sending) reject(error);
      return;
    }
    for (const { resolve } of sending) resolve();
  }

  return {
    send: (queue, bodies) =>
      new Promise<void>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ queue, bodies: bodies.map((body) => JSON.stringify(body)), resolve, reject });
      }),
    peek: (queue, limit, taken) =>
      (select.all(queue, now(), limit + taken.size) as unknown as StoredMessage[])
        .filter(({ id }) => !taken.has(id))
        .slice(0, limit),
    settle: ({ done, later, moved }) =>
      inTransaction(db, () => {
        for (const id of done) remove.run(id);
        for (const { id, visibleAt } of later) delay.run(visibleAt, id);
        for (const { id, queue } of moved) move.run(queue, now(), id);
      }),
    depths: () =>
      (count.all() as unknown as { queue: string; messages: number; oldest: number }[]).map(
        ({ queue, messages, oldest }) => ({ queue, messages, oldestMs: Math.max(0, now() - oldest) }),
      ),
    close: () => {
      if (waiting.length > 0) flush();
      db.close();
    },
  };
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate');
  try {
    work();
    db.exec('commit');
  } catch (error) {
    // A full disk may have rolled back already.
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
