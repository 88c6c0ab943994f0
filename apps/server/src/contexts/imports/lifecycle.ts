/** Imports made, started, ended and deleted. */
import { personGroupType } from '@gatehouse/contract/enums'
import { newId } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import { storedActor, type Scope } from '../../platform/session/session.ts'
import { canSeeKind } from '../people/index.ts'
import { invalid } from './access.ts'
import * as data from './data.ts'
import type { ImportsParts } from './parts.ts'
import type { ImportsService } from './service-types.ts'

const DAY = 86_400_000
const KEPT_DAYS = 30

type Lifecycle = Pick<ImportsService, 'create' | 'start' | 'cancel' | 'delete' | 'removeOld'>

export function createImportLifecycle({ platform, groups, check, run, access, answers }: ImportsParts): Lifecycle {
  const db = platform.db

  /** @throws Refusal 900109 while it runs */
  async function remove(scope: Scope, id: string): Promise<void> {
    await platform.transaction(async (tx) => {
      const one = await data.lockImport(scope, tx, id)
      if (one === null) throw new NotFound()
      if (one.state === 'running') refuse(900109)
      await platform.storage.release(tx, scope, await data.deleteImport(scope, tx, id))
      platform.audit.note({ entity: 'personImport', id, before: { kind: one.kind, mode: one.mode } })
    })
  }
  return {
    async create(scope, actor, { kind, mode, groupId }) {
      if (!canSeeKind(scope, kind)) throw new NotFound()
      const [group] = await groups.types(scope, [groupId])
      if (group === undefined) invalid('unknown', undefined, 'groupId')
      if ((kind === 'special') !== (group!.type === personGroupType.blacklist)) invalid('kindOfGroup', undefined, 'groupId')
      const id = newId()
      await platform.transaction(async (tx) => {
        await data.insertImport(scope, tx, { id, kind, mode, groupId, ...storedActor(actor) }, platform.clock.now())
        platform.audit.note({ entity: 'personImport', id, after: { kind, mode, groupName: group!.name } })
      })
      return id
    },
    async start(scope, actor, language, id) {
      await access.inTurn(id, async () => {
        const one = await access.find(scope, id)
        if (one.state === 'running') {
          await platform.transaction(async (tx) => void (await run.request(tx, scope)))
          return
        }
        await check.all(scope, one)
        await platform.transaction(async (tx) => {
          await access.lock(tx, scope, id)
          const { rows, open } = (await data.countAll(scope, tx, [id])).get(id)!
          const workId = await run.request(tx, scope)
          await data.startImport(scope, tx, id, { ...storedActor(actor), workId, runTotal: open }, platform.clock.now())
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { ...rows, running: open } })
        })
      })
      return answers.read(scope, language, id)
    },
    async cancel(scope, language, id) {
      await access.find(scope, id)
      await platform.transaction(async (tx) => {
        if (await data.endImport(scope, tx, id, 'cancelled', null, platform.clock.now()))
          platform.audit.note({ entity: 'personImport', id, before: { state: 'running' }, after: { state: 'cancelled' } })
      })
      return answers.read(scope, language, id)
    },
    async delete(scope, id) {
      await access.find(scope, id)
      await access.inTurn(id, () => remove(scope, id))
      return id
    },
    async removeOld() {
      const old = await data.findOldUnscoped(db, platform.clock.now() - KEPT_DAYS * DAY)
      for (const { id, parkId } of old) await access.inTurn(id, () => remove({ parkId }, id))
      return old.length
    },
  }
}
