/**
 * The operation log and the log of reads of personal data. Every call that writes leaves an entry by itself, in the
 * transaction of its change where it has one: an entry without the change, or a change without its entry, cannot be. A
 * context adds what it changed with `note`; what it does not say is only not in the entry's details.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isWrite, type Call } from '@gatehouse/contract'
import { logModuleOf } from '@gatehouse/contract/audit/modules'
import type { MaskKind } from '@gatehouse/contract/masking'
import { fieldsOf } from './marks.ts'
import { createReadBuffer } from './reads.ts'
import { sealChange, type ChangeKind, type ToldChange } from './sealed.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { sql, timestamp, type AnyDatabase, type Database, type OpenTransaction, type Tx } from '../database/database.ts'
import type { AuditTables } from './migration.ts'
import type { Clock } from '../time/clock.ts'
import { newId } from '../database/ids.ts'
import type { Scope, Session } from '../session/session.ts'

/** One thing a call created, changed or deleted. */
export interface Change {
  /** As tables are named: `person`, `role`. */
  entity: string
  id: string
  /** What people call it; `labelMask` where it is a person's name. */
  label?: string
  labelMask?: MaskKind
  /** Absent where it was created. */
  before?: Readonly<Record<string, unknown>> | null
  /** Absent where it was deleted. */
  after?: Readonly<Record<string, unknown>> | null
  /** Fields whose values are secret, beside those whose names say so. */
  secrets?: readonly string[]
}

/** Somebody as the logs remember them. */
export interface Actor {
  parkId: string
  userId: string | null
  account: string
  operator: string
  source: 'local' | 'thirdParty'
}

/** Something a call created. */
export interface MadeThing {
  entity: string
  id: string
}

/** Called at the end of each transaction of a writing call, with the caller's session and what the transaction created. Throwing rolls it back. */
export type Follower = (tx: OpenTransaction, session: Session, made: readonly MadeThing[]) => Promise<void>

/** What a running call leaves behind. */
interface Trail {
  id: string
  call: Call
  session: Session | null
  actor: Actor | null
  ip: string
  /** Noted outside a transaction, or not written yet. */
  loose: ToldChange[]
  written: boolean
  /** Its call has answered: what goes on in the background belongs to no entry. */
  ended: boolean
}
/** Where a note goes: to the transaction it is made in, so that it is gone with it, else to the call. */
interface Place {
  trail: Trail
  notes: ToldChange[]
  /** What was created and is in no entry. */
  unlisted: MadeThing[]
}

export interface Audit {
  /** Runs a call's handler under its own trail. */
  during<T>(call: Call, session: Session | null, ip: string, work: () => Promise<T>): Promise<T>
  /** Adds what was changed to the running call's entry. Without a running call, as in a job, it is lost. */
  note(change: Change): void
  /** Tells followers of something the running transaction created that belongs in no entry. */
  made(thing: MadeThing): void
  /** Registers a follower of all writing calls of users and API users; before the first call. */
  follow(follower: Follower): void
  /** Says who acts, where the session cannot: a login. */
  actAs(actor: Actor): void
  /**
   * Runs a transaction: it calls `write` as its last statement, and what was noted in it counts once it has committed.
   * Several of one call have one entry, which grows.
   */
  transaction<T>(work: (write: (tx: OpenTransaction) => Promise<void>) => Promise<T>): Promise<T>
  /** Runs what belongs to no call although one started it. */
  apart<T>(work: () => T): T
  /**
   * Notes that somebody was shown personal data of these subjects (ids of persons, users, records); of himself is not noted.
   * @param searched it was a masked user's search by a personal field, which is noted even if it found nobody
   */
  read(call: Call, session: Session, ip: string, subjects: readonly string[], searched?: boolean): void
  /**
   * Notes within a change that a device was handed personal data, under whoever gave it the means to ask for them: no
   * session of theirs has to be there.
   */
  handedOut(tx: OpenTransaction, call: Call, actor: Actor, device: { subject: string; persons: number }): Promise<void>
  /** Removes the values of an entity from all entries, as its erasure asks; that something happened stays. Answers how many entries name it. */
  forget(tx: OpenTransaction, entity: string, ids: readonly string[]): Promise<number>
  /** Mark what was changed under these ids or by these names of persons as about the watch list, before they are deleted. */
  markWatched(tx: OpenTransaction, scope: Scope, of: { ids: readonly string[]; names: readonly string[] }): Promise<void>
  /** Resolves when the reads noted so far are written. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Characters of a label that are stored. */
const LABEL_MAX = 200

const kindOf = ({ before, after }: Change): ChangeKind => {
  const [was, is] = [before !== undefined && before !== null, after !== undefined && after !== null]
  if (was && is) return 'changed'
  return is ? 'created' : was ? 'deleted' : 'touched'
}

function toldChangeOf(call: Call, change: Change): ToldChange {
  const { entity, id, label, labelMask } = change
  // An ID number is not stored in a label either.
  const named = label !== undefined && labelMask !== 'idNumber'
  return {
    entity,
    id,
    ...(named && { label: label.slice(0, LABEL_MAX) }),
    ...(named && labelMask !== undefined && { labelMask }),
    kind: kindOf(change),
    fields: fieldsOf(call, change),
  }
}

export function createAudit(untyped: AnyDatabase, clock: Clock, crypto: Pick<Crypto, 'seal'>, onFault: (error: unknown) => void): Audit {
  const db = untyped as unknown as Database<AuditTables>
  const places = new AsyncLocalStorage<Place>()
  const reads = createReadBuffer(db, onFault)
  const followers: Follower[] = []

  const place = (): Place | undefined => {
    const found = places.getStore()
    return found === undefined || found.trail.ended ? undefined : found
  }

  async function insert(to: Database<AuditTables>, trail: Trail, notes: readonly ToldChange[]): Promise<void> {
    const { actor, call } = trail
    if (actor === null || (trail.written && notes.length === 0)) return
    const changes = JSON.stringify(await Promise.all(notes.map((note) => sealChange(crypto, actor.parkId, trail.id, note))))
    await to
      .insertInto('operation_log')
      .values({
        id: trail.id,
        park_id: actor.parkId,
        user_id: actor.userId,
        account: actor.account,
        operator: actor.operator,
        source: actor.source,
        module: logModuleOf(call),
        method: call.method,
        url: call.url,
        ip: trail.ip,
        changes,
        occurred_at: timestamp(clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ changes: sql<string>`operation_log.changes || ${changes}::jsonb` }))
      .execute()
  }

  return {
    async during(call, session, ip, work) {
      if (!isWrite(call) || call.permission === 'device') return work()
      const actor: Actor | null = session && {
        parkId: session.park.id,
        userId: session.userId,
        account: session.account,
        operator: session.operator,
        source: session.kind === 'client' ? 'thirdParty' : 'local',
      }
      const trail: Trail = { id: newId(), call, session, actor, ip, loose: [], written: false, ended: false }
      try {
        const result = await places.run({ trail, notes: trail.loose, unlisted: [] }, work)
        // Without a transaction of its own, or with something noted after it.
        if (!trail.written || trail.loose.length > 0) await insert(db, trail, trail.loose)
        return result
      } finally {
        trail.ended = true
      }
    },
    note(change) {
      const here = place()
      if (here !== undefined) here.notes.push(toldChangeOf(here.trail.call, change))
    },
    made: (thing) => void place()?.unlisted.push(thing),
    follow: (follower) => void followers.push(follower),
    actAs(actor) {
      const here = place()
      if (here !== undefined) here.trail.actor = actor
    },
    async transaction(work) {
      const here = place()
      if (here === undefined) return work(async () => {})
      const { trail } = here
      const notes: ToldChange[] = []
      const unlisted: MadeThing[] = []
      let taken: ToldChange[] = []
      try {
        const result = await places.run({ trail, notes, unlisted }, () =>
          work(async (tx) => {
            taken = trail.loose.splice(0)
            await insert(tx as unknown as Tx<AuditTables>, trail, [...taken, ...notes])
            const { session } = trail
            if (session === null) return
            const made = [...[...taken, ...notes].filter(({ kind }) => kind === 'created'), ...unlisted].map(({ entity, id }) => ({
              entity,
              id,
            }))
            for (const follow of followers) await follow(tx, session, made)
          }),
        )
        // Nobody is known to act yet: it waits until somebody is.
        if (trail.actor === null) trail.loose.push(...taken, ...notes)
        else trail.written = true
        return result
      } catch (error) {
        trail.loose.unshift(...taken)
        throw error
      }
    },
    apart: (work) => places.exit(work),
    read(call, session, ip, subjects, searched = false) {
      const others = subjects.filter((id) => id !== session.userId)
      // Of oneself, or of nobody: nothing was seen. A file does not say whom it tells of.
      if (others.length === 0 && call.produces !== 'file' && !searched) return
      reads.add({
        id: newId(),
        park_id: session.park.id,
        user_id: session.userId,
        account: session.account,
        operator: session.operator,
        source: session.kind === 'client' ? 'thirdParty' : 'local',
        method: call.method,
        url: call.url,
        ip,
        subjects: others,
        persons: null,
        occurred_at: timestamp(clock.now()),
      })
    },
    async handedOut(tx, call, { parkId, userId, account, operator, source }, { subject, persons }) {
      await (tx as unknown as Tx<AuditTables>)
        .insertInto('read_log')
        .values({
          id: newId(),
          park_id: parkId,
          user_id: userId,
          account,
          operator,
          source,
          method: call.method,
          url: call.url,
          ip: '',
          subjects: [subject],
          persons,
          occurred_at: timestamp(clock.now()),
        })
        .execute()
    },
    async forget(tx, entity, ids) {
      let entries = 0
      for (const id of ids) {
        const { numUpdatedRows } = await (tx as unknown as Tx<AuditTables>)
          .updateTable('operation_log')
          .set((eb) => ({ changes: eb.fn<string>('forget_changes', ['changes', eb.val(entity), eb.val(id)]) }))
          .where('changes', '@>', JSON.stringify([{ entity, id }]) as never)
          .executeTakeFirst()
        entries += Number(numUpdatedRows)
      }
      return entries
    },
    async markWatched(tx, { parkId }, { ids, names }) {
      const isOne = sql<boolean>`(one->>'id' = ANY(${sql.val(ids)}::text[]) OR (one ? 'labelMask' AND one->>'label' = ANY(${sql.val(names)}::text[])))`
      const changes = sql<string>`(SELECT jsonb_agg(CASE WHEN ${isOne} THEN one || '{"watched": true}' ELSE one END) FROM jsonb_array_elements(changes) one)`
      // One after the other, so that the index of changes finds them.
      for (const pattern of [...ids.map((id) => ({ id })), ...names.map((label) => ({ label: label.slice(0, LABEL_MAX) }))])
        await (tx as unknown as Tx<AuditTables>)
          .updateTable('operation_log')
          .set({ changes })
          .where('park_id', '=', parkId)
          .where('changes', '@>', JSON.stringify([pattern]) as never)
          .execute()
    },
    settled: () => reads.settled(),
    stop: () => reads.stop(),
  }
}
