/** Requests of every call about things that are hidden from one user and visible to another. */
import { addressOf, isWrite, type Call } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import type { Answer, Client } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'
import { sql } from '@gatehouse/server/platform/database/database'
import { newId } from '@gatehouse/server/platform/database/ids'
import { ask } from './all-calls.ts'
import type { Fixtures } from './fixtures.ts'
import type { Given } from './requests.ts'
import { givenFor, nameOf, namingFieldsOf } from './cases/all.ts'
import { until } from './until.ts'

export interface HiddenWalk {
  world: World
  /** Things of the same park that are visible to both users. */
  things: Fixtures
  /** Texts that identify the hidden things in an answer. */
  words: readonly string[]
  /** The user from whom the things are hidden, and one with the same codes who can see them. */
  limited: Client
  sighted: Client
  /** Return the ids of hidden things that a field is tried with, by what they name. */
  triedIn: (field: string) => [what: string, id: string][]
}

/** The longest pages that can be requested. */
export const WHOLE: Given = { size: 100, pageSize: 100 }

export const textOf = ({ data, message }: Answer): string => JSON.stringify([data ?? null, message])
/** Return the words of hidden things in a text. @param sent an id that the request itself contained */
export const wordsIn = (text: string, { words }: Pick<HiddenWalk, 'words'>, sent?: string): string[] =>
  words.filter((word) => word !== sent && text.includes(word))

/** Return an answer without what differs at each request: signatures of addresses, and times. */
export const lasting = (text: string): string => text.replaceAll(/\?[^"]*"/g, '"').replaceAll(/1\d{12}/g, 'moment')

/**
 * Return an answer in a form that can be compared with that to another id. The answer to a change contains what it created, which is new
 * each time.
 */
const comparable = (call: Call, { status, code, data }: Answer, sent: string): string =>
  lasting(JSON.stringify([status, code, ...(code === 0 && isWrite(call) ? [] : [data ?? null])]).replaceAll(sent, 'id'))

/** Send a request with one id in one field, beside values that name visible things. */
async function askWith(
  { world }: HiddenWalk,
  call: Call,
  { credentials }: Client,
  given: Given,
  field: string,
  id: string,
): Promise<{ answer: Answer; revealed: string }> {
  const answer = await ask(world, call, credentials, { ...given, [field]: Array.isArray(given[field]) ? [id] : id })
  return { answer, revealed: comparable(call, answer, id) }
}

/**
 * Return the words of hidden things that the answer of a reading call to each user contains: with the longest page, and filtered by visible
 * things.
 */
export async function wordsAnswered(walk: HiddenWalk, call: Call): Promise<Record<'limited' | 'sighted', string[]>> {
  const answered = { limited: [] as string[], sighted: [] as string[] }
  for (const given of [WHOLE, { ...WHOLE, ...(await givenFor(call, walk.things, walk.world)) }])
    for (const who of ['limited', 'sighted'] as const)
      answered[who].push(...wordsIn(textOf(await ask(walk.world, call, walk[who].credentials, given)), walk))
  return answered
}

/** Return the calls and fields for which the sighted user gets another answer with a hidden id than with an unknown one. */
export async function revealedByIds(walk: HiddenWalk, calls: readonly Call[]): Promise<string[]> {
  const revealed: string[] = []
  for (const call of calls) {
    const given = await givenFor(call, walk.things, walk.world)
    for (const field of namingFieldsOf(call)) {
      const tried = walk.triedIn(field)
      if (tried.length === 0) continue
      const unknown = (await askWith(walk, call, walk.sighted, given, field, newId())).revealed
      for (const [what, id] of tried)
        if ((await askWith(walk, call, walk.sighted, given, field, id)).revealed !== unknown)
          revealed.push(`${nameOf(call)} ${field}: ${what}`)
    }
  }
  return revealed.toSorted()
}

/**
 * Return how the limited user can distinguish, in any field that names something, a hidden id from an unknown one: by another answer, or by
 * a word of what is hidden.
 */
export async function tellingAnswers(walk: HiddenWalk, call: Call): Promise<string[]> {
  const given = await givenFor(call, walk.things, walk.world)
  const telling: string[] = []
  for (const field of namingFieldsOf(call)) {
    const tried = walk.triedIn(field)
    if (tried.length === 0) continue
    const unknown = async (): Promise<string> => (await askWith(walk, call, walk.limited, given, field, newId())).revealed
    let expected = await unknown()
    for (const [what, id] of tried) {
      const { answer, revealed } = await askWith(walk, call, walk.limited, given, field, id)
      telling.push(...wordsIn(textOf(answer), walk, id).map((word) => `${field}: ${what} is answered with "${word}"`))
      // An earlier request may have changed something: an unknown id is sent again.
      if (revealed !== expected) expected = await unknown()
      if (revealed !== expected) telling.push(`${field}: ${what} is answered ${revealed}, an unknown id ${expected}`)
    }
  }
  return telling
}

/** Return the rows of all tables, except logs and counts, that name one of these ids, as text by table. */
export async function rowsNaming({ server }: World, ids: readonly string[]): Promise<Map<string, string>> {
  const db = server.platform.db
  const { rows: tables } = await sql<{
    name: string
  }>`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE 'kysely_%' ORDER BY 1`.execute(
    db,
  )
  const logs = ['operation_log', 'read_log', 'outbox', 'outbox_head', 'event_consumer']
  // A job counts the stored passages each minute.
  const isCounted = (name: string): boolean => name.startsWith('passage_')
  const pattern = ids.join('|')
  const prints = tables
    .filter(({ name }) => !logs.includes(name) && !isCounted(name))
    .map(
      ({ name }) =>
        sql`SELECT ${name}::text AS name, coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') AS print FROM ${sql.table(name)} t
          WHERE t::text ~ ${pattern}`,
    )
  const { rows } = await sql<{ name: string; print: string }>`${sql.join(prints, sql` UNION ALL `)}`.execute(db)
  return new Map(rows.map(({ name, print }) => [name, print]))
}

/** Return the text of the file that a user gets when they export the access records. */
export async function exportedRecords({ call, url, credentials }: Client): Promise<string> {
  const { id } = await call(exportCalls.accessRecord, { body: { format: 'csv' } })
  await until('the export', async () => (await call(exportCalls.progress, { query: { id } })).status === exportStatus.exported)
  const { bearer } = credentials as { bearer: string }
  const file = await fetch(`${url}${addressOf(exportCalls.download)}?id=${id}`, { headers: { authorization: `Bearer ${bearer}` } })
  return file.text()
}
