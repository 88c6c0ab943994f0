/** Queries of the database about photos, the templates of each model, and the work that creates them. */
import { query } from './embedded-postgres.ts'

/** Numbers of photos of persons. */
export interface TemplateNumbers {
  photos: number
  made: number
  refused: number
  /** With neither a template nor a refusal. */
  missing: number
  /** With both a template and a refusal. */
  both: number
  /** Templates and refusals whose photo was deleted. */
  astray: number
}

/** Return the numbers of a model. */
export async function numbersOf(connectionString: string, modelId: string): Promise<TemplateNumbers> {
  const [row] = await query<TemplateNumbers>(
    connectionString,
    `SELECT count(*)::int AS photos, count(made.face_id)::int AS made, count(refused.face_id)::int AS refused,
        count(*) FILTER (WHERE made.face_id IS NULL AND refused.face_id IS NULL)::int AS missing,
        count(*) FILTER (WHERE made.face_id IS NOT NULL AND refused.face_id IS NOT NULL)::int AS both,
        (SELECT count(*)::int FROM (SELECT face_id FROM face_template UNION ALL SELECT face_id FROM face_refusal) AS any_face
          WHERE NOT EXISTS (SELECT FROM face WHERE face.id = any_face.face_id)) AS astray
       FROM face LEFT JOIN face_template AS made ON made.face_id = face.id AND made.model_id = $1
       LEFT JOIN face_refusal AS refused ON refused.face_id = face.id AND refused.model_id = $1
      WHERE face.person_id IS NOT NULL`,
    [modelId],
  )
  return row!
}

/** Return each template of a model by its photo: its digest and the time of its creation. */
export async function templatesOf(connectionString: string, modelId: string): Promise<Map<string, string>> {
  const rows = await query<{ id: string; content: string }>(
    connectionString,
    `SELECT face_id AS id, md5(template) || ' ' || made_at AS content FROM face_template WHERE model_id = $1`,
    [modelId],
  )
  return new Map(rows.map(({ id, content }) => [id, content]))
}

/** Return photos of persons, by person. */
export async function photosByPerson(connectionString: string): Promise<Map<string, string[]>> {
  const rows = await query<{ id: string; person: string }>(
    connectionString,
    'SELECT id, person_id AS person FROM face WHERE person_id IS NOT NULL ORDER BY person_id, position',
  )
  return new Map([...Map.groupBy(rows, ({ person }) => person)].map(([person, photos]) => [person, photos.map(({ id }) => id)]))
}

/** Return the running attempt at the work with a recent heartbeat; null where there is none. */
export async function runnerOf(connectionString: string): Promise<string | null> {
  const [row] = await query<{ runner: string }>(
    connectionString,
    `SELECT runner FROM work WHERE kind = 'faces.embed' AND state = 'running' AND beat_at > now() - interval '2 seconds'`,
  )
  return row?.runner ?? null
}

/** Return records by id, each as often as it is stored, and the numbers of gaps and failed events. */
export async function recordsOf(connectionString: string): Promise<{ ids: string[]; gaps: number; eventsFailed: number }> {
  const ids = (await query<{ id: string }>(connectionString, 'SELECT id FROM access_record')).map(({ id }) => id)
  const [rest] = await query<{ gaps: number; failed: number }>(
    connectionString,
    'SELECT ((SELECT count(*) FROM record_gap) + (SELECT count(*) FROM unstorable_record))::int AS gaps, (SELECT count(*)::int ' +
      'FROM event_failure) AS failed',
  )
  return { ids, gaps: rest!.gaps, eventsFailed: rest!.failed }
}
