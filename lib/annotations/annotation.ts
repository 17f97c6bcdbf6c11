import type { Sql } from '../db.ts';
import type { Annotation } from './schemas.ts';

export interface AnnotationRow {
  id: string;
  date: string;
  text: string;
  created_at: Date;
}

/** The columns of an `AnnotationRow`. The driver would make an instant of a date, in a zone of its own. */
export const annotationColumns = (sql: Sql) => sql`a.id, a.date::text as date, a.text, a.created_at`;

export const toAnnotation = ({ id, date, text, created_at }: AnnotationRow): Annotation => ({
  id,
  date,
  text,
  createdAt: created_at.toISOString(),
});
