/** Entries of the operation log: the changes of a running call, written in the transaction that makes them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isWrite, type Call } from '@gatehouse/contract'
import { logModuleOf } from '@gatehouse/contract/audit/modules'
import { loggedActor, type LoggedActor } from './actors.ts'
import type { Audit, Follower, MadeThing, Change } from './audit-types.ts'
import { fieldsOf } from './marks.ts'
import { sealChange, type ChangeKind, type ClearChange } from './sealed.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { sql, timestamp, type Database } from '../database/database.ts'
import type { Clock } from '../time/clock.ts'
import { newId } from '../database/ids.ts'
import type { Caller } from '../session/session.ts'

/** The entry of a running call. */
interface Trail {
  id: string
  call: Call
  caller: Caller | null
  actor: LoggedActor | null
  ip: string
  /** Noted outside a transaction, or not written yet. */
  loose: ClearChange[]
  written: boolean
  /** Its call has answered; background work that goes on belongs to no entry. */
  ended: boolean
}
/** Where notes are collected: in the running transaction, so that a rollback discards them, else in the call. */
interface Place {
  trail: Trail
  notes: ClearChange[]
  /** Created things that no entry mentions. */
  unlisted: MadeThing[]
}

/** Characters of a label that are stored. */
export const LABEL_MAX = 200

const kindOf = ({ before, after }: Change): ChangeKind => {
  const [was, is] = [before !== undefined && before !== null, after !== undefined && after !== null]
  if (was && is) return 'changed'
  return is ? 'created' : was ? 'deleted' : 'touched'
}

function clearChangeOf(call: Call, change: Change): ClearChange {
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

export interface EntryParts {
  db: Database
  clock: Clock
  crypto: Pick<Crypto, 'seal'>
}

export function createEntries({
  db,
  clock,
  crypto,
}: EntryParts): Pick<Audit, 'during' | 'note' | 'made' | 'follow' | 'actAs' | 'transaction' | 'apart'> {
  const places = new AsyncLocalStorage<Place>()
  const followers: Follower[] = []

  const place = (): Place | undefined => {
    const found = places.getStore()
    return found === undefined || found.trail.ended ? undefined : found
  }

  async function insert(to: Database, trail: Trail, notes: readonly ClearChange[]): Promise<void> {
    const { actor, call } = trail
    if (actor === null || (trail.written && notes.length === 0)) return
    const changes = JSON.stringify(await Promise.all(notes.map((note) => sealChange(crypto, actor.parkId, trail.id, note))))
    await to
      .insertInto('operationLog')
      .values({
        id: trail.id,
        parkId: actor.parkId,
        userId: actor.userId,
        account: actor.account,
        operator: actor.operator,
        source: actor.source,
        module: logModuleOf(call),
        method: call.method,
        url: call.url,
        ip: trail.ip,
        changes,
        occurredAt: timestamp(clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ changes: sql<string>`operation_log.changes || ${changes}::jsonb` }))
      .execute()
  }

  return {
    async during(call, caller, ip, work) {
      if (!isWrite(call) || call.permission === 'device') return work()
      const actor = caller && loggedActor(caller)
      const trail: Trail = { id: newId(), call, caller, actor, ip, loose: [], written: false, ended: false }
      try {
        const result = await places.run({ trail, notes: trail.loose, unlisted: [] }, work)
        // The call had no transaction, or noted something after it.
        if (!trail.written || trail.loose.length > 0) await insert(db, trail, trail.loose)
        return result
      } finally {
        trail.ended = true
      }
    },
    note(change) {
      const here = place()
      if (here !== undefined) here.notes.push(clearChangeOf(here.trail.call, change))
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
      const notes: ClearChange[] = []
      const unlisted: MadeThing[] = []
      let taken: ClearChange[] = []
      try {
        const result = await places.run({ trail, notes, unlisted }, () =>
          work(async (tx) => {
            taken = trail.loose.splice(0)
            await insert(tx, trail, [...taken, ...notes])
            const { caller } = trail
            if (caller === null) return
            const made = [...[...taken, ...notes].filter(({ kind }) => kind === 'created'), ...unlisted].map(({ entity, id }) => ({
              entity,
              id,
            }))
            for (const follow of followers) await follow(tx, caller, made)
          }),
        )
        // The actor is not known yet, so the notes wait until it is.
        if (trail.actor === null) trail.loose.push(...taken, ...notes)
        else trail.written = true
        return result
      } catch (error) {
        trail.loose.unshift(...taken)
        throw error
      }
    },
    apart: (work) => places.exit(work),
  }
}
